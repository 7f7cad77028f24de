import { TRAFFIC_CLASSES } from "../../scans/traffic.ts";
import type { QueryChanges } from "../address/query-state.ts";

/** Filters of a report, in the address of the screen. */

/** Dimensions that a report can be filtered by, as the API names them. */
export const FILTER_NAMES = [
  "country",
  "region",
  "device",
  "os",
  "browser",
  "referrer",
  "language",
  "rule",
] as const;

export type FilterName = (typeof FILTER_NAMES)[number];

/** Classes of requests. The first is the default. */
export const TRAFFIC_CHOICES = [...TRAFFIC_CLASSES, "all"] as const;

export type TrafficChoice = (typeof TRAFFIC_CHOICES)[number];

/** Values that scans must have. */
export interface ScanFilters {
  traffic: TrafficChoice;
  values: Partial<Record<FilterName, string>>;
}

/** Reads the filters in the query of an address. */
export function readScanFilters(query: string): ScanFilters {
  const parameters = new URLSearchParams(query);
  const found = FILTER_NAMES.flatMap((name) => {
    const value = parameters.get(name)?.trim();
    return value ? [[name, value] as const] : [];
  });
  const traffic = parameters.get("traffic");
  return {
    traffic: TRAFFIC_CHOICES.find((choice) => choice === traffic) ?? TRAFFIC_CHOICES[0],
    values: Object.fromEntries(found),
  };
}

/** Returns true if a value is asked for. These filters look back a month; a class of requests does not limit the range. */
export function hasValues({ values }: ScanFilters): boolean {
  return Object.keys(values).length > 0;
}

/** Returns the changes of the address that take all filters away. */
export function clearFilters(): QueryChanges {
  return Object.fromEntries([...FILTER_NAMES, "traffic"].map((name) => [name, null]));
}
