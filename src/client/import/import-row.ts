import type { components } from "../schema.d.ts";

/** Services whose files and API answers are read; `csv` is any table with a map of its columns. */
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

/** Link of another service in the terms of this one. */
export interface ImportRow {
  /** Line of the file on which the link begins, from 1. In JSON that is all on one line, the number of the item. */
  line: number;
  /** Short address that the link has at the other service; null if the file does not tell. */
  formerUrl: string | null;
  /** Body of the creation: what the service needs to make the same link. */
  link: components["schemas"]["NewLink"];
  /** Changes and omissions that make the link fit here, each a short sentence for people. */
  notes: readonly string[];
}

/** Row that is no link: why, in words that follow "line 12: ". */
export interface FaultyRow {
  line: number;
  formerUrl: string | null;
  fault: string;
}

/** Content of a file. */
export interface ImportFile {
  source: SourceName;
  /** Rows in the order in which the links are made: that of the file, or oldest first if the file begins with the newest. */
  rows: readonly (ImportRow | FaultyRow)[];
}

/** File of a wrong format. The message names the line, what was found and what was expected. */
export class ImportFormatError extends Error {
  override name = "ImportFormatError";
}

/** Returns true for a row that is a link. */
export function isImportRow(row: ImportRow | FaultyRow): row is ImportRow {
  return "link" in row;
}
