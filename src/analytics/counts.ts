// Pure: no I/O, clock or randomness.
import type { Dimension } from "../scans/dimensions.ts";
import type { TrafficClass } from "../scans/traffic.ts";
import type { Range, Tally } from "./buckets.ts";
import type { VisitorCount } from "./visitor-count.ts";

/** Number of scans with one value of a dimension. `value` is empty if the scans have none. */
export interface ValueCount {
  value: string;
  scans: number;
  /** Missing if visitors aren't counted for the filter. */
  visitors?: VisitorCount;
}

/** Result of a breakdown. */
export interface Ranking {
  items: ValueCount[];
  /** Visitors of all values together. Missing if they aren't counted for the filter. */
  visitors?: VisitorCount;
}

/**
 * Filter of a query. The range consists of whole quarters of an hour, and of whole UTC days unless the query
 * has a time zone.
 */
export interface ScanFilter extends Range {
  /** Id of a link, or null for all links. */
  linkId: string | null;
  /** Label that the links must have now, or null for any links. */
  label: string | null;
  /** True if the range consists of days in a time zone other than UTC. */
  isLocal: boolean;
  /** Traffic class, or null for all classes. */
  traffic: TrafficClass | null;
  /** Values that a scan must have, by dimension. An empty value selects scans without one. */
  values: ReadonlyMap<Dimension, string>;
  /** True if visitors are counted too. Only people are visitors. */
  hasVisitors?: boolean;
}

/** Interval that scans are counted in. */
export type CountInterval = "quarter" | "hour" | "day";

/**
 * Engine that counts the scans of a workspace or the visits of a bio page. The implementations are the
 * roll-ups and Analytics Engine.
 */
export interface ScanCounts {
  /** True if numbers of scans are estimates. */
  isSampled?: boolean;
  /** Returns the intervals that have scans, in any order. An interval may occur more than once. */
  byTime(interval: CountInterval, filter: ScanFilter): Promise<Tally[]>;
  /**
   * Returns the `limit` values with the most scans, in descending order of scans. Equal counts are sorted by
   * value.
   */
  byValue(dimension: Dimension, limit: number, filter: ScanFilter): Promise<Ranking>;
}
