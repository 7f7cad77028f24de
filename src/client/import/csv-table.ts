// Pure: no I/O, clock or randomness.
import Papa from "papaparse";
import { cleanCell } from "./cell-text.ts";
import { ImportFormatError } from "./import-row.ts";
import { LineCounter } from "./line-counter.ts";

/** Record of a CSV file, with cleaned cells. */
export interface CsvRecord {
  /** Line where the record begins, starting at 1. */
  line: number;
  cells: readonly string[];
}

/** CSV file with a header. Empty records are left out. */
export interface CsvTable {
  header: readonly string[];
  headerLine: number;
  records: readonly CsvRecord[];
}

const DELIMITERS = [",", ";", "\t"] as const;
/** Matches a line such as `sep=;` before the header, in which a spreadsheet names the delimiter. */
const DELIMITER_LINE = /^"?sep=([,;\t|])"?\n/i;
/** Maximum length of text in which the delimiter is searched. Headers are shorter. */
const HEADER_MAX_LENGTH = 65_536;

/**
 * Reads a CSV file (RFC 4180) with commas, semicolons or tabs, whose lines end with LF. Stops after
 * `recordsMax` records. Throws {@link ImportFormatError} if there is no header or a quote isn't closed.
 */
export function readCsvTable(text: string, recordsMax = Number.POSITIVE_INFINITY): CsvTable {
  const named = DELIMITER_LINE.exec(text);
  const start = named?.[0].length ?? 0;
  const lines = new LineCounter(text);
  const records: CsvRecord[] = [];
  let recordStart = start;
  Papa.parse<string[]>(text.slice(start), {
    delimiter: named?.[1] ?? findDelimiter(text),
    newline: "\n",
    step: ({ data, errors, meta }, parser) => {
      const line = lines.lineAt(recordStart);
      recordStart = start + meta.cursor;
      rejectQuotes(line, errors);
      const cells = data.map(cleanCell);
      if (cells.every((cell) => cell === "")) return;
      records.push({ line, cells });
      if (records.length > recordsMax) parser.abort();
    },
  });
  const header = records.shift();
  if (header === undefined) throw new ImportFormatError("line 1: the file is empty; expected a header row");
  return { header: header.cells, headerLine: header.line, records };
}

/** Returns the delimiter that splits the first line into the most cells. */
function findDelimiter(text: string): string {
  const [first = ""] = text.slice(0, HEADER_MAX_LENGTH).trimStart().split("\n", 1);
  const counted = DELIMITERS.map((delimiter) => ({ delimiter, count: countCells(first, delimiter) }));
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).delimiter;
}

function countCells(line: string, delimiter: string): number {
  return Papa.parse<string[]>(line, { delimiter, newline: "\n", preview: 1 }).data[0]?.length ?? 0;
}

function rejectQuotes(line: number, errors: readonly Papa.ParseError[]): void {
  const error = errors.find(({ type }) => type === "Quotes");
  if (error === undefined) return;
  const found =
    error.code === "MissingQuotes"
      ? "missing closing quote"
      : "unexpected text after a closing quote; write a quote inside a cell as two quotes";
  throw new ImportFormatError(`line ${line}: ${found}`);
}
