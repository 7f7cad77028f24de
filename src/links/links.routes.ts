import * as z from "zod";
import { ApiError } from "../core/error.ts";
import { toIso } from "../core/time.ts";
import { shortUrl } from "../env.ts";
import type { ApiContext } from "../http/context.ts";
import { deletedResponse } from "../http/fields.ts";
import { type Route, route } from "../http/operation.ts";
import { tenantFor } from "../http/request-tenant.ts";
import { writeThrough } from "../redirect/write-through.ts";
import { hasFeature } from "../tenant/plans.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { createLinks } from "./bulk.ts";
import { CSV_HEADER, csvLine } from "./csv.ts";
import {
  bulkCreateBody,
  bulkCreateResponse,
  bulkStatusBody,
  bulkStatusResponse,
  createLinkBody,
  linkResponse,
  listLinksQuery,
  updateLinkBody,
} from "./links.schema.ts";
import {
  createLink,
  deleteLink,
  getLink,
  type Link,
  listLinks,
  listLinksBefore,
  presentLink,
  setLinksEnabled,
  updateLink,
} from "./links.ts";

const EXPORT_STEP = 500;

const inLinks = { tag: "Links", rateLimit: "A" } as const;

const create = route(
  {
    ...inLinks,
    id: "createLink",
    summary: "Create a short link",
    method: "post",
    path: "/v1/links",
    scope: "links:write",
    body: createLinkBody,
    status: 201,
    data: linkResponse,
    errors: ["FEATURE_NOT_AVAILABLE", "PLAN_LIMIT_EXCEEDED", "SLUG_TAKEN"],
  },
  async (c, { body }) => {
    const tenant = tenantFor(c);
    const link = await createLink(tenant, body);
    await writeThrough(tenant, [link]);
    return { data: presentLink(tenant, link) };
  },
);

const list = route(
  {
    ...inLinks,
    id: "listLinks",
    summary: "List links, newest first",
    method: "get",
    path: "/v1/links",
    scope: "links:read",
    query: listLinksQuery,
    data: z.array(linkResponse),
    paged: true,
  },
  async (c, { query: { limit, offset, ...filter } }) => {
    const tenant = tenantFor(c);
    const { links, total } = await listLinks(tenant, filter, limit, offset);
    return { data: links.map((link) => presentLink(tenant, link)), page: { total, limit, offset } };
  },
);

const exportCsv = route(
  {
    ...inLinks,
    id: "exportLinks",
    summary: "Export all links as CSV",
    method: "get",
    path: "/v1/links/export",
    scope: "links:read",
    media: ["text/csv"],
    headers: { "Content-Disposition": "A file name with the day of the export." },
    errors: ["FEATURE_NOT_AVAILABLE"],
  },
  async (c) => {
    const tenant = tenantFor(c);
    if (!hasFeature(tenant.workspace.plan, "csvExport")) throw notOnPlan(c, "CSV export");
    const day = toIso(tenant.nowMs).slice(0, 10);
    return c.body(csvStream(tenant), 200, {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="links-${day}.csv"`,
      "Cache-Control": "no-store",
    });
  },
);

const bulkCreate = route(
  {
    ...inLinks,
    id: "bulkCreateLinks",
    summary: "Create up to 100 links",
    description:
      "A faulty item is reported in `data.errors` and stops no other; the answer is 201 all the same.",
    method: "post",
    path: "/v1/links/bulk",
    scope: "links:write",
    body: bulkCreateBody,
    status: 201,
    data: bulkCreateResponse,
    errors: ["FEATURE_NOT_AVAILABLE"],
  },
  async (c, { body }) => {
    const tenant = tenantFor(c);
    requireBulk(c);
    const { created, errors } = await createLinks(tenant, body.links);
    await writeThrough(tenant, created);
    return { data: { created: created.map((link) => presentLink(tenant, link)), errors } };
  },
);

const bulkStatus = route(
  {
    ...inLinks,
    id: "bulkUpdateLinkStatus",
    summary: "Enable or disable up to 200 links",
    description:
      "Unknown ids are skipped. `updated` counts the links named, also those that had the state before.",
    method: "patch",
    path: "/v1/links/bulk/status",
    scope: "links:write",
    body: bulkStatusBody,
    data: bulkStatusResponse,
    errors: ["FEATURE_NOT_AVAILABLE"],
  },
  async (c, { body }) => {
    const tenant = tenantFor(c);
    requireBulk(c);
    const { named, changed, ownHosts } = await setLinksEnabled(tenant, body.ids, body.enabled);
    await writeThrough(tenant, changed, { ownHosts });
    return { data: { updated: named } };
  },
);

const get = route(
  {
    ...inLinks,
    id: "getLink",
    summary: "Get a link",
    method: "get",
    path: "/v1/links/:link_id",
    scope: "links:read",
    data: linkResponse,
  },
  async (c) => {
    const tenant = tenantFor(c);
    return { data: presentLink(tenant, await getLink(tenant, linkIdOf(c))) };
  },
);

const update = route(
  {
    ...inLinks,
    id: "updateLink",
    summary: "Change a link",
    description: "Changes only the fields named. Labels and routing rules are replaced as a whole.",
    method: "patch",
    path: "/v1/links/:link_id",
    scope: "links:write",
    body: updateLinkBody,
    data: linkResponse,
    errors: ["FEATURE_NOT_AVAILABLE"],
  },
  async (c, { body }) => {
    const tenant = tenantFor(c);
    const { link, changed, ownHosts } = await updateLink(tenant, linkIdOf(c), body);
    await writeThrough(tenant, changed, { ownHosts });
    return { data: presentLink(tenant, link) };
  },
);

const remove = route(
  {
    ...inLinks,
    id: "deleteLink",
    summary: "Delete a link and free its slug",
    method: "delete",
    path: "/v1/links/:link_id",
    scope: "links:write",
    data: deletedResponse,
  },
  async (c) => {
    const tenant = tenantFor(c);
    const { id, codeKey } = await deleteLink(tenant, linkIdOf(c));
    await writeThrough(tenant, [], { freedCodeKeys: [codeKey] });
    return { data: { id, deleted: true as const } };
  },
);

/** In the order they are matched: what stands before `:link_id` would be taken for an id after it. */
export const linkRoutes: Route[] = [create, list, exportCsv, bulkCreate, bulkStatus, get, update, remove];

function linkIdOf(c: ApiContext): string {
  return c.req.param("link_id") ?? "";
}

function requireBulk(c: ApiContext): void {
  if (!hasFeature(c.var.workspace.plan, "bulkOps")) throw notOnPlan(c, "bulk operations");
}

function notOnPlan(c: ApiContext, feature: string): ApiError {
  return new ApiError("FEATURE_NOT_AVAILABLE", `The ${c.var.workspace.plan} plan has no ${feature}.`);
}

/** All links as CSV, read in steps so that no number of them has to fit in memory. */
function csvStream(tenant: Tenant): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let lastId: string | null = null;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(CSV_HEADER));
    },
    async pull(controller) {
      const step: Link[] = await listLinksBefore(tenant, lastId, EXPORT_STEP);
      const lines = step.map((link) =>
        csvLine(link, shortUrl(tenant.settings, tenant.workspace.hostnames[0], link.shortCode)),
      );
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")));
      lastId = step.at(-1)?.id ?? null;
      if (step.length < EXPORT_STEP) controller.close();
    },
  });
}
