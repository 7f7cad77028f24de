import { createValidationError } from "../core/error.ts";
import { logError } from "../core/log.ts";
import { DAY_MS } from "../core/time.ts";
import { getLink } from "../links/links.ts";
import { WITHOUT_VALUE } from "../scans/dimensions.ts";
import type { Tenant } from "../tenant/tenant.ts";
import type {
  Breakdown,
  BreakdownQuery,
  RangeQuery,
  Timeseries,
  TimeseriesQuery,
} from "./analytics.schema.ts";
import { countBuckets, fillPoints, formatDay, parseRange, type Range } from "./buckets.ts";
import type { ScanCounts, ScanFilter } from "./counts.ts";
import { analyticsEngine } from "./engine.ts";
import { rollups } from "./rollups.ts";

const DEFAULT_DAYS = 30;
const POINTS_MAX = 10_000;
/** Retention of Analytics Engine in calendar months. */
const ENGINE_MONTHS = 3;

/** Returns the scans over time. Throws `VALIDATION_ERROR`, `RESOURCE_NOT_FOUND`. */
export async function readTimeseries(tenant: Tenant, query: TimeseriesQuery): Promise<Timeseries> {
  const { interval } = query;
  const range = parseDays(tenant, query);
  if (countBuckets(interval, range) > POINTS_MAX) {
    throw createValidationError({
      field: "interval",
      message: `must give at most ${POINTS_MAX} points between from_date and to_date`,
    });
  }
  const filter = await buildFilter(tenant, range, query);
  const step = interval === "hour" ? "hour" : "day";
  const tallies = await countScans(tenant, range, (counts) => counts.byTime(step, filter));
  return { interval, points: fillPoints(interval, range, tallies) };
}

/** Returns the values of a dimension with the most scans. Throws `VALIDATION_ERROR`, `RESOURCE_NOT_FOUND`. */
export async function readBreakdown(tenant: Tenant, query: BreakdownQuery): Promise<Breakdown> {
  const { by, limit } = query;
  const range = parseDays(tenant, query);
  const filter = await buildFilter(tenant, range, query);
  const items = await countScans(tenant, range, (counts) => counts.byValue(by, limit, filter));
  const missing = WITHOUT_VALUE[by] ?? "unknown";
  return { by, items: items.map(({ value, scans }) => ({ value: value || missing, scans })) };
}

/** Returns the requested days, both ends included; by default from 30 days ago to today. */
function parseDays({ nowMs }: Tenant, { from_date, to_date }: RangeQuery): Range {
  const range = parseRange(
    from_date ?? formatDay(nowMs - DEFAULT_DAYS * DAY_MS),
    to_date ?? formatDay(nowMs),
  );
  if (range.fromMs >= range.toMs) {
    throw createValidationError({ field: "from_date", message: "must not be after to_date" });
  }
  return range;
}

async function buildFilter(tenant: Tenant, range: Range, { link_id }: RangeQuery): Promise<ScanFilter> {
  if (link_id === undefined) return { ...range, linkId: null };
  const link = await getLink(tenant, link_id);
  return { ...range, linkId: link.id };
}

/**
 * Runs a query on one of the two engines: on Analytics Engine if it is configured and still keeps the whole range, else,
 * or if that fails, on the roll-ups.
 */
async function countScans<Result>(
  tenant: Tenant,
  range: Range,
  query: (counts: ScanCounts) => Promise<Result>,
): Promise<Result> {
  const { analyticsSql } = tenant.settings;
  if (analyticsSql !== null && range.fromMs >= engineStartMs(tenant.nowMs)) {
    try {
      return await query(analyticsEngine(analyticsSql, tenant.workspace.id));
    } catch (error) {
      logError("Analytics Engine failed, so the roll-ups answer the query", error);
    }
  }
  return query(rollups(tenant));
}

/** Returns the start of the range that Analytics Engine keeps. A day that the month lacks rolls over: late is safe, early is not. */
function engineStartMs(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ENGINE_MONTHS, now.getUTCDate() + 1);
}
