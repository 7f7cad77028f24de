// Pure: no I/O, clock or randomness.
import type { components } from "../schema.d.ts";

/** Services whose files and API responses can be imported. `csv` is any table with a column mapping. */
export const SOURCE_NAMES = [
  "bitly",
  "dub",
  "short-io",
  "rebrandly",
  "kutt",
  "yourls",
  "shlink",
  "sink",
  "csv",
] as const;

export type SourceName = (typeof SOURCE_NAMES)[number];

/** Link of another service, converted to the fields of a link here. */
export interface ImportRow {
  /** Line of the file where the link begins, from 1. For JSON on a single line, the number of the item. */
  line: number;
  /** Short URL at the other service, or null if the file doesn't contain it. */
  formerUrl: string | null;
  /** Request body that creates the link. */
  link: components["schemas"]["NewLink"];
  /** Adjustments made during import, each a short sentence. */
  notes: readonly string[];
}

/** Row that can't be imported, with a reason to be shown after "line 12: ". */
export interface InvalidRow {
  line: number;
  formerUrl: string | null;
  /** Old code of the row, null for a row whose code never worked, or absent if it can't be read. */
  code?: string | null;
  problem: string;
}

export interface ImportFile {
  source: SourceName;
  /**
   * Rows in the order in which the links are created: file order, or reversed if the file begins with the
   * newest link.
   */
  rows: readonly (ImportRow | InvalidRow)[];
}

/** Thrown for a file in the wrong format. The message says what was expected and found, and on which line. */
export class ImportFormatError extends Error {
  override name = "ImportFormatError";
}

/** Returns true if the row can be imported as a link. */
export function isImportRow(row: ImportRow | InvalidRow): row is ImportRow {
  return "link" in row;
}
