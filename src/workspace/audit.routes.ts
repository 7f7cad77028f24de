import * as z from "zod";
import { listEntries } from "../audit/list-entries.ts";
import { defineRoute, type Route } from "../http/operation.ts";
import { tenantFor } from "../http/request-tenant.ts";
import { entryResponse, listAuditQuery } from "./audit.schema.ts";
import { presentPage } from "./present-entry.ts";

const list = defineRoute(
  {
    id: "listAuditEntries",
    tag: "Audit log",
    summary: "List changes in the workspace, newest first",
    description:
      "Who changed what, when, and how it was before. Entries are written together with the change, and kept for a year. A list examines at most 700 entries of each of its two sources, so that its cost does not grow with the log; `meta.next_before` continues it, also after a page with fewer entries than `limit`.",
    method: "get",
    path: "/v1/audit",
    scope: "audit:read",
    rateLimit: "A",
    query: listAuditQuery,
    data: z.array(entryResponse),
    isPaged: true,
    hasCursor: true,
  },
  async (c, { query: { limit, before, ...filter } }) =>
    presentPage(await listEntries(tenantFor(c), filter, { limit, before }), limit),
);

export const auditRoutes: Route[] = [list];
