// Pure: no I/O, clock or randomness.
import type { Dimension } from "../scans/dimensions.ts";

/**
 * Identifies a series of counts: all scans of a workspace, the scans of one link, or the views or clicks of a
 * bio page. Both fields are hexadecimal digits; SQL stores them as bytes.
 */
export interface Series {
  /** Id of the workspace or bio page. */
  owner: string;
  /** Id of the link, or one of the items below. */
  item: string;
}

/** Series that a query adds up: a single one, or one per link with a label. */
export interface SeriesSet extends Series {
  /** If set, only links with this label are counted. `item` is the only link, or {@link WORKSPACE_SCANS}. */
  label?: { workspaceId: string; name: string } | undefined;
  /** If set, only these links are counted. */
  items?: readonly string[];
}

/** Items for a whole workspace or bio page. They are shorter than an id, so they can't collide with one. */
export const WORKSPACE_SCANS = "00";
export const PAGE_VIEWS = "01";
export const PAGE_CLICKS = "02";

/** Returns the 32 hexadecimal digits of a UUID. */
export function toHexId(uuid: string): string {
  return uuid.replaceAll("-", "");
}

/** Returns the UUID for 32 hexadecimal digits in upper or lower case. */
export function toUuid(hex: string): string {
  return hex.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/**
 * Dimensions of a fact, in the order in which its values are stored. Only append to this list. `link` is the
 * destination of a click on a bio page; it's empty for scans, because each link has its own series.
 */
export const FACT_DIMENSIONS = [
  "traffic",
  "country",
  "region",
  "device",
  "os",
  "browser",
  "referrer",
  "language",
  "rule",
  "link",
  "source",
  "utm_source",
  "utm_medium",
  "utm_campaign",
] as const satisfies readonly Dimension[];

/** Values in the order of {@link FACT_DIMENSIONS}, empty if missing. */
export type FactValues = readonly string[];

/** Index of the dimension `traffic` in {@link FactValues}. */
export const TRAFFIC_INDEX = 0;

/** Number of scans, views or clicks within one quarter of an hour that have the same values. */
export interface Fact {
  /**
   * Number of quarters of an hour since 1970-01-01 00:00 UTC. The UTC offset of every time zone is a multiple
   * of a quarter.
   */
  quarter: number;
  values: FactValues;
  count: number;
  /** Marks of the visitors who made the scans, one after the other. Missing if they are unknown. */
  visitors?: string;
}

/** Scans, views or clicks with equal values, as queue consumers pass them to the roll-ups. */
export interface Occurrences {
  /** UUID of the workspace or bio page. */
  owner: string;
  /** Items to count the occurrences for. */
  items: readonly string[];
  values: FactValues;
  timesMs: readonly number[];
  /** Visitor mark of each occurrence, empty if unknown. */
  visitors?: readonly string[];
}
