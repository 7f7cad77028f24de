import { invalid } from "../core/error.ts";
import { DAY_MS } from "../core/time.ts";
import { getLink } from "../links/links.ts";
import { WITHOUT_VALUE } from "../scans/scan.ts";
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
/** How many calendar months Analytics Engine keeps. */
const ENGINE_MONTHS = 3;

/** Scans over time (contract section 4.6). Errors: `VALIDATION_ERROR`, `RESOURCE_NOT_FOUND`. */
export async function readTimeseries(tenant: Tenant, query: TimeseriesQuery): Promise<Timeseries> {
  const { interval } = query;
  const range = parseDays(tenant, query);
  if (countBuckets(interval, range) > POINTS_MAX) {
    throw invalid({
      field: "interval",
      message: `must give at most ${POINTS_MAX} points between from_date and to_date`,
    });
  }
  const filter = await buildFilter(tenant, range, query);
  const step = interval === "hour" ? "hour" : "day";
  const tallies = await countScans(tenant, range, (counts) => counts.byTime(step, filter));
  return { interval, points: fillPoints(interval, range, tallies) };
}

/** The values of a dimension with most scans. Errors: `VALIDATION_ERROR`, `RESOURCE_NOT_FOUND`. */
export async function readBreakdown(tenant: Tenant, query: BreakdownQuery): Promise<Breakdown> {
  const { by, limit } = query;
  const range = parseDays(tenant, query);
  const filter = await buildFilter(tenant, range, query);
  const items = await countScans(tenant, range, (counts) => counts.byValue(by, limit, filter));
  const without = WITHOUT_VALUE[by] ?? "unknown";
  return { by, items: items.map(({ value, scans }) => ({ value: value || without, scans })) };
}

/** The days asked for, both ends included; by default from 30 days ago to today. */
function parseDays({ nowMs }: Tenant, { from_date, to_date }: RangeQuery): Range {
  const range = parseRange(
    from_date ?? formatDay(nowMs - DEFAULT_DAYS * DAY_MS),
    to_date ?? formatDay(nowMs),
  );
  if (range.fromMs >= range.toMs) {
    throw invalid({ field: "from_date", message: "must not be after to_date" });
  }
  return range;
}

async function buildFilter(tenant: Tenant, range: Range, { link_id }: RangeQuery): Promise<ScanFilter> {
  if (link_id === undefined) return { ...range, linkId: null };
  const link = await getLink(tenant, link_id);
  return { ...range, linkId: link.id };
}

/**
 * The choice between the engines: Analytics Engine if it is configured and still has the whole range; else, and if it
 * fails, the roll-ups.
 */
async function countScans<Result>(
  tenant: Tenant,
  range: Range,
  ask: (counts: ScanCounts) => Promise<Result>,
): Promise<Result> {
  const { analyticsSql } = tenant.settings;
  if (analyticsSql !== null && range.fromMs >= engineKeepsFromMs(tenant.nowMs)) {
    try {
      return await ask(analyticsEngine(analyticsSql, tenant.workspace.id));
    } catch (error) {
      const reason = String(error).replaceAll(analyticsSql.token, "[token]");
      console.error(`Analytics Engine did not answer, the roll-ups do: ${reason}`);
    }
  }
  return ask(rollups(tenant));
}

/** In a month that lacks the day (30 February) the next is taken: a day too late is not wrong, one too early is. */
function engineKeepsFromMs(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ENGINE_MONTHS, now.getUTCDate() + 1);
}
