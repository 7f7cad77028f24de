import { and, eq } from "drizzle-orm";
import { createNotFoundError, createValidationError } from "../core/error.ts";
import { formatCount } from "../core/format-count.ts";
import { isUuid } from "../core/id.ts";
import { joinInOrder } from "../core/join-in-order.ts";
import { logError } from "../core/log.ts";
import { DAY_MS } from "../core/time.ts";
import { findLinkNames } from "../links/link-names.ts";
import { linkLabels } from "../links/links.table.ts";
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
import { createAnalyticsEngine, isQueryable } from "./engine.ts";
import { FILTER_DIMENSIONS } from "./filters.schema.ts";
import { LABELLED_LINKS_MAX } from "./month-rows.ts";
import { createWorkspaceRollups } from "./rollups.ts";
import { fillLocalPoints, findZone, toUtcRange, UTC_CLOCK, type ZoneClock } from "./time-zone.ts";

const DEFAULT_DAYS = 30;
const POINTS_MAX = 10_000;
/** Retention of Analytics Engine, in calendar months. */
const ENGINE_MONTHS = 3;

/** Query with parsed parameters. */
export interface ParsedQuery {
  filter: ScanFilter;
  /** Days of the range as local dates in the query's time zone. */
  days: Range;
  /** Clock of the query's time zone, or null for UTC. */
  clock: ZoneClock | null;
}

/** Runs a query on Analytics Engine or on the roll-ups, depending on the filter. */
type Count = <Result>(filter: ScanFilter, query: (counts: ScanCounts) => Promise<Result>) => Promise<Result>;

/** Returns the scans over time. Throws `VALIDATION_ERROR`, `RESOURCE_NOT_FOUND`. */
export async function readTimeseries(tenant: Tenant, query: TimeseriesQuery): Promise<Timeseries> {
  const parsed = parseQuery(tenant.nowMs, query, "human");
  const points = await readForLinks(tenant, parsed, query, () =>
    readPoints(createCount(tenant), parsed, query.interval),
  );
  return { interval: query.interval, points };
}

/** Returns the values of a dimension with the most scans. Throws `VALIDATION_ERROR`, `RESOURCE_NOT_FOUND`. */
export async function readBreakdown(tenant: Tenant, query: BreakdownQuery): Promise<Breakdown> {
  const { by, limit } = query;
  const parsed = parseQuery(tenant.nowMs, query, by === "traffic" ? "all" : "human");
  const items = await readForLinks(tenant, parsed, query, () =>
    readItems(createCount(tenant), parsed, by, limit),
  );
  if (by !== "link") return { by, items };
  const names = await findLinkNames(
    tenant,
    items.map(({ value }) => value),
  );
  const unknown = { short_code: null, title: null, destination: null };
  return { by, items: items.map((item) => ({ ...item, ...(names.get(item.value) ?? unknown) })) };
}

/**
 * Reads counts of one link, of the links with a label or of all links. Checks at the same time that the link
 * exists in the workspace, or that the label has few links. Throws `RESOURCE_NOT_FOUND`, `VALIDATION_ERROR`.
 */
async function readForLinks<Result>(
  tenant: Tenant,
  { filter }: ParsedQuery,
  { link_id: linkId, label }: Pick<TimeseriesQuery, "link_id" | "label">,
  read: () => Promise<Result>,
): Promise<Result> {
  if (label !== undefined) filter.label = label;
  if (linkId === undefined && label === undefined) return read();
  if (linkId === undefined) {
    const [, counts] = await joinInOrder(requireFewLinks(tenant, label ?? ""), read());
    return counts;
  }
  // The id becomes part of an Analytics Engine query, so only UUIDs may pass.
  if (!isUuid(linkId)) throw createNotFoundError("link");
  filter.linkId = linkId;
  const [, counts] = await joinInOrder(getLink(tenant, linkId), read());
  return counts;
}

/** Throws `VALIDATION_ERROR` if a label has more than {@link LABELLED_LINKS_MAX} links. */
async function requireFewLinks({ db, workspace }: Tenant, label: string): Promise<void> {
  const isLabelled = and(eq(linkLabels.workspaceId, workspace.id), eq(linkLabels.label, label));
  const found = await db
    .select({ linkId: linkLabels.linkId })
    .from(linkLabels)
    .where(isLabelled)
    .limit(1)
    .offset(LABELLED_LINKS_MAX);
  if (found.length === 0) return;
  const message = `has more than ${formatCount(LABELLED_LINKS_MAX, "link")}, the maximum that analytics add up`;
  throw createValidationError({ field: "label", message });
}

export async function readPoints(
  count: Count,
  { filter, days, clock }: ParsedQuery,
  interval: Interval,
): Promise<Point[]> {
  if (countBuckets(interval, days) > POINTS_MAX) {
    throw createValidationError({
      field: "interval",
      message: `must divide the range into at most ${POINTS_MAX} points`,
    });
  }
  if (clock !== null) {
    const tallies = await count(filter, (counts) => counts.byTime("quarter", filter));
    return fillLocalPoints(clock, interval, days, tallies);
  }
  const step = interval === "hour" ? "hour" : "day";
  return fillPoints(interval, days, await count(filter, (counts) => counts.byTime(step, filter)));
}

/** Returns the items of a breakdown, with the public names for missing values. Throws `VALIDATION_ERROR`. */
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

/** Parses the shared parameters. Throws `VALIDATION_ERROR`. */
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
      label: null,
      traffic: traffic === "all" ? null : traffic,
      values: new Map(values),
    },
    days,
    clock: isUtc ? null : clock,
  };
}

/**
 * Returns a function that runs a query on Analytics Engine if that is configured and still keeps the whole
 * range. Otherwise, or if Analytics Engine fails, the function runs the query on the roll-ups.
 */
function createCount(tenant: Tenant): Count {
  const { analyticsSql } = tenant.settings;
  return async (filter, query) => {
    if (analyticsSql !== null && filter.fromMs >= getEngineStartMs(tenant.nowMs) && isQueryable(filter)) {
      try {
        return await query(createAnalyticsEngine(analyticsSql, tenant.workspace.id));
      } catch (error) {
        logError("Analytics Engine failed, so the roll-ups answer the query", error);
      }
    }
    return query(createWorkspaceRollups(tenant, tenant.workspace.id));
  };
}

/**
 * Returns the first time that Analytics Engine is sure to keep. If that month doesn't have the day, the date
 * rolls over into the next month. That is safe: a start that is too late only sends more queries to the
 * roll-ups, but a start that is too early would lose scans.
 */
function getEngineStartMs(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ENGINE_MONTHS, now.getUTCDate() + 1);
}
