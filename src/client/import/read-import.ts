// Pure: no I/O, clock or randomness.
import type { ColumnMap } from "./column-map.ts";
import { normalizeText } from "./file-text.ts";
import { type ImportFile, ImportFormatError, type SourceName } from "./import-row.ts";
import { type ReadFile, type Row, readCsv } from "./read-csv.ts";
import { readJson } from "./read-json.ts";

/** Options for reading a file. */
export interface ReadOptions {
  /** Service that wrote the file. Detected if absent. */
  source?: SourceName | undefined;
  /** Column mapping of a CSV file. With a mapping, the source is `csv`. Without one, columns are guessed. */
  columns?: ColumnMap | undefined;
  /** Unix milliseconds. */
  nowMs: number;
}

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
  const isJson = /^\s*[[{]/.test(normal);
  const { source: found, links } = isJson
    ? readJson(normal, wanted, nowMs)
    : readCsv(normal, wanted, columns, nowMs);
  return { source: found, rows: (isNewestFirst(links) ? links.toReversed() : links).flat() };
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
