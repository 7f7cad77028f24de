// Pure: no I/O, clock or randomness.
import { DAY_MS, HOUR_MS, MINUTE_MS, toIso } from "../core/time.ts";
import { addVisitors, NO_VISITORS, type VisitorCount } from "./visitor-count.ts";

/** Intervals of a timeseries: UTC hours, days, weeks from Monday, and calendar months. */
export const INTERVALS = ["hour", "day", "week", "month"] as const;

export type Interval = (typeof INTERVALS)[number];

/** Range of whole UTC days in Unix milliseconds. */
export interface Range {
  fromMs: number;
  /** Exclusive. */
  toMs: number;
}

/** Number of scans within one interval: a quarter of an hour, an hour or a day. */
export interface Tally {
  /** Start of the interval in Unix milliseconds. */
  startMs: number;
  scans: number;
  /** Missing if visitors aren't counted. Each visitor counts at the first scan of a UTC day. */
  visitors?: VisitorCount;
}

/** Point of a timeseries. */
export interface Point {
  date: string;
  scans: number;
  /** Missing if visitors aren't counted. */
  visitors?: VisitorCount;
}

/**
 * Length of the intervals in which scans are counted. The UTC offset of every time zone is a multiple of a
 * quarter of an hour.
 */
export const QUARTER_MS = 15 * MINUTE_MS;
export const QUARTERS_PER_DAY = DAY_MS / QUARTER_MS;
const WEEK_MS = 7 * DAY_MS;
/** Start of week 0: the Monday before 1 January 1970, which was a Thursday. */
const FIRST_MONDAY_MS = -3 * DAY_MS;
const MONTHS_PER_YEAR = 12;

/** Parses a range from its first and last date (`YYYY-MM-DD`, both inclusive). */
export function parseRange(fromDate: string, toDate: string): Range {
  return { fromMs: Date.parse(fromDate), toMs: Date.parse(toDate) + DAY_MS };
}

/** Formats the UTC day of a time as `YYYY-MM-DD`. */
export function formatDay(timeMs: number): string {
  return toIso(timeMs).slice(0, 10);
}

/** Returns the number of buckets that overlap a range. */
export function countBuckets(interval: Interval, { fromMs, toMs }: Range): number {
  return numberBucket(interval, toMs - 1) - numberBucket(interval, fromMs) + 1;
}

/** Returns every bucket of a range with its scans. The first and last bucket may extend beyond the range. */
export function fillPoints(interval: Interval, range: Range, tallies: readonly Tally[]): Point[] {
  const first = numberBucket(interval, range.fromMs);
  const points = Array.from(
    { length: countBuckets(interval, range) },
    (_, index): Point => ({
      date: formatLabel(interval, startBucket(interval, first + index)),
      scans: 0,
    }),
  );
  for (const { startMs, scans, visitors } of tallies) {
    const point = points[numberBucket(interval, startMs) - first];
    if (point === undefined) continue;
    point.scans += scans;
    if (visitors !== undefined) point.visitors = addVisitors(point.visitors ?? NO_VISITORS, visitors);
  }
  return points;
}

/** Whole calendar months of a range, as month numbers, and the days before and after them. */
export interface WholeMonths {
  /** Equals `toMonth` if there is no whole month; `before` is then the whole range. */
  fromMonth: number;
  /** Exclusive. */
  toMonth: number;
  before: Range;
  after: Range;
}

export function splitWholeMonths({ fromMs, toMs }: Range): WholeMonths {
  const fromMonth = numberBucket("month", fromMs - 1) + 1;
  const toMonth = Math.max(fromMonth, numberBucket("month", toMs));
  const splitMs = fromMonth === toMonth ? toMs : startBucket("month", fromMonth);
  const resumeMs = fromMonth === toMonth ? toMs : startBucket("month", toMonth);
  return {
    fromMonth,
    toMonth,
    before: { fromMs, toMs: splitMs },
    after: { fromMs: resumeMs, toMs },
  };
}

/** Returns the number of a time's calendar month: months since year 0, as stored in the roll-ups. */
export function numberMonth(timeMs: number): number {
  return numberBucket("month", timeMs);
}

/**
 * Returns the number of the bucket that contains a time. Consecutive buckets have consecutive numbers, even
 * if their lengths differ (months).
 */
function numberBucket(interval: Interval, timeMs: number): number {
  switch (interval) {
    case "hour":
      return Math.floor(timeMs / HOUR_MS);
    case "day":
      return Math.floor(timeMs / DAY_MS);
    case "week":
      return Math.floor((timeMs - FIRST_MONDAY_MS) / WEEK_MS);
    case "month": {
      const date = new Date(timeMs);
      return date.getUTCFullYear() * MONTHS_PER_YEAR + date.getUTCMonth();
    }
  }
}

/** Returns the start of a month in Unix milliseconds. `month` is a number from {@link numberMonth}. */
export function startMonth(month: number): number {
  return startBucket("month", month);
}

function startBucket(interval: Interval, number: number): number {
  switch (interval) {
    case "hour":
      return number * HOUR_MS;
    case "day":
      return number * DAY_MS;
    case "week":
      return number * WEEK_MS + FIRST_MONDAY_MS;
    case "month": {
      // Date.UTC treats the years 0 to 99 as 1900 to 1999; setUTCFullYear doesn't.
      const year = Math.floor(number / MONTHS_PER_YEAR);
      return new Date(0).setUTCFullYear(year, number - year * MONTHS_PER_YEAR, 1);
    }
  }
}

function formatLabel(interval: Interval, startMs: number): string {
  return interval === "hour" ? `${toIso(startMs).slice(0, 13)}:00:00Z` : formatDay(startMs);
}
