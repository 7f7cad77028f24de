import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, asFault, callApi, type Schemas } from "../data/calls.ts";
import { type ShownResource, useResource } from "../data/resources.ts";
import { VALUES_MAX } from "../data/service-limits.ts";
import type { ScanFilters } from "./scan-filters.ts";
import { type CountedSeries, splitPoints, toSeriesQuery } from "./scan-series.ts";
import { findDay, isLocalBreakdown, type ShownRange, toBreakdownDays } from "./shown-range.ts";
import type { Dimension } from "./value-names.ts";

/** Loads scan counts from the API. */

/** Subject of a report: a range, filters, and one link or all links. */
export interface ReportSubject {
  range: ShownRange;
  filters: ScanFilters;
  /** Undefined for all links. */
  linkId?: string | undefined;
}

export type BreakdownItemData = Schemas["Breakdown"]["items"][number];

/** Values of a breakdown. `isUtc` is true if they cover UTC days, unlike the rest of the report. */
export interface ReadBreakdown {
  items: readonly BreakdownItemData[];
  isUtc: boolean;
}

/** Dimensions with daily totals that are kept forever. */
const EXACT: readonly Dimension[] = ["link", "traffic"];

/** Number of refreshes so far. Reports are loaded again when this number changes. */
const refreshes = signal(0);
let refreshedAtMs = Date.now();

/** Reloads all visible reports. */
export function refreshReports(): void {
  refreshedAtMs = Date.now();
  refreshes.value += 1;
}

const REFRESH_PAUSE_MS = 10_000;

/** Reloads reports when the user returns to the page after a while. */
export function useRefreshOnReturn(): void {
  useEffect(() => {
    const handle = () => {
      const isDue = Date.now() - refreshedAtMs > REFRESH_PAUSE_MS;
      if (document.visibilityState === "visible" && isDue) refreshReports();
    };
    document.addEventListener("visibilitychange", handle);
    return () => document.removeEventListener("visibilitychange", handle);
  }, []);
}

/** Like `useResource`, but keeps the previous value while loading, and reloads when reports are refreshed. */
export function useKeptResource<Value>(key: string, load: () => Promise<Value>): ShownResource<Value> {
  return useResource(key, load, { isKept: true, revision: refreshes.value });
}

/** Loads the scans of a range and of the previous period. */
export function useScanSeries({ range, filters, linkId }: ReportSubject): ShownResource<CountedSeries> {
  const query = { ...toSeriesQuery(range), ...toFilterQuery(filters, linkId) };
  const key = `scans?${JSON.stringify([query, range.interval, range.preset])}`;
  return useKeptResource(key, async () => {
    const { data } = await readInZone(query, (query) =>
      callApi(api.GET("/v1/analytics/timeseries", { params: { query } })),
    );
    const points = data.points.map(({ visitors, estimated = false, ...point }) =>
      visitors === null ? point : { ...point, visitors: { count: visitors, isEstimated: estimated } },
    );
    return { ...splitPoints(points, range, Date.now()), isSampled: data.scans_are === "sampled" };
  });
}

/** Loads the values of a dimension, in the report's time zone if the API supports it for this range. */
export function useBreakdown(by: Dimension, subject: ReportSubject): ShownResource<ReadBreakdown> {
  const { range, filters, linkId } = subject;
  const today = findDay(Date.now(), range.zone);
  const isLocal = range.zone !== "UTC" && isLocalBreakdown(range.days, today);
  const days = toBreakdownDays(range.days, today, EXACT.includes(by));
  // Traffic classes are listed side by side, even if the rest of the report is filtered by one of them.
  const { traffic, ...others } = toFilterQuery(filters, linkId);
  const query = {
    by,
    from_date: days.from,
    to_date: days.to,
    limit: VALUES_MAX,
    ...(isLocal && { time_zone: range.zone }),
    ...others,
    ...(by !== "traffic" && traffic && { traffic }),
  };
  return useKeptResource(`breakdown?${JSON.stringify(query)}`, async () => {
    const { data, isUtc } = await readInZone(query, async (query) => {
      const { data } = await callApi(api.GET("/v1/analytics/breakdown", { params: { query } }));
      return { data, isUtc: query.time_zone === undefined && range.zone !== "UTC" };
    });
    return { items: data.items, isUtc };
  });
}

/** Filters as query parameters of the API, which validates the values from the URL. */
interface FilterQuery {
  link_id?: string;
  label?: string;
  traffic?: Exclude<ScanFilters["traffic"], "human">;
  device?: "mobile";
  os?: "ios";
  browser?: "chrome";
  source?: "qr";
}

function toFilterQuery({ traffic, label, values }: ScanFilters, linkId: string | undefined): FilterQuery {
  return {
    ...(linkId !== undefined && { link_id: linkId }),
    ...(label !== undefined && linkId === undefined && { label }),
    ...(traffic !== "human" && { traffic }),
    ...(values as Pick<FilterQuery, "device" | "os" | "browser" | "source">),
  };
}

/**
 * Loads data in a time zone. Falls back to UTC if the API rejects the zone, because the zone is unknown or
 * there are too many scans.
 */
async function readInZone<Query extends { time_zone?: string }, Result>(
  query: Query,
  read: (query: Query) => Promise<Result>,
): Promise<Result> {
  try {
    return await read(query);
  } catch (thrown) {
    if (query.time_zone === undefined || asFault(thrown).fields.time_zone === undefined) throw thrown;
    const { time_zone: _, ...rest } = query;
    return read(rest as Query);
  }
}
