import type { Dimension } from "../scans/scan.ts";
import type { Range, Tally } from "./buckets.ts";

/** Scans with one value of a dimension; the value is empty where it is not known. */
export interface ValueCount {
  value: string;
  scans: number;
}

/** Whose scans are asked for, and on which days. */
export interface ScanFilter extends Range {
  /** Null: those of the whole workspace. */
  linkId: string | null;
}

/** What counts the scans of a workspace: the roll-ups, or Analytics Engine. */
export interface ScanCounts {
  /** The hours or days that have scans, in no certain order. */
  byTime(step: "hour" | "day", filter: ScanFilter): Promise<Tally[]>;
  /** The `limit` values with most scans, most first; equal ones in the order of their bytes. */
  byValue(dimension: Dimension, limit: number, filter: ScanFilter): Promise<ValueCount[]>;
}
