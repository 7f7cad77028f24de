import { formatCsvLine } from "../../core/csv-line.ts";
import type { RowResult } from "./run-import.ts";

/** Report of an import: every row with what became of it. */

export const REPORT_FORMATS = ["csv", "json"] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Parts of a report, which can be written one after another. What stands before `end` and with it is a whole report. */
export interface ReportParts {
  start: string;
  /** Formats rows that follow others, or are the first. */
  formatRows(results: readonly RowResult[], isFirst: boolean): string;
  end: string;
}

const HEADERS = ["line", "former_url", "code", "state", "short_url", "reason", "notes"] as const;

/** Returns the result of a row under the names of the report. */
export function presentResult(result: RowResult) {
  const { line, formerUrl, code, state, shortUrl, reason, notes } = result;
  return { line, former_url: formerUrl, code, state, short_url: shortUrl, reason, notes };
}

const FORMATS: Readonly<Record<ReportFormat, ReportParts>> = {
  csv: {
    start: formatCsvLine(HEADERS),
    formatRows: (results) =>
      results
        .map((result) =>
          formatCsvLine(Object.values({ ...presentResult(result), notes: result.notes.join("; ") })),
        )
        .join(""),
    end: "",
  },
  json: {
    start: "[",
    formatRows: (results, isFirst) =>
      results
        .map(
          (result, index) => `${isFirst && index === 0 ? "" : ","}\n${JSON.stringify(presentResult(result))}`,
        )
        .join(""),
    end: "\n]\n",
  },
};

/** Returns the parts of a report. */
export function getReportParts(format: ReportFormat): ReportParts {
  return FORMATS[format];
}

/** Formats a whole report. */
export function formatReport(results: readonly RowResult[], format: ReportFormat): string {
  const { start, formatRows, end } = FORMATS[format];
  return start + formatRows(results, true) + end;
}
