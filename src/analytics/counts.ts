import type { Dimension } from "./scan.ts";

/** Scans within one hour or day. */
export interface Tally {
  /** Start of the hour or day, in milliseconds. */
  startMs: number;
  scans: number;
}

/** Scans with one value of a dimension; the value is empty where it is not known. */
export interface ValueCount {
  value: string;
  scans: number;
}

/** Whose scans are asked for, and when they were. Whole UTC days. */
export interface ScanFilter {
  fromMs: number;
  /** Exclusive. */
  toMs: number;
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
