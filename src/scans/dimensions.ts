import type { ScanFacts } from "./scan-facts.ts";
import { toTrafficClass } from "./traffic.ts";

/**
 * Dimensions of a breakdown. The number is that of the blob in the dataset `scans` and of the dimension in the roll-ups.
 * A number is never used again for another dimension.
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
} as const;

export type Dimension = keyof typeof DIMENSIONS;

/**
 * Names for scans without a value, where the name is not "unknown". A value of a visitor or an owner that equals the
 * name is counted as missing, so that no breakdown lists a name twice.
 */
export const WITHOUT_VALUE: Readonly<Partial<Record<Dimension, string>>> = {
  referrer: "direct",
  rule: "default",
  traffic: "human",
};

/** Returns the scan's value of every dimension in the order of {@link DIMENSIONS}; an empty string if it is missing. */
export function listValues(scan: ScanFacts): string[] {
  const { linkId, country, region, device, os, browser, referrer, language, rule } = scan;
  const traffic = toTrafficClass(scan.traffic);
  const values = [linkId, country, region, device, os, browser, referrer, language, rule];
  return [...values.map((value) => value ?? ""), traffic === WITHOUT_VALUE.traffic ? "" : traffic];
}

/** Columns of the Analytics Engine dataset `scans` beside its blobs. */
export const DATASET_COLUMNS = {
  /** Index column, which Analytics Engine samples by. */
  workspace: "index1",
  /** Time of the scan in Unix seconds. */
  scannedAt: "double1",
} as const;

/** Returns the column of a dimension in the dataset `scans`. */
export function datasetColumn(dimension: Dimension): string {
  return `blob${DIMENSIONS[dimension]}`;
}

/** Returns the scan as a data point of the dataset `scans`. */
export function toDataPoint(scan: ScanFacts, scannedAtMs: number): AnalyticsEngineDataPoint {
  return {
    indexes: [scan.workspaceId],
    blobs: listValues(scan),
    doubles: [Math.floor(scannedAtMs / 1_000)],
  };
}
