import type { Dimension } from "../scans/dimensions.ts";
import type { Range, Tally } from "./buckets.ts";

/** Number of scans with one value of a dimension. The value is empty if unknown. */
export interface ValueCount {
  value: string;
  scans: number;
}

/** Days and series of a query. */
export interface ScanFilter extends Range {
  /** Id of a link, or null for the whole workspace. */
  linkId: string | null;
}

/** Engine that counts the scans of a workspace: the roll-ups or Analytics Engine. */
export interface ScanCounts {
  /** Returns the hours or days that have scans, in no particular order. */
  byTime(step: "hour" | "day", filter: ScanFilter): Promise<Tally[]>;
  /** Returns the `limit` values with the most scans in descending order. Ties are in the order of their bytes. */
  byValue(dimension: Dimension, limit: number, filter: ScanFilter): Promise<ValueCount[]>;
}
