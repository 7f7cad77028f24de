import { defineRoute, type Route } from "../http/operation.ts";
import { tenantFor } from "../http/request-tenant.ts";
import {
  breakdownQuery,
  breakdownResponse,
  timeseriesQuery,
  timeseriesResponse,
} from "./analytics.schema.ts";
import { readBreakdown, readTimeseries } from "./analytics.ts";

const inAnalytics = { tag: "Analytics", rateLimit: "B", method: "get", scope: "analytics:read" } as const;

const timeseries = defineRoute(
  {
    ...inAnalytics,
    id: "getTimeseries",
    summary: "Scans over time",
    description:
      "Returns at most 10,000 points. Scans are counted within a few seconds. Totals by UTC day are kept indefinitely; hourly data and other time zones are kept for at least 92 days. Filters by country, device and so on cover the last 35 days.",
    path: "/v1/analytics/timeseries",
    query: timeseriesQuery,
    data: timeseriesResponse,
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (c, { query }) => ({ data: await readTimeseries(tenantFor(c), query) }),
);

const breakdown = defineRoute(
  {
    ...inAnalytics,
    id: "getBreakdown",
    summary: "Scans by country, device, link or another dimension",
    description:
      "Daily data is kept for at least 92 days; for earlier data, the range must consist of whole months, except with `by=link` and `by=traffic`. Filters and `time_zone` cover the last 35 days. They return 400 if the range contains too many scans.",
    path: "/v1/analytics/breakdown",
    query: breakdownQuery,
    data: breakdownResponse,
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (c, { query }) => ({ data: await readBreakdown(tenantFor(c), query) }),
);

export const analyticsRoutes: Route[] = [timeseries, breakdown];
