import { formatCsvLine } from "../../core/csv-line.ts";
import { Button } from "../components/button.tsx";
import { announce } from "../components/toast-list.ts";
import { saveCsv } from "../data/save-file.ts";

interface ExportButtonProps {
  /** Name of the file, without its extension. */
  name: string;
  /** Name of the exported data, needed if several export buttons are near each other. */
  what?: string | undefined;
  kind?: "normal" | "plain" | undefined;
  /** Returns the rows including the header. Called on export. Undefined while no data is loaded. */
  rows: (() => (string | number)[][]) | undefined;
}

/** Button that downloads the shown data as CSV. */
export function ExportButton({ name, what, kind, rows }: ExportButtonProps) {
  const save = () => {
    if (rows === undefined) return;
    saveCsv(`${name}.csv`, rows().map(formatCsvLine));
    announce(`Exported ${name}.csv`);
  };
  return (
    <Button
      kind={kind}
      size="s"
      icon="download"
      isDisabled={rows === undefined}
      onClick={save}
      aria-label={what === undefined ? "Export CSV" : `Export ${what} as CSV`}
    >
      CSV
    </Button>
  );
}
