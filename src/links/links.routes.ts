import * as z from "zod";
import { entryResponse, historyQuery } from "../audit/audit.schema.ts";
import { presentPage } from "../audit/present-entry.ts";
import { ApiError } from "../core/error.ts";
import { toIso } from "../core/time.ts";
import { sleep } from "../core/timeout.ts";
import { isTargetUsedUp } from "../guards/limited-visit.ts";
import type { ApiContext } from "../http/context.ts";
import { deletedResponse } from "../http/fields.ts";
import { defineRoute, type Route } from "../http/operation.ts";
import { tenantFor } from "../http/request-tenant.ts";
import { ExportLease } from "../limits/export-lease.ts";
import { readHost } from "../resolving/host-read.ts";
import type { Target } from "../resolving/target.ts";
import { hasFeature } from "../tenant/plans.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { presentTrash } from "../trash/present-trash.ts";
import { deletionQuery } from "../trash/trash.schema.ts";
import { createLinks } from "./bulk.ts";
import { changeLinks } from "./bulk-update.ts";
import { CSV_HEADER, formatLinkLine } from "./csv.ts";
import { listHistory, revertChange } from "./link-history.ts";
import { EXAMPLE_EXTERNAL_ID } from "./link-input.ts";
import { decodeLink, listBatch, listLinks } from "./link-list.ts";
import { linkResponse, NEW_LINK_EXAMPLE, presentLink } from "./link-response.ts";
import { deleteLink, listDeletedLinks, restoreLink } from "./link-trash.ts";
import { listFilterWarnings, listLinkWarnings } from "./link-warnings.ts";
import {
  BULK_ERROR_CODES,
  BULK_UPDATE_ERROR_CODES,
  bulkCreateBody,
  bulkCreateResponse,
  bulkStatusBody,
  bulkStatusResponse,
  bulkUpdateBody,
  bulkUpdateResponse,
  createLinkBody,
  externalIdParams,
  linkUpdate,
  listLinksQuery,
  restoreLinkBody,
  updateLinkBody,
} from "./links.schema.ts";
import { createLink, getLink, setLinksEnabled, updateLink, upsertLink } from "./links.ts";
import { resolveLinkBody, resolveLinkResponse } from "./resolve.schema.ts";
import { resolveLink } from "./resolve-link.ts";

/** Pause of an export after each batch, in which the isolate and the database work for other workspaces. */
const EXPORT_PAUSE_MS = 100;
/** Links that are formatted without interruption, in about the time that an ordinary request takes. */
const FORMATTED_LINKS = 50;

/** Errors of operations that change a link. */
const CHANGE_ERRORS = [
  "LINK_BANNED",
  "FEATURE_NOT_AVAILABLE",
  "SLUG_TAKEN",
  "ALIAS_TAKEN",
  "ALIAS_LIMIT_EXCEEDED",
  "EXTERNAL_ID_TAKEN",
  "DELIVERY_BACKLOG",
] as const;

const inLinks = { tag: "Links", rateLimit: "A" } as const;

const create = defineRoute(
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
    hasWarnings: true,
    errors: [
      "FEATURE_NOT_AVAILABLE",
      "PLAN_LIMIT_EXCEEDED",
      "SLUG_TAKEN",
      "ALIAS_TAKEN",
      "EXTERNAL_ID_TAKEN",
      "DELIVERY_BACKLOG",
    ],
    exampleData: NEW_LINK_EXAMPLE,
  },
  async (c, { body }) => {
    const tenant = tenantFor(c);
    const link = await createLink(tenant, body);
    return { data: presentLink(tenant, link), warnings: listLinkWarnings(link) };
  },
);

