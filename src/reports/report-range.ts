// Pure: no I/O, clock or randomness.
import { formatDay, parseRange, type Range } from "../analytics/buckets.ts";
import { DAY_MS } from "../core/time.ts";

/** Maximum number of days of a report. */
export const RANGE_DAYS_MAX = 366;

/** Days of a report: the days up to the present day, or fixed dates (`YYYY-MM-DD`, inclusive). */
export type ReportRange = { days: number } | { from_date: string; to_date: string };

/** Columns in which a range is stored. */
export interface RangeColumns {
  days: number | null;
  fromDate: string | null;
  toDate: string | null;
}

export function toRangeColumns(range: ReportRange): RangeColumns {
  return "days" in range
    ? { days: range.days, fromDate: null, toDate: null }
    : { days: null, fromDate: range.from_date, toDate: range.to_date };
}

export function readRangeColumns({ days, fromDate, toDate }: RangeColumns): ReportRange {
  return days === null ? { from_date: fromDate ?? "", to_date: toDate ?? "" } : { days };
}

/** Returns the UTC days of a range at a time. A range of days ends with the present day. */
export function resolveRange(range: ReportRange, nowMs: number): Range {
  if (!("days" in range)) return parseRange(range.from_date, range.to_date);
  const today = formatDay(nowMs);
  return parseRange(formatDay(Date.parse(today) - (range.days - 1) * DAY_MS), today);
}
