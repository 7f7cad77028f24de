import { formatCsvLine } from "../../core/csv-line.ts";
import { Button } from "../components/button.tsx";
import { announce } from "../components/toast-list.ts";
import { saveCsv } from "../data/save-file.ts";

interface ExportButtonProps {
  /** Name of the file, without its ending. */
  name: string;
  /** Noun of what is saved, where several such buttons are near each other. */
  what?: string | undefined;
  kind?: "normal" | "plain" | undefined;
  /** Rows with their header, made when they are asked for. Undefined while nothing is there. */
  rows: (() => (string | number)[][]) | undefined;
}

/** Button that saves what is shown as CSV. */
export function ExportButton({ name, what, kind, rows }: ExportButtonProps) {
  const save = () => {
    if (rows === undefined) return;
    saveCsv(`${name}.csv`, rows().map(formatCsvLine));
    announce(`${name}.csv was saved`);
  };
  return (
    <Button
      kind={kind}
      size="s"
      icon="download"
      isDisabled={rows === undefined}
      onClick={save}
      aria-label={what === undefined ? "Save as CSV" : `Save ${what} as CSV`}
    >
      CSV
    </Button>
  );
}