const list = defineRoute(
  {
    ...inLinks,
    id: "listLinks",
    summary: "List links, newest first",
    description:
      "A filtered or sorted request examines at most 700 links, so a page can contain fewer links than `limit`. Pass `meta.next_before` as `before` until it is null. With `search` or `domain`, imported links are ordered by import time instead of creation time.",
    method: "get",
    path: "/v1/links",
    scope: "links:read",
    query: listLinksQuery,
    data: z.array(linkResponse),
    isPaged: true,
    hasCursor: true,
    hasWarnings: true,
  },
  async (c, { query: { limit, offset, before, deleted, ...filter } }) => {
    const tenant = tenantFor(c);
    if (deleted) {
      const page = await listDeletedLinks(tenant, filter, { limit, offset, before });
      return presentTrash({ limit, offset }, page, (link) => presentLink(tenant, link));
    }
    const { links, total, isTotalCapped, nextBefore, cursorAt } = await listLinks(tenant, filter, {
      limit,
      offset,
      before,
    });
    return {
      data: links.map((link) => presentLink(tenant, link)),
      page: {
        total,
        limit,
        offset,
        total_is_capped: isTotalCapped,
        next_before: nextBefore,
        ...(cursorAt && { cursorAt }),
      },
      warnings: listFilterWarnings(tenant, filter),
    };
  },
);

