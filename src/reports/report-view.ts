// Pure: no I/O, clock or randomness.
import type { Point } from "../analytics/buckets.ts";

/** Dimensions of a report. Names of rules are internal, so they aren't shown. */
export const REPORT_DIMENSIONS = ["country", "referrer", "device", "browser", "os", "language"] as const;

export type ReportDimension = (typeof REPORT_DIMENSIONS)[number];

/** First and last day (`YYYY-MM-DD`, UTC, inclusive). */
export interface Days {
  fromDate: string;
  toDate: string;
}

/** Link with its scans in the range. */
export interface RankedLink {
  id: string;
  shortCode: string;
  title: string | null;
  scans: number;
}

/** Values of a dimension with the most scans. */
export interface ReportBreakdown {
  dimension: ReportDimension;
  items: { value: string; scans: number }[];
}

/** Everything that the page of a report shows, except its title. */
export interface ReportData extends Days {
  total: number;
  /** Number of days of the range that have begun. */
  dayCount: number;
  /** Day with the most scans. Null without scans. */
  best: Point | null;
  interval: "day" | "week";
  points: Point[];
  /** Links with the most scans, in descending order. */
  links: RankedLink[];
  linkCount: number;
  /** Null if there are too many counts to read, or they are kept only for whole months. */
  breakdowns: ReportBreakdown[] | null;
  /** Days of the breakdowns, if they don't cover the whole range. */
  breakdownDays: Days | null;
}
