// Pure: no I/O, clock or randomness.
import { toColumnKey } from "./cell-text.ts";
import type { ColumnMap } from "./column-map.ts";
import type { CsvRecord, CsvTable } from "./csv-table.ts";
import { fitLink } from "./fit-link.ts";
import { ImportFormatError, type ImportRow, type InvalidRow, type SourceName } from "./import-row.ts";
import { createFieldReader, describeColumns, readCsvLink } from "./sources/any-csv.ts";
import type { ImportSource, ReadCell } from "./sources/import-source.ts";
import { getSource, IMPORT_SOURCES } from "./sources/source-table.ts";

export type Row = ImportRow | InvalidRow;

/** Rows of a file, in order. A link with several URLs has a row for each of them. */
export interface ReadFile {
  source: SourceName;
  links: readonly (readonly Row[])[];
}

/** Reads the rows of a table. Without a given source, detects it by the columns. */
export function readTable(
  table: CsvTable,
  wanted: SourceName | undefined,
  columns: ColumnMap | undefined,
  nowMs: number,
): ReadFile {
  const source = chooseSource(table, wanted);
  const read = createFieldReader(table, columns);
  const readCells = createCellReader(table.header);
  const links = table.records.map((record): Row[] => {
    const problem = findWidthProblem(record, table);
    if (problem !== null) return [{ line: record.line, formerUrl: null, problem }];
    const link = readCsvLink(record, read);
    const foreigns = source.readRecord?.(link, readCells(record)) ?? [link];
    return foreigns.map((foreign) => fitLink(foreign, nowMs));
  });
  return { source: source.name, links };
}

function chooseSource({ header, headerLine }: CsvTable, wanted: SourceName | undefined): ImportSource {
  const keys = new Set(header.map(toColumnKey));
  if (wanted === undefined)
    return IMPORT_SOURCES.find(({ isHeader }) => isHeader?.(keys)) ?? getSource("csv");
  const source = getSource(wanted);
  if (source.name === "csv" || source.isHeader?.(keys)) return source;
  const expected = source.formats.includes("CSV")
    ? `columns from ${source.title}`
    : `JSON from ${source.title}`;
  throw new ImportFormatError(
    `line ${headerLine}: found ${describeColumns(header)}, expected ${expected}: ${source.expected}`,
  );
}

/** Returns a function that creates a reader for a record's cells by column key. */
function createCellReader(header: readonly string[]): (record: CsvRecord) => ReadCell {
  const indexes = new Map(header.map((name, index) => [toColumnKey(name), index] as const).reverse());
  return ({ cells }) =>
    (...keys) => {
      for (const key of keys) {
        const cell = cells[indexes.get(key) ?? -1];
        if (cell) return cell;
      }
      return "";
    };
}

function findWidthProblem({ cells }: CsvRecord, { header }: CsvTable): string | null {
  if (cells.slice(header.length).every((cell) => cell === "")) return null;
  return `has ${cells.length} cells, but the header has ${header.length}; quote cells that contain the delimiter`;
}
