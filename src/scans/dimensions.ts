// Pure: no I/O, clock or randomness.
import type { ScanFacts } from "./scan-facts.ts";
import { toTrafficClass } from "./traffic.ts";
import { WITHOUT_UTM } from "./utm.ts";

/**
 * Dimensions of a breakdown with their numbers. A number identifies the dimension's blob in the dataset
 * `scans` and the dimension in the roll-ups. Never reuse a number for another dimension.
 */
export const DIMENSIONS = {
  link: 1,
  country: 2,
  region: 3,
  device: 4,
  os: 5,
  browser: 6,
  referrer: 7,
  language: 8,
  rule: 9,
  traffic: 10,
  source: 11,
  utm_source: 12,
  utm_medium: 13,
  utm_campaign: 14,
} as const;

export type Dimension = keyof typeof DIMENSIONS;

/**
 * Names for scans without a value, where the name isn't "unknown". Values that equal the name count as
 * missing, so that breakdowns never list a name twice.
 */
export const WITHOUT_VALUE: Readonly<Partial<Record<Dimension, string>>> = {
  referrer: "direct",
  rule: "default",
  traffic: "human",
  source: "link",
  utm_source: WITHOUT_UTM,
  utm_medium: WITHOUT_UTM,
  utm_campaign: WITHOUT_UTM,
};

/**
 * Returns a scan's values of all dimensions in the order of {@link DIMENSIONS}. Missing values are empty
 * strings.
 */
export function listValues(scan: ScanFacts): string[] {
  const { linkId, country, region, device, os, browser, referrer, language, rule, source, utm } = scan;
  const traffic = toTrafficClass(scan.traffic);
  // Written out, because each redirect lists its values.
  return [
    linkId,
    country ?? "",
    region ?? "",
    device ?? "",
    os ?? "",
    browser ?? "",
    referrer ?? "",
    language ?? "",
    rule ?? "",
    traffic === "human" ? "" : traffic,
    source ?? "",
    utm?.utm_source ?? "",
    utm?.utm_medium ?? "",
    utm?.utm_campaign ?? "",
  ];
}

/** Columns of the Analytics Engine dataset `scans`, besides its blobs. */
export const DATASET_COLUMNS = {
  /** Index column, by which Analytics Engine samples. */
  workspace: "index1",
  /** Time of the scan in Unix seconds. */
  scannedAt: "double1",
} as const;

/** Returns a dimension's column in the dataset `scans`. */
export function getDatasetColumn(dimension: Dimension): string {
  return `blob${DIMENSIONS[dimension]}`;
}

/** Converts a scan to a data point of the dataset `scans`. */
export function toDataPoint(scan: ScanFacts, scannedAtMs: number): AnalyticsEngineDataPoint {
  return {
    indexes: [scan.workspaceId],
    blobs: listValues(scan),
    doubles: [Math.floor(scannedAtMs / 1_000)],
  };
}
