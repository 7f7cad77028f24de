import type { Dimension } from "../scans/dimensions.ts";

/**
 * Series of counts: everything that belongs to a workspace, one of its links, or a bio page. Both parts are ids as
 * hexadecimal digits, which SQL stores as bytes.
 */
export interface Series {
  /** Id of the workspace or of the bio page. */
  owner: string;
  /** Id of the link, or one of the items below. */
  item: string;
}

/** Items that stand for something of the owner as a whole. They are shorter than an id. */
export const WORKSPACE_SCANS = "00";
export const PAGE_VIEWS = "01";
export const PAGE_CLICKS = "02";

/** Returns the 32 hexadecimal digits of a UUID. */
export function toHexId(uuid: string): string {
  return uuid.replaceAll("-", "");
}

/** Returns the UUID of 32 hexadecimal digits in either case. */
export function toUuid(hex: string): string {
  return hex.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/**
 * Dimensions of a fact in the order in which it is written. `link` is the destination of a click on a bio page; the
 * scans of a link are a series of their own.
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
] as const satisfies readonly Dimension[];

/** Values of {@link FACT_DIMENSIONS}, empty if missing. */
export type FactValues = readonly string[];

/** Index of the dimension `traffic` in {@link FactValues}. */
export const TRAFFIC_INDEX = 0;

/** Scans, views or clicks of a quarter of an hour that have all values in common. */
export interface Fact {
  /** Quarters of an hour since 1970-01-01 00:00 UTC. Every time zone is a whole number of them from UTC. */
  quarter: number;
  values: FactValues;
  count: number;
}

/** Occurrences with equal values, as a consumer of a queue hands them to the roll-ups. */
export interface Occurrences {
  /** UUID of the workspace or of the bio page. */
  owner: string;
  /** Items that the occurrences are counted at. */
  items: readonly string[];
  values: FactValues;
  timesMs: readonly number[];
}
