import { createNotFoundError, createValidationError } from "../core/error.ts";
import { isUuid } from "../core/id.ts";
import { joinInOrder } from "../core/join-in-order.ts";
import { logError } from "../core/log.ts";
import { DAY_MS } from "../core/time.ts";
import { findLinkNames } from "../links/link-names.ts";
import { getLink } from "../links/links.ts";
import { type Dimension, WITHOUT_VALUE } from "../scans/dimensions.ts";
import type { Tenant } from "../tenant/tenant.ts";
import type {
  Breakdown,
  BreakdownQuery,
  CommonQuery,
  Timeseries,
  TimeseriesQuery,
} from "./analytics.schema.ts";
import {
  countBuckets,
  fillPoints,
  formatDay,
  type Interval,
  type Point,
  parseRange,
  type Range,
} from "./buckets.ts";
import type { ScanCounts, ScanFilter, ValueCount } from "./counts.ts";
import { analyticsEngine, isQueryable } from "./engine.ts";
import { FILTER_DIMENSIONS } from "./filters.schema.ts";
import { workspaceRollups } from "./rollups.ts";
import { fillLocalPoints, findZone, toUtcRange, UTC_CLOCK, type ZoneClock } from "./time-zone.ts";

const DEFAULT_DAYS = 30;
const POINTS_MAX = 10_000;
/** Retention of Analytics Engine in calendar months. */
const ENGINE_MONTHS = 3;

/** Query whose parameters are parsed. */
export interface ParsedQuery {
  filter: ScanFilter;
  /** Days of the range, in the time zone of the query. */
  days: Range;
  /** Null for UTC. */
  clock: ZoneClock | null;
}

/** Runs a query on the engine that fits its filter. */
type Count = <Result>(filter: ScanFilter, query: (counts: ScanCounts) => Promise<Result>) => Promise<Result>;

/** Returns the scans over time. Throws `VALIDATION_ERROR`, `RESOURCE_NOT_FOUND`. */
export async function readTimeseries(tenant: Tenant, query: TimeseriesQuery): Promise<Timeseries> {
  const parsed = parseQuery(tenant.nowMs, query, "human");
  const points = await readOfLink(tenant, parsed, query.link_id, () =>
    readPoints(createCount(tenant), parsed, query.interval),
  );
  return { interval: query.interval, points };
}

/** Returns the values of a dimension with the most scans. Throws `VALIDATION_ERROR`, `RESOURCE_NOT_FOUND`. */
export async function readBreakdown(tenant: Tenant, query: BreakdownQuery): Promise<Breakdown> {
  const { by, limit } = query;
  const parsed = parseQuery(tenant.nowMs, query, by === "traffic" ? "all" : "human");
  const items = await readOfLink(tenant, parsed, query.link_id, () =>
    readItems(createCount(tenant), parsed, by, limit),
  );
  if (by !== "link") return { by, items };
  const names = await findLinkNames(
    tenant,
    items.map(({ value }) => value),
  );
  const unknown = { short_code: null, destination: null };
  return { by, items: items.map((item) => ({ ...item, ...(names.get(item.value) ?? unknown) })) };
}

/** Reads the counts of one link, while it looks whether the workspace has it, or those of all. Throws `RESOURCE_NOT_FOUND`. */
async function readOfLink<Result>(
  tenant: Tenant,
  { filter }: ParsedQuery,
  linkId: string | undefined,
  read: () => Promise<Result>,
): Promise<Result> {
  if (linkId === undefined) return read();
  // No query of another system may hold any other text.
  if (!isUuid(linkId)) throw createNotFoundError("link");
  filter.linkId = linkId;
  const [, counts] = await joinInOrder(getLink(tenant, linkId), read());
  return counts;
}

/** Returns the points of a timeseries. Throws `VALIDATION_ERROR`. */
export async function readPoints(
  count: Count,
  { filter, days, clock }: ParsedQuery,
  interval: Interval,
): Promise<Point[]> {
  if (countBuckets(interval, days) > POINTS_MAX) {
    throw createValidationError({
      field: "interval",
      message: `must give at most ${POINTS_MAX} points between from_date and to_date`,
    });
  }
  if (clock !== null) {
    const tallies = await count(filter, (counts) => counts.byTime("quarter", filter));
    return fillLocalPoints(clock, interval, days, tallies);
  }
  const step = interval === "hour" ? "hour" : "day";
  return fillPoints(interval, days, await count(filter, (counts) => counts.byTime(step, filter)));
}

/** Returns the items of a breakdown, with the public names of missing values. Throws `VALIDATION_ERROR`. */
export async function readItems(
  count: Count,
  { filter }: ParsedQuery,
  by: Dimension,
  limit: number,
): Promise<ValueCount[]> {
  const items = await count(filter, (counts) => counts.byValue(by, limit, filter));
  const missing = WITHOUT_VALUE[by] ?? "unknown";
  return items.map(({ value, scans }) => ({ value: value || missing, scans }));
}

/** Parses the parameters that all queries share. Throws `VALIDATION_ERROR`. */
export function parseQuery(nowMs: number, query: CommonQuery, defaultTraffic: "human" | "all"): ParsedQuery {
  const clock = query.time_zone === undefined ? null : findZone(query.time_zone);
  const isUtc = clock === null || clock === UTC_CLOCK;
  const today = nowMs + (isUtc ? 0 : clock.getOffsetMs(nowMs));
  const days = parseRange(
    query.from_date ?? formatDay(today - DEFAULT_DAYS * DAY_MS),
    query.to_date ?? formatDay(today),
  );
  if (days.fromMs >= days.toMs) {
    throw createValidationError({ field: "from_date", message: "must not be after to_date" });
  }
  const traffic = query.traffic ?? defaultTraffic;
  const values = FILTER_DIMENSIONS.flatMap((dimension): [Dimension, string][] => {
    const value = query[dimension];
    if (value === undefined) return [];
    return [[dimension, value === (WITHOUT_VALUE[dimension] ?? "unknown") ? "" : value]];
  });
  return {
    filter: {
      ...(isUtc ? days : toUtcRange(clock, days)),
      isLocal: !isUtc,
      linkId: null,
      traffic: traffic === "all" ? null : traffic,
      values: new Map(values),
    },
    days,
    clock: isUtc ? null : clock,
  };
}

/**
 * Returns the function that runs a query on one of the two engines: on Analytics Engine if it is configured and still
 * keeps the whole range, else, or if that fails, on the roll-ups.
 */
function createCount(tenant: Tenant): Count {
  const { analyticsSql } = tenant.settings;
  return async (filter, query) => {
    if (analyticsSql !== null && filter.fromMs >= engineStartMs(tenant.nowMs) && isQueryable(filter)) {
      try {
        return await query(analyticsEngine(analyticsSql, tenant.workspace.id));
      } catch (error) {
        logError("Analytics Engine failed, so the roll-ups answer the query", error);
      }
    }
    return query(workspaceRollups(tenant, tenant.workspace.id));
  };
}

/** Returns the start of the range that Analytics Engine keeps. A day that the month lacks rolls over: late is safe, early is not. */
function engineStartMs(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ENGINE_MONTHS, now.getUTCDate() + 1);
}
