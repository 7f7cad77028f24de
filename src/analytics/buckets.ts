import { DAY_MS, HOUR_MS, toIso } from "../core/time.ts";

/** The buckets of a timeseries: UTC hours, days, weeks from Monday, and calendar months. Pure. */
export const INTERVALS = ["hour", "day", "week", "month"] as const;

export type Interval = (typeof INTERVALS)[number];

/** A range of whole UTC days, in milliseconds. */
export interface Range {
  fromMs: number;
  /** Exclusive. */
  toMs: number;
}

/** Scans within one hour or day. */
export interface Tally {
  /** Start of the hour or day, in milliseconds. */
  startMs: number;
  scans: number;
}

/** One point of a timeseries (contract section 2.11). */
export interface Point {
  date: string;
  scans: number;
}

const WEEK_MS = 7 * DAY_MS;
/** 1 January 1970 was a Thursday: the Monday before it is where weeks are counted from. */
const FIRST_MONDAY_MS = -3 * DAY_MS;
const MONTHS_PER_YEAR = 12;

/** The range of days from one date to another, both `YYYY-MM-DD` and both included. */
export function parseRange(fromDate: string, toDate: string): Range {
  return { fromMs: Date.parse(fromDate), toMs: Date.parse(toDate) + DAY_MS };
}

/** The UTC day of a moment, `YYYY-MM-DD`. */
export function formatDay(timeMs: number): string {
  return toIso(timeMs).slice(0, 10);
}

/** How many buckets a range touches. */
export function countBuckets(interval: Interval, { fromMs, toMs }: Range): number {
  return numberBucket(interval, toMs - 1) - numberBucket(interval, fromMs) + 1;
}

/** Every bucket of a range with its scans, zeros too. The first and the last may lie partly outside of it. */
export function fillPoints(interval: Interval, range: Range, tallies: readonly Tally[]): Point[] {
  const first = numberBucket(interval, range.fromMs);
  const points = Array.from({ length: countBuckets(interval, range) }, (_, index) => ({
    date: formatLabel(interval, startBucket(interval, first + index)),
    scans: 0,
  }));
  for (const { startMs, scans } of tallies) {
    const point = points[numberBucket(interval, startMs) - first];
    if (point !== undefined) point.scans += scans;
  }
  return points;
}

/** The calendar months that lie wholly within a range, by number, and the days before and after them. */
export interface WholeMonths {
  /** Empty if it equals `toMonth`; then `before` is the whole range. */
  fromMonth: number;
  /** Exclusive. */
  toMonth: number;
  before: Range;
  after: Range;
}

/** Takes the whole calendar months out of a range. */
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

/** The calendar month of a moment, as the roll-ups number it: months since the year 0. */
export function numberMonth(timeMs: number): number {
  return numberBucket("month", timeMs);
}

/** Buckets are numbered, so that the one after is the next number, whatever its length. */
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

function startBucket(interval: Interval, number: number): number {
  switch (interval) {
    case "hour":
      return number * HOUR_MS;
    case "day":
      return number * DAY_MS;
    case "week":
      return number * WEEK_MS + FIRST_MONDAY_MS;
    case "month": {
      // Date.UTC takes the years 0 to 99 for those of the twentieth century; setUTCFullYear does not.
      const year = Math.floor(number / MONTHS_PER_YEAR);
      return new Date(0).setUTCFullYear(year, number - year * MONTHS_PER_YEAR, 1);
    }
  }
}

function formatLabel(interval: Interval, startMs: number): string {
  return interval === "hour" ? `${toIso(startMs).slice(0, 13)}:00:00Z` : formatDay(startMs);
}
