import type { ColumnMap } from "./column-map.ts";
import { readCsvTable } from "./csv-table.ts";
import { normalizeText } from "./file-text.ts";
import { fitLink } from "./fit-link.ts";
import type { FaultyRow, ImportFile, ImportRow, SourceName } from "./import-row.ts";
import { createFieldReader, readCsvLink } from "./sources/any-csv.ts";

/** How a file is read. */
export interface ReadOptions {
  /** Service that wrote the file. Found out if it is absent. */
  source?: SourceName | undefined;
  /** Columns of a CSV file of any kind. Guessed if they are absent. */
  columns?: ColumnMap | undefined;
  /** Unix milliseconds. */
  nowMs: number;
}

/**
 * Reads the links of a file of another service. What is wrong with one link is in its row. Throws an `ImportFormatError`
 * if the file as a whole cannot be read.
 */
export function readImport(file: { name: string; text: string }, options: ReadOptions): ImportFile {
  const table = readCsvTable(normalizeText(file.text));
  const read = createFieldReader(table, options.columns);
  const rows = table.records.map((record): ImportRow | FaultyRow => {
    const extra = record.cells.slice(table.header.length).some((cell) => cell !== "");
    if (extra) {
      const fault = `has ${record.cells.length} cells, but the header has ${table.header.length}; a cell with the delimiter in it needs quotes`;
      return { line: record.line, formerUrl: null, fault };
    }
    return fitLink(readCsvLink(record, read), options.nowMs);
  });
  return { source: "csv", rows };
}
