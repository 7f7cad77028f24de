// Pure: no I/O, clock or randomness.
import { TRAFFIC_CLASSES } from "../../scans/traffic.ts";
import type { QueryChanges } from "../address/query-state.ts";

/** Filters of a report, stored in the URL of the screen. */

/** Dimensions by which a report can be filtered, with their names in the API. */
export const FILTER_NAMES = [
  "country",
  "region",
  "device",
  "os",
  "browser",
  "referrer",
  "language",
  "rule",
  "source",
  "utm_source",
  "utm_medium",
  "utm_campaign",
] as const;

export type FilterName = (typeof FILTER_NAMES)[number];

/** Traffic classes. The first is the default. */
export const TRAFFIC_CHOICES = [...TRAFFIC_CLASSES, "all"] as const;

export type TrafficChoice = (typeof TRAFFIC_CHOICES)[number];

/** Filter values that scans must match. */
export interface ScanFilters {
  traffic: TrafficChoice;
  /** Label that the links must have. */
  label?: string | undefined;
  values: Partial<Record<FilterName, string>>;
}

/** Reads the filters from a query. */
export function readScanFilters(query: string): ScanFilters {
  const parameters = new URLSearchParams(query);
  const found = FILTER_NAMES.flatMap((name) => {
    const value = parameters.get(name)?.trim();
    return value ? [[name, value] as const] : [];
  });
  const traffic = parameters.get("traffic");
  const label = parameters.get("label")?.trim();
  return {
    traffic: TRAFFIC_CHOICES.find((choice) => choice === traffic) ?? TRAFFIC_CHOICES[0],
    ...(label && { label }),
    values: Object.fromEntries(found),
  };
}

/** Returns true if any filter is set. */
export function isFiltered(filters: ScanFilters): boolean {
  return hasValues(filters) || filters.traffic !== TRAFFIC_CHOICES[0] || filters.label !== undefined;
}

/**
 * Returns true if a value filter is set. Value filters only reach back a month. The traffic class and the label
 * don't limit the range.
 */
export function hasValues({ values }: ScanFilters): boolean {
  return Object.keys(values).length > 0;
}

/** Returns the query changes that remove all filters. */
export function clearFilters(): QueryChanges {
  return Object.fromEntries([...FILTER_NAMES, "traffic", "label"].map((name) => [name, null]));
}
