import { formatCsvLine } from "../../../core/csv-line.ts";
import { announce } from "../../components/toasts.tsx";
import type { Link } from "./link-store.ts";

/** Saves links as a file of CSV, with the columns of the export of the API. */
export function saveLinksCsv(links: readonly Link[]): void {
  const [first] = links;
  if (first === undefined) return;
  const names = Object.keys(first) as (keyof Link)[];
  const lines = links.map((link) => formatCsvLine(names.map((name) => link[name])));
  const file = new Blob([formatCsvLine(names), ...lines], { type: "text/csv" });
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(file);
  anchor.download = "links.csv";
  anchor.click();
  // The browser has begun to read the file by then.
  setTimeout(URL.revokeObjectURL, 10_000, anchor.href);
  announce(`${links.length.toLocaleString("en-GB")} links saved as CSV`);
}
