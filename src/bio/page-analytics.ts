import type {
  PageBreakdown,
  PageBreakdownQuery,
  PageTimeseries,
  PageTimeseriesQuery,
} from "../analytics/analytics.schema.ts";
import { type ParsedQuery, parseQuery, readPoints, readRanking } from "../analytics/analytics.ts";
import { createSeriesRollups } from "../analytics/rollups.ts";
import { PAGE_CLICKS, PAGE_VIEWS, toHexId } from "../analytics/series.ts";
import { createValidationError } from "../core/error.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { getPage } from "./bio.ts";

/** Returns a page's views or clicks over time. Throws `VALIDATION_ERROR` or `RESOURCE_NOT_FOUND`. */
export async function readPageTimeseries(
  tenant: Tenant,
  pageId: string,
  query: PageTimeseriesQuery,
): Promise<PageTimeseries> {
  const { metric, interval } = query;
  const parsed = parsePageQuery(tenant.nowMs, query, "human");
  const counts = await openCounts(tenant, pageId, metric);
  const { points } = await readPoints((_, read) => read(counts), parsed, interval);
  return { metric, interval, points: points.map(({ date, scans }) => ({ date, count: scans })) };
}

/** Returns the top values of a dimension. Throws `VALIDATION_ERROR` or `RESOURCE_NOT_FOUND`. */
export async function readPageBreakdown(
  tenant: Tenant,
  pageId: string,
  query: PageBreakdownQuery,
): Promise<PageBreakdown> {
  const { metric, by, limit } = query;
  if (by === "link" && metric !== "clicks") {
    throw createValidationError({ field: "by", message: "must not be link unless metric is clicks" });
  }
  const parsed = parsePageQuery(tenant.nowMs, query, by === "traffic" ? "all" : "human");
  const counts = await openCounts(tenant, pageId, metric);
  const { items } = await readRanking((_, read) => read(counts), parsed, by, limit);
  return { metric, by, items: items.map(({ value, scans }) => ({ value, count: scans })) };
}

/** Parses a query. Visitors of pages aren't counted. */
function parsePageQuery(...args: Parameters<typeof parseQuery>): ParsedQuery {
  const parsed = parseQuery(...args);
  return { ...parsed, filter: { ...parsed.filter, hasVisitors: false } };
}

async function openCounts(tenant: Tenant, pageId: string, metric: "views" | "clicks") {
  const { id } = await getPage(tenant, pageId);
  return createSeriesRollups(tenant, {
    owner: toHexId(id),
    item: metric === "views" ? PAGE_VIEWS : PAGE_CLICKS,
  });
}