const exportCsv = defineRoute(
  {
    ...inLinks,
    id: "exportLinks",
    summary: "Export all links as CSV",
    description: "One export per workspace runs at a time. A second export gets 429 `EXPORT_IN_PROGRESS`.",
    method: "get",
    path: "/v1/links/export",
    scope: "links:read",
    mediaTypes: ["text/csv"],
    headers: { "Content-Disposition": "File name with the date of the export." },
    errors: ["FEATURE_NOT_AVAILABLE", "EXPORT_IN_PROGRESS"],
  },
  async (c) => {
    const tenant = tenantFor(c);
    if (!hasFeature(tenant.workspace.plan, "csvExport")) throw createFeatureError(c, "CSV export");
    const lease = await ExportLease.take(c.env.LIMITER, tenant);
    const day = toIso(tenant.nowMs).slice(0, 10);
    return c.body(csvStream(tenant, lease), 200, {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="links-${day}.csv"`,
      "Cache-Control": "no-store",
    });
  },
);

const bulkCreate = defineRoute(
  {
    ...inLinks,
    id: "bulkCreateLinks",
    summary: "Create up to 100 links",
    description:
      "An invalid item is reported in `data.errors` and does not affect the others. The status is 201 even if every item fails.",
    method: "post",
    path: "/v1/links/bulk",
    scope: "links:write",
    body: bulkCreateBody,
    status: 201,
    data: bulkCreateResponse,
    errors: ["FEATURE_NOT_AVAILABLE", "DELIVERY_BACKLOG"],
    itemErrorCodes: BULK_ERROR_CODES,
    exampleData: { created: [NEW_LINK_EXAMPLE] },
  },
  async (c, { body }) => {
    const tenant = tenantFor(c);
    requireBulk(c);
    const { created, errors } = await createLinks(tenant, body.links);
    return { data: { created: created.map((link) => presentLink(tenant, link)), errors } };
  },
);

const bulkUpdate = defineRoute(
  {
    ...inLinks,
    id: "bulkUpdateLinks",
    summary: "Change up to 100 links, each in its own way",
    description:
      "Each item has the `id` of a link and any fields of `PATCH /v1/links/{link_id}`. Items are applied in order. An invalid item is reported in `data.errors` and does not affect the others. The status is 200 even if every item fails.",
    method: "patch",
    path: "/v1/links/bulk",
    scope: "links:write",
    body: bulkUpdateBody,
    item: linkUpdate,
    data: bulkUpdateResponse,
    errors: ["FEATURE_NOT_AVAILABLE", "DELIVERY_BACKLOG"],
    itemErrorCodes: BULK_UPDATE_ERROR_CODES,
    exampleData: {
      updated: [{ labels: ["print", "2027"], expires_at: null }],
      errors: [],
    },
  },
  async (c, { body }) => {
    const tenant = tenantFor(c);
    requireBulk(c);
    const { updated, errors } = await changeLinks(tenant, body.links);
    return { data: { updated: updated.map((link) => presentLink(tenant, link)), errors } };
  },
);

const bulkStatus = defineRoute(
  {
    ...inLinks,
    id: "bulkUpdateLinkStatus",
    summary: "Enable or disable up to 200 links",
    description:
      "Unknown IDs are skipped. `updated` counts all known IDs, including links that already had this status.",
    method: "patch",
    path: "/v1/links/bulk/status",
    scope: "links:write",
    body: bulkStatusBody,
    data: bulkStatusResponse,
    errors: ["FEATURE_NOT_AVAILABLE", "LINK_BANNED", "DELIVERY_BACKLOG"],
  },
  async (c, { body }) => {
    const tenant = tenantFor(c);
    requireBulk(c);
    return { data: { updated: await setLinksEnabled(tenant, body.ids, body.enabled) } };
  },
);

const upsert = defineRoute(
  {
    ...inLinks,
    id: "upsertLink",
    summary: "Create or update the link with an ID of your own",
    description:
      "Creates a link with this `external_id` (201), or updates the existing one (200). Parallel calls create one link, and a repeated call changes nothing. An update changes only the fields in the body; `created_at` is ignored. Former short codes stay aliases even if `aliases` doesn't list them. Percent-encode the ID in the path.",
    method: "put",
    path: "/v1/links/external/:external_id",
    scope: "links:write",
    params: externalIdParams,
    body: createLinkBody,
    mayCreate: true,
    data: linkResponse,
    hasWarnings: true,
    errors: ["PLAN_LIMIT_EXCEEDED", ...CHANGE_ERRORS],
    exampleData: { ...NEW_LINK_EXAMPLE, external_id: EXAMPLE_EXTERNAL_ID },
  },
  async (c, { body }) => {
    const tenant = tenantFor(c);
    const { link, isCreated } = await upsertLink(tenant, c.req.param("external_id") ?? "", body);
    return { data: presentLink(tenant, link), isCreated, warnings: listLinkWarnings(link) };
  },
);

const get = defineRoute(
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
    return { data: presentLink(tenant, await getLink(tenant, getLinkId(c))) };
  },
);

const update = defineRoute(
  {
    ...inLinks,
    id: "updateLink",
    summary: "Change a link",
    description:
      "Changes only the fields in the body. Labels and routing rules are replaced as a whole. Null clears a field.",
    method: "patch",
    path: "/v1/links/:link_id",
    scope: "links:write",
    body: updateLinkBody,
    data: linkResponse,
    hasWarnings: true,
    errors: [...CHANGE_ERRORS],
    exampleData: { labels: ["print", "2027"], expires_at: "2027-09-01T00:00:00.000Z" },
  },
  async (c, { body }) => {
    const tenant = tenantFor(c);
    const link = await updateLink(tenant, getLinkId(c), body);
    return { data: presentLink(tenant, link), warnings: listLinkWarnings(link) };
  },
);

const resolve = defineRoute(
  {
    ...inLinks,
    id: "resolveLink",
    summary: "Show where a link redirects a given visitor",
    description:
      "Runs the same logic as the redirect for the visitor you describe, without counting a scan. Anything you leave out is treated as unknown. Conditions are tried in the order country, continent, region, device, os, browser, language, query, after, before, percent, split.",
    method: "post",
    path: "/v1/links/:link_id/resolve",
    scope: "links:read",
    body: resolveLinkBody,
    isBodyOptional: true,
    data: resolveLinkResponse,
  },
  async (c, { body }) => {
    const { SCAN_GATE, DIRECTORY } = c.env;
    const tenant = tenantFor(c);
    const sources = {
      isUsedUp: (target: Target) => isTargetUsedUp(SCAN_GATE, target),
      findHost: async (hostname: string) =>
        (await readHost(DIRECTORY, tenant.settings, hostname, 0, true)).value,
    };
    return { data: await resolveLink(tenant, getLinkId(c), body, sources) };
  },
);

const history = defineRoute(
  {
    ...inLinks,
    id: "listLinkHistory",
    summary: "List the changes to a link, newest first",
    description:
      "Returns the audit log entries of one link, which may be deleted. Entries are kept for one year.",
    method: "get",
    path: "/v1/links/:link_id/history",
    scope: "links:read",
    query: historyQuery,
    data: z.array(entryResponse),
    isPaged: true,
    hasCursor: true,
  },
  async (c, { query }) => presentPage(await listHistory(tenantFor(c), getLinkId(c), query), query.limit),
);

const revert = defineRoute(
  {
    ...inLinks,
    id: "revertLink",
    summary: "Revert a change to a link",
    description:
      "Restores the values that this change replaced. Like any update, it validates the values, sends `link.updated` and adds a history entry. Later changes to other fields are kept. A previous password cannot be restored.",
    method: "post",
    path: "/v1/links/:link_id/history/:entry_id/revert",
    scope: "links:write",
    data: linkResponse,
    hasWarnings: true,
    errors: ["ENTRY_NOT_REVERTIBLE", ...CHANGE_ERRORS],
  },
  async (c) => {
    const tenant = tenantFor(c);
    const { link, isPasswordLost } = await revertChange(tenant, getLinkId(c), c.req.param("entry_id") ?? "");
    const lost = "The previous password was not restored because passwords are not stored.";
    const warnings = [...(isPasswordLost ? [lost] : []), ...listLinkWarnings(link)];
    return { data: presentLink(tenant, link), warnings };
  },
);

const remove = defineRoute(
  {
    ...inLinks,
    id: "deleteLink",
    summary: "Delete a link",
    description:
      "Moves the link to the trash for 30 days. It stops redirecting immediately, and its short code, aliases and external ID can be used for other links.",
    method: "delete",
    path: "/v1/links/:link_id",
    scope: "links:write",
    query: deletionQuery,
    data: deletedResponse,
    errors: ["LINK_BANNED", "DELIVERY_BACKLOG"],
  },
  async (c, { query: { permanent = false } }) => {
    const id = getLinkId(c);
    await deleteLink(tenantFor(c), c.env.SCAN_GATE, id, permanent);
    return { data: { id, deleted: true as const } };
  },
);

const restore = defineRoute(
  {
    ...inLinks,
    id: "restoreLink",
    summary: "Restore a deleted link",
    description:
      "Brings the link back from the trash, with its scans and its history. If another link has taken its short code, an alias or its `external_id`, the response is 409, and the body can contain another value. Has no effect on a link that is not deleted.",
    method: "post",
    path: "/v1/links/:link_id/restore",
    scope: "links:write",
    body: restoreLinkBody,
    isBodyOptional: true,
    data: linkResponse,
    errors: ["PLAN_LIMIT_EXCEEDED", "SLUG_TAKEN", "ALIAS_TAKEN", "EXTERNAL_ID_TAKEN", "DELIVERY_BACKLOG"],
  },
  async (c, { body }) => {
    const tenant = tenantFor(c);
    return { data: presentLink(tenant, await restoreLink(tenant, getLinkId(c), body)) };
  },
);

/**
 * Routes in matching order. A fixed path segment must come before `:link_id`, which would match it as an id.
 */
export const linkRoutes: Route[] = [
  create,
  list,
  exportCsv,
  bulkCreate,
  bulkUpdate,
  bulkStatus,
  upsert,
  get,
  update,
  resolve,
  history,
  revert,
  remove,
  restore,
];

function getLinkId(c: ApiContext): string {
  return c.req.param("link_id") ?? "";
}

function requireBulk(c: ApiContext): void {
  if (!hasFeature(c.var.workspace.plan, "bulkOps")) throw createFeatureError(c, "bulk operations");
}

function createFeatureError(c: ApiContext, feature: string): ApiError {
  return new ApiError(
    "FEATURE_NOT_AVAILABLE",
    `The ${c.var.workspace.plan} plan does not include ${feature}.`,
  );
}

/** Streams all links as CSV. Reads them in batches, so that the export needs little memory. */
function csvStream(tenant: Tenant, lease: ExportLease): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let before: string | undefined;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(CSV_HEADER));
    },
    async pull(controller) {
      try {
        await lease.extend();
        const { rows, nextBefore } = await listBatch(tenant, before);
        for (let start = 0; start < rows.length; start += FORMATTED_LINKS) {
          if (start > 0) await sleep(0);
          const some = rows.slice(start, start + FORMATTED_LINKS);
          const lines = some.map((row) => formatLinkLine(presentLink(tenant, decodeLink(row))));
          controller.enqueue(encoder.encode(lines.join("")));
        }
        if (nextBefore !== null) {
          before = nextBefore;
          return await sleep(EXPORT_PAUSE_MS);
        }
        await lease.end();
        controller.close();
      } catch (error) {
        await lease.end();
        throw error;
      }
    },
    cancel: () => lease.end(),
  });
}
