import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { api, asFault, callApi, type Schemas } from "../data/calls.ts";
import { type ShownResource, useResource } from "../data/resources.ts";
import { VALUES_MAX } from "../data/service-limits.ts";
import type { ScanFilters } from "./scan-filters.ts";
import { type ScanSeries, splitPoints, toSeriesQuery } from "./scan-series.ts";
import { findDay, isLocalBreakdown, type ShownRange, toBreakdownDays } from "./shown-range.ts";
import type { Dimension } from "./value-names.ts";

/** Scans as the API counts them. */

/** Subject of a report: a range, filters, and one link or all. */
export interface ReportSubject {
  range: ShownRange;
  filters: ScanFilters;
  /** Undefined for all links. */
  linkId?: string | undefined;
}

/** Resource that shows its last value while that of another key is read. */
export interface KeptResource<Value> extends ShownResource<Value> {
  /** True while the value is of another key. */
  isStale: boolean;
}

export type BreakdownItemData = Schemas["Breakdown"]["items"][number];

/** Breakdown, with whether its days are those of UTC although the report has others. */
export interface ReadBreakdown {
  items: readonly BreakdownItemData[];
  isUtc: boolean;
}

/** Dimensions whose totals are kept by day for ever. */
const EXACT: readonly Dimension[] = ["link", "traffic"];

/** Number of the last refresh. Reports are read again when it changes. */
const refreshes = signal(0);
let refreshedAtMs = Date.now();

/** Reads all reports again that are shown. */
export function refreshReports(): void {
  refreshedAtMs = Date.now();
  refreshes.value += 1;
}

const REFRESH_PAUSE_MS = 10_000;

/** Reads reports again when somebody comes back to the page after a while. */
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

/** Reads a resource as `useResource` does, shows the former value meanwhile, and reads it again with all reports. */
export function useKeptResource<Value>(key: string, load: () => Promise<Value>): KeptResource<Value> {
  const resource = useResource(key, load);
  const kept = useRef<Value | undefined>(undefined);
  const isFirst = useRef(true);
  const refresh = refreshes.value;
  useEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else resource.reload();
  }, [refresh]);
  if (resource.value !== undefined) kept.current = resource.value;
  const isStale = resource.value === undefined && kept.current !== undefined;
  return { ...resource, value: resource.value ?? kept.current, isStale };
}

/** Reads the scans of a range, and of the one before. */
export function useScanSeries({ range, filters, linkId }: ReportSubject): KeptResource<ScanSeries> {
  const query = { ...toSeriesQuery(range), ...toFilterQuery(filters, linkId) };
  const key = `scans?${JSON.stringify([query, range.interval, range.preset])}`;
  return useKeptResource(key, async () => {
    const { data } = await readInZone(query, (query) =>
      callApi(api.GET("/v1/analytics/timeseries", { params: { query } })),
    );
    return splitPoints(data.points, range, Date.now());
  });
}

/** Reads the values of a dimension, in the time zone of the report if that reaches back so far. */
export function useBreakdown(by: Dimension, subject: ReportSubject): KeptResource<ReadBreakdown> {
  const { range, filters, linkId } = subject;
  const today = findDay(Date.now(), range.zone);
  const isLocal = range.zone !== "UTC" && isLocalBreakdown(range.days, today);
  const days = toBreakdownDays(range.days, today, EXACT.includes(by));
  // The classes are shown beside each other, also when the rest of the report is about one of them.
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

/** Parameters of the API that filters become. It has the last word about values from the address. */
interface FilterQuery {
  link_id?: string;
  traffic?: Exclude<ScanFilters["traffic"], "human">;
  device?: "mobile";
  os?: "ios";
  browser?: "chrome";
}

function toFilterQuery({ traffic, values }: ScanFilters, linkId: string | undefined): FilterQuery {
  return {
    ...(linkId !== undefined && { link_id: linkId }),
    ...(traffic !== "human" && { traffic }),
    ...(values as Pick<FilterQuery, "device" | "os" | "browser">),
  };
}

/** Reads in a time zone, or in UTC where that is refused: of an unknown zone, or of too many scans to look through. */
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
