import { Button } from "../components/button.tsx";
import { announce } from "../components/toasts.tsx";
import { formatCsv } from "./csv-text.ts";

interface ExportButtonProps {
  /** Name of the file, without its ending. */
  name: string;
  /** Rows with their header, made when they are asked for. Undefined while nothing is there. */
  rows: (() => (string | number)[][]) | undefined;
}

/** Button that saves what is shown as CSV. */
export function ExportButton({ name, rows }: ExportButtonProps) {
  const save = () => {
    if (rows === undefined) return;
    saveFile(`${name}.csv`, new Blob([formatCsv(rows())], { type: "text/csv" }));
    announce(`${name}.csv was saved`);
  };
  return (
    <Button size="s" icon="download" isDisabled={rows === undefined} onClick={save} aria-label="Save as CSV">
      CSV
    </Button>
  );
}

/** Saves a file as a download. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has the file once the click was handled.
  setTimeout(URL.revokeObjectURL, 60_000, link.href);
}
