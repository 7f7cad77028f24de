// Pure: no I/O, clock or randomness.
import type { ColumnMap } from "./column-map.ts";
import { readCsvTable } from "./csv-table.ts";
import { normalizeText } from "./file-text.ts";
import { type ImportFile, ImportFormatError, type SourceName } from "./import-row.ts";
import { readJson } from "./read-json.ts";
import { type ReadFile, type Row, readTable } from "./read-table.ts";
import { isSqlDump, readSqlTable } from "./sql-table.ts";

/** Options for reading a file. */
export interface ReadOptions {
  /** Service that wrote the file. Detected if absent. */
  source?: SourceName | undefined;
  /** Column mapping of a CSV file. With a mapping, the source is `csv`. Without one, columns are guessed. */
  columns?: ColumnMap | undefined;
  /** Unix milliseconds. */
  nowMs: number;
}

/** End of the name of the table in which YOURLS keeps its links. Installations choose the start. */
const YOURLS_TABLE = "url";

/**
 * Reads the links of another service's file. The file name isn't used. Problems of single links are returned
 * in their rows. Throws an {@link ImportFormatError} if the file as a whole can't be read.
 */
export function readImport(
  { text }: { name: string; text: string },
  { source, columns, nowMs }: ReadOptions,
): ImportFile {
  if (columns !== undefined && source !== undefined && source !== "csv") {
    throw new ImportFormatError(`columns can only be mapped for csv, not for ${source}`);
  }
  const normal = normalizeText(text);
  const wanted = columns === undefined ? source : "csv";
  const { source: found, links } = readLinks(normal, wanted, columns, nowMs);
  return { source: found, rows: (isNewestFirst(links) ? links.toReversed() : links).flat() };
}

function readLinks(
  text: string,
  wanted: SourceName | undefined,
  columns: ColumnMap | undefined,
  nowMs: number,
): ReadFile {
  if (/^\s*[[{]/.test(text)) return readJson(text, wanted, nowMs);
  const table = isSqlDump(text) ? readSqlTable(text, YOURLS_TABLE) : readCsvTable(text);
  return readTable(table, wanted, columns, nowMs);
}

/** Returns true if the first link with a creation time is newer than the last one. */
function isNewestFirst(links: ReadFile["links"]): boolean {
  const first = links.find(isDated);
  const last = links.findLast(isDated);
  return first !== undefined && last !== undefined && readCreation(first) > readCreation(last);
}

function isDated(rows: readonly Row[]): boolean {
  return readCreation(rows) !== "";
}

function readCreation([row]: readonly Row[]): string {
  return row !== undefined && "link" in row ? (row.link.created_at ?? "") : "";
}
