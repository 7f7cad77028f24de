import * as z from "zod";
import type { ApiContext } from "../http/context.ts";
import { formatPage } from "../http/envelope.ts";
import { deletedResponse } from "../http/fields.ts";
import { defineRoute, type Route } from "../http/operation.ts";
import { tenantFor } from "../http/request-tenant.ts";
import type { Report } from "./reports.directory.table.ts";
import { formatReport, listReportsQuery, newReport, reportResponse } from "./reports.schema.ts";
import { createReport, findReportToken, listReports, revokeReport } from "./reports.ts";

const common = { tag: "Reports", rateLimit: "A" } as const;

const create = defineRoute(
  {
    ...common,
    id: "createReport",
    summary: "Share a report on links",
    description:
      "Returns the URL of a page that shows the scans of up to 50 links, or of the links with a label, to everyone who has the URL: totals, a chart, breakdowns and a ranking. It shows short URLs and titles, but no destinations. Renamed links stay in the report; deleted links leave it. The page is not indexed by search engines.",
    method: "post",
    path: "/v1/reports",
    scope: "reports:write",
    body: newReport,
    status: 201,
    data: reportResponse,
    errors: ["PLAN_LIMIT_EXCEEDED"],
  },
  async (c, { body }) => ({
    data: await present(c, await createReport(tenantFor(c), c.env.UPLOAD_SECRET, body)),
  }),
);

const list = defineRoute(
  {
    ...common,
    id: "listReports",
    summary: "List shared reports, newest first",
    description: "Includes up to 100 expired reports.",
    method: "get",
    path: "/v1/reports",
    scope: "reports:read",
    query: listReportsQuery,
    data: z.array(reportResponse),
    isPaged: true,
    hasCursor: true,
  },
  async (c, { query }) => {
    const { reports, total, isTotalCapped, nextBefore } = await listReports(tenantFor(c), query);
    const data = await Promise.all(reports.map((report) => present(c, report)));
    return { data, page: { ...formatPage(query, total, nextBefore), total_is_capped: isTotalCapped } };
  },
);

const revoke = defineRoute(
  {
    ...common,
    id: "revokeReport",
    summary: "Revoke a shared report",
    description: "Its URL stops working immediately.",
    method: "delete",
    path: "/v1/reports/:report_id",
    scope: "reports:write",
    worksDuringMove: true,
    data: deletedResponse,
  },
  async (c) => {
    const id = c.req.param("report_id") ?? "";
    await revokeReport(tenantFor(c), id);
    return { data: { id, deleted: true as const } };
  },
);

async function present({ env, var: { settings } }: ApiContext, report: Report) {
  return formatReport(report, settings.appUrl, await findReportToken(env.UPLOAD_SECRET, report));
}

export const reportRoutes: Route[] = [create, list, revoke];
