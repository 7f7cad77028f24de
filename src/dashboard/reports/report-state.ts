import { query } from "../address/address.ts";
import type { ReportSubject } from "./read-scans.ts";
import { hasValues, readScanFilters } from "./scan-filters.ts";
import { readRange } from "./shown-range.ts";

export const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

/** Reads the subject of a report from the URL. */
export function readSubject(linkId?: string): ReportSubject {
  const filters = readScanFilters(query.value);
  const options = { nowMs: Date.now(), zone: BROWSER_ZONE, isFiltered: hasValues(filters) };
  return { range: readRange(query.value, options), filters, linkId };
}

/** Returns a query parameter, or an empty string. */
export function readParameter(name: string): string {
  return new URLSearchParams(query.value).get(name) ?? "";
}
