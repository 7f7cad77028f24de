import * as z from "zod";
import { defineRoute, type Route } from "../http/operation.ts";
import { tenantFor } from "../http/request-tenant.ts";
import { entryResponse, listAuditQuery } from "./audit.schema.ts";
import { listEntries } from "./list-entries.ts";
import { presentPage } from "./present-entry.ts";

const list = defineRoute(
  {
    id: "listAuditEntries",
    tag: "Audit log",
    summary: "List changes in the workspace, newest first",
    description:
      "Lists every change with who made it, when, and the old and new values. Entries are written together with the change and kept for one year. A request examines at most 700 entries from each of two sources, so a page can contain fewer entries than `limit`. Pass `meta.next_before` as `before` until it is null.",
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
