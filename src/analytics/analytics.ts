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
import type { Ranking, ScanCounts, ScanFilter } from "./counts.ts";
import { createAnalyticsEngine, isQueryable } from "./engine.ts";
import { addRollupVisitors } from "./engine-visitors.ts";
import { FILTER_DIMENSIONS } from "./filters.schema.ts";
import { LABELLED_LINKS_MAX } from "./month-rows.ts";
import { createWorkspaceRollups } from "./rollups.ts";
import { fillLocalPoints, findZone, toUtcRange, UTC_CLOCK, type ZoneClock } from "./time-zone.ts";
import { addVisitors, NO_VISITORS, type VisitorCount } from "./visitor-count.ts";

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
  const { interval } = query;
  const parsed = parseQuery(tenant.nowMs, query, "human");
  // Visitors of an hour would depend on the other hours of their day.
  parsed.filter.hasVisitors &&= interval !== "hour";
  const { points, isSampled } = await readForLinks(tenant, parsed, query, () =>
    readPoints(createCount(tenant), parsed, interval),
  );
  const counted = points.flatMap(({ visitors }) => visitors ?? []);
  const isCounted = parsed.filter.hasVisitors === true && (counted.length > 0 || !isSampled);
  return {
    interval,
    points: points.map(({ date, scans, visitors }) => ({
      date,
      scans,
      ...formatVisitors("visitors", visitors ?? (isCounted ? NO_VISITORS : undefined), isSampled),
    })),
    ...formatVisitors("total_visitors", isCounted ? counted.reduce(addVisitors, NO_VISITORS) : undefined),
    ...formatKinds(isSampled),
  };
}

/**
 * Returns a number of visitors as a field of a response. The field is null if visitors aren't counted for the
 * query. `estimated` is true if this number, or the number of scans beside it, is an estimate.
 */
function formatVisitors<Name extends string>(
  name: Name,
  visitors: VisitorCount | undefined,
  isSampled = false,
): Record<Name, number | null> & { estimated?: true } {
  const field = { [name]: visitors?.count ?? null } as Record<Name, number | null>;
  if (visitors?.isEstimated || isSampled) return { ...field, estimated: true as const };
  return field;
}

/** Returns the fields of a response that say how its numbers were counted. */
function formatKinds(isSampled: boolean): { visitors_are: "daily"; scans_are: "exact" | "sampled" } {
  return { visitors_are: "daily", scans_are: isSampled ? "sampled" : "exact" };
}

/** Returns the values of a dimension with the most scans. Throws `VALIDATION_ERROR`, `RESOURCE_NOT_FOUND`. */
export async function readBreakdown(tenant: Tenant, query: BreakdownQuery): Promise<Breakdown> {
  const { by, limit } = query;
  const parsed = parseQuery(tenant.nowMs, query, by === "traffic" ? "all" : "human");
  const ranking = await readForLinks(tenant, parsed, query, () =>
    readRanking(createCount(tenant), parsed, by, limit),
  );
  const { isSampled } = ranking;
  const items = ranking.items.map(({ value, scans, visitors }) => ({
    value,
    scans,
    ...formatVisitors("visitors", visitors, isSampled),
  }));
  const kinds = { ...formatVisitors("total_visitors", ranking.visitors), ...formatKinds(isSampled) };
  if (by !== "link") return { by, items, ...kinds };
  const names = await findLinkNames(
    tenant,
    items.map(({ value }) => value),
  );
  const unknown = { short_code: null, title: null, destination: null };
  return { by, items: items.map((item) => ({ ...item, ...(names.get(item.value) ?? unknown) })), ...kinds };
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

/** Result of a query. `isSampled` is true if the numbers of scans are estimates. */
type Sampled<Result> = Result & { isSampled: boolean };

/** Returns the scans over time. Throws `VALIDATION_ERROR`. */
export async function readPoints(
  count: Count,
  { filter, days, clock }: ParsedQuery,
  interval: Interval,
): Promise<Sampled<{ points: Point[] }>> {
  if (countBuckets(interval, days) > POINTS_MAX) {
    throw createValidationError({
      field: "interval",
      message: `must divide the range into at most ${POINTS_MAX} points`,
    });
  }
  const wholeSteps = interval === "hour" ? "hour" : "day";
  const step = clock === null ? wholeSteps : "quarter";
  const { tallies, isSampled } = await count(filter, async (counts) => ({
    tallies: await counts.byTime(step, filter),
    isSampled: counts.isSampled ?? false,
  }));
  const points =
    clock === null ? fillPoints(interval, days, tallies) : fillLocalPoints(clock, interval, days, tallies);
  return { points, isSampled };
}

/** Returns the items of a breakdown, with the public names for missing values. Throws `VALIDATION_ERROR`. */
export async function readRanking(
  count: Count,
  { filter }: ParsedQuery,
  by: Dimension,
  limit: number,
): Promise<Sampled<Ranking>> {
  const ranking = await count(filter, async (counts) => ({
    ...(await counts.byValue(by, limit, filter)),
    isSampled: counts.isSampled ?? false,
  }));
  const missing = WITHOUT_VALUE[by] ?? "unknown";
  // Visitors that links of a label share are added up by value, but not in the total.
  const total = ranking.visitors?.count ?? Number.POSITIVE_INFINITY;
  const items = ranking.items.map(({ value, visitors, ...item }) => ({
    ...item,
    value: value || missing,
    ...(visitors && { visitors: { ...visitors, count: Math.min(visitors.count, total) } }),
  }));
  return { ...ranking, items };
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
      hasVisitors: traffic === "human",
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
    const rollups = createWorkspaceRollups(tenant, tenant.workspace.id);
    if (analyticsSql !== null && filter.fromMs >= getEngineStartMs(tenant.nowMs) && isQueryable(filter)) {
      try {
        const engine = createAnalyticsEngine(analyticsSql, tenant.workspace.id);
        return await query(addRollupVisitors(engine, rollups));
      } catch (error) {
        logError("Analytics Engine failed, so the roll-ups answer the query", error);
      }
    }
    return query(rollups);
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
