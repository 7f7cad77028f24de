// Pure: no I/O, clock or randomness.
import { formatCsvLine } from "../../core/csv-line.ts";
import type { RowResult } from "./run-import.ts";

/** Formats the report of an import, which lists the result of every row. */

export const REPORT_FORMATS = ["csv", "json"] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];

/**
 * Parts of a report, which can be written one after another. Rows can be added as long as `end` is written
 * again after them.
 */
export interface ReportParts {
  start: string;
  /** Formats rows. `isFirst` is true if no rows were written before. */
  formatRows(results: readonly RowResult[], isFirst: boolean): string;
  end: string;
}

const HEADERS = ["line", "former_url", "code", "state", "short_url", "kept_url", "reason", "notes"] as const;

/** Returns a row's result with the report's field names. */
export function presentResult(result: RowResult) {
  const { line, formerUrl, code, state, shortUrl, keptUrl, reason, notes } = result;
  return { line, former_url: formerUrl, code, state, short_url: shortUrl, kept_url: keptUrl, reason, notes };
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

export function getReportParts(format: ReportFormat): ReportParts {
  return FORMATS[format];
}

/** Formats a complete report. */
export function formatReport(results: readonly RowResult[], format: ReportFormat): string {
  const { start, formatRows, end } = FORMATS[format];
  return start + formatRows(results, true) + end;
}
