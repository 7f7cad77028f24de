import type { Dimension } from "../scans/dimensions.ts";
import type { TrafficClass } from "../scans/traffic.ts";
import type { Range, Tally } from "./buckets.ts";

/** Number of scans with one value of a dimension. The value is empty if missing. */
export interface ValueCount {
  value: string;
  scans: number;
}

/** Scans of a query. The range is of whole quarters of an hour; of whole UTC days unless the query has a time zone. */
export interface ScanFilter extends Range {
  /** Id of a link, or null for all. */
  linkId: string | null;
  /** True if the days are those of a time zone other than UTC. */
  isLocal: boolean;
  /** Null for all classes. */
  traffic: TrafficClass | null;
  /** Values that a scan must have, by dimension; empty for a missing value. */
  values: ReadonlyMap<Dimension, string>;
}

/** Length of the times that scans are counted by. */
export type Step = "quarter" | "hour" | "day";

/** Engine that counts the scans of a workspace or the visits of a bio page: the roll-ups or Analytics Engine. */
export interface ScanCounts {
  /** Returns the times that have scans, in no particular order. A time may occur more than once. */
  byTime(step: Step, filter: ScanFilter): Promise<Tally[]>;
  /** Returns the `limit` values with the most scans in descending order. Ties are in the order of their bytes. */
  byValue(dimension: Dimension, limit: number, filter: ScanFilter): Promise<ValueCount[]>;
}
