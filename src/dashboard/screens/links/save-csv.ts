import { formatCsvLine } from "../../../core/csv-line.ts";
import { formatCount } from "../../../core/format-count.ts";
import { announce } from "../../components/toast-list.ts";
import { saveCsv } from "../../data/save-file.ts";
import type { Link } from "./link-store.ts";

/** Saves links as a CSV file with the same columns as the API's export. */
export function saveLinksCsv(links: readonly Link[]): void {
  const [first] = links;
  if (first === undefined) return;
  const names = Object.keys(first) as (keyof Link)[];
  const lines = links.map((link) => formatCsvLine(names.map((name) => link[name])));
  saveCsv("links.csv", [formatCsvLine(names), ...lines]);
  announce(`${formatCount(links.length, "link")} exported`);
}
