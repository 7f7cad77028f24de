import * as z from "zod";
import {
  pageBreakdownQuery,
  pageBreakdownResponse,
  pageTimeseriesQuery,
  pageTimeseriesResponse,
} from "../analytics/analytics.schema.ts";
import type { ApiContext } from "../http/context.ts";
import { formatPage } from "../http/envelope.ts";
import { deletedResponse } from "../http/fields.ts";
import { defineRoute, type Route } from "../http/operation.ts";
import { tenantFor } from "../http/request-tenant.ts";
import { presentTrash } from "../trash/present-trash.ts";
import { deletionQuery, trashableListQuery } from "../trash/trash.schema.ts";
import {
  createPageBody,
  NEW_PAGE_EXAMPLE,
  type PagePatch,
  pageResponse,
  restorePageBody,
  updatePageBody,
} from "./bio.schema.ts";
import {
  type BioPage,
  createPage,
  getPage,
  listPages,
  presentPage,
  setPagePublished,
  updatePage,
} from "./bio.ts";
import { readPageBreakdown, readPageTimeseries } from "./page-analytics.ts";
import { deletePage, listDeletedPages, restorePage } from "./page-removal.ts";
import { listPageWarnings } from "./page-warnings.ts";

const inBio = { tag: "Bio pages", rateLimit: "B" } as const;

const create = defineRoute(
  {
    ...inBio,
    id: "createBioPage",
    summary: "Create an unpublished bio page",
    description:
      "Unknown fields of `page_data` and an unknown theme are stored, and `meta.warnings` lists them.",
    method: "post",
    path: "/v1/bio/pages",
    scope: "bio:write",
    body: createPageBody,
    status: 201,
    data: pageResponse,
    hasWarnings: true,
    errors: ["PLAN_LIMIT_EXCEEDED", "SLUG_TAKEN"],
    exampleData: NEW_PAGE_EXAMPLE,
  },
  async (c, { body }) => {
    const tenant = tenantFor(c);
    const page = await createPage(tenant, body);
    return { data: presentPage(tenant, page), warnings: listPageWarnings(body.page_data ?? {}) };
  },
);

const list = defineRoute(
  {
    ...inBio,
    id: "listBioPages",
    summary: "List bio pages, newest first",
    method: "get",
    path: "/v1/bio/pages",
    scope: "bio:read",
    query: trashableListQuery,
    data: z.array(pageResponse),
    isPaged: true,
    hasCursor: true,
  },
  async (c, { query }) => {
    const tenant = tenantFor(c);
    const present = (page: BioPage) => presentPage(tenant, page);
    if (query.deleted) return presentTrash(query, await listDeletedPages(tenant, query), present);
    const { pages, total, nextBefore } = await listPages(tenant, query);
    return {
      data: pages.map(present),
      page: formatPage(query, total, nextBefore),
    };
  },
);

const get = defineRoute(
  {
    ...inBio,
    id: "getBioPage",
    summary: "Get a bio page",
    method: "get",
    path: "/v1/bio/pages/:page_id",
    scope: "bio:read",
    data: pageResponse,
  },
  async (c) => {
    const tenant = tenantFor(c);
    return { data: presentPage(tenant, await getPage(tenant, getPageId(c))) };
  },
);

const update = defineRoute(
  {
    ...inBio,
    id: "updateBioPage",
    summary: "Update a bio page",
    description:
      "Changes only the fields in the request body. `page_data` replaces the whole content; `page_data_patch` changes parts of it (JSON Merge Patch, RFC 7396). Concurrent patches to different parts do not overwrite each other. Unknown fields and an unknown theme are stored, and `meta.warnings` lists them. Changes to a published page are visible immediately.",
    method: "patch",
    path: "/v1/bio/pages/:page_id",
    scope: "bio:write",
    body: updatePageBody,
    data: pageResponse,
    hasWarnings: true,
    exampleData: { title: "Jane Doe, potter", page_data: { theme: "ink" } },
  },
  async (c, { body }) => {
    const tenant = tenantFor(c);
    const page = await updatePage(tenant, getPageId(c), body);
    return { data: presentPage(tenant, page), warnings: listUpdateWarnings(page, body) };
  },
);

const remove = defineRoute(
  {
    ...inBio,
    id: "deleteBioPage",
    summary: "Delete a bio page",
    description:
      "Moves the page to the trash for 30 days. Its URL returns 404 immediately, and your other pages can use its slug. When it is erased, its analytics are deleted too.",
    method: "delete",
    path: "/v1/bio/pages/:page_id",
    scope: "bio:write",
    query: deletionQuery,
    data: deletedResponse,
  },
  async (c, { query: { permanent = false } }) => {
    const id = getPageId(c);
    await deletePage(tenantFor(c), id, permanent);
    return { data: { id, deleted: true as const } };
  },
);

const restore = defineRoute(
  {
    ...inBio,
    id: "restoreBioPage",
    summary: "Restore a deleted bio page",
    description:
      "Brings the page back from the trash, with its analytics, and published if it was. If another page has taken its slug, the response is 409, and the body can contain another one. Has no effect on a page that is not deleted.",
    method: "post",
    path: "/v1/bio/pages/:page_id/restore",
    scope: "bio:write",
    body: restorePageBody,
    isBodyOptional: true,
    data: pageResponse,
    errors: ["PLAN_LIMIT_EXCEEDED", "SLUG_TAKEN"],
  },
  async (c, { body }) => {
    const tenant = tenantFor(c);
    return { data: presentPage(tenant, await restorePage(tenant, getPageId(c), body)) };
  },
);

const publish = defineRoute(
  {
    ...inBio,
    id: "publishBioPage",
    summary: "Publish a bio page",
    description: "Has no effect on a page that is already published.",
    method: "post",
    path: "/v1/bio/pages/:page_id/publish",
    scope: "bio:write",
    data: pageResponse,
    errors: ["DELIVERY_BACKLOG"],
  },
  async (c) => {
    const tenant = tenantFor(c);
    const page = await setPagePublished(tenant, getPageId(c), true);
    return { data: presentPage(tenant, page) };
  },
);

const unpublish = defineRoute(
  {
    ...inBio,
    id: "unpublishBioPage",
    summary: "Unpublish a bio page",
    description:
      "The URL of the page then returns 404. The page keeps its content, its counts and `published_at`.",
    method: "post",
    path: "/v1/bio/pages/:page_id/unpublish",
    scope: "bio:write",
    data: pageResponse,
    exampleData: { is_published: false },
    errors: ["DELIVERY_BACKLOG"],
  },
  async (c) => {
    const tenant = tenantFor(c);
    const page = await setPagePublished(tenant, getPageId(c), false);
    return { data: presentPage(tenant, page) };
  },
);

const timeseries = defineRoute(
  {
    ...inBio,
    id: "getBioPageTimeseries",
    summary: "Views or clicks of a bio page over time",
    description: "Returns at most 10,000 points. Views and clicks are counted within a few seconds.",
    method: "get",
    path: "/v1/bio/pages/:page_id/analytics/timeseries",
    scope: "analytics:read",
    query: pageTimeseriesQuery,
    data: pageTimeseriesResponse,
  },
  async (c, { query }) => ({ data: await readPageTimeseries(tenantFor(c), getPageId(c), query) }),
);

const breakdown = defineRoute(
  {
    ...inBio,
    id: "getBioPageBreakdown",
    summary: "Views or clicks of a bio page by country, device, link or another dimension",
    description:
      "Daily data is kept for at least 92 days; for earlier data, the range must consist of whole months. Filters cover the last 35 days.",
    method: "get",
    path: "/v1/bio/pages/:page_id/analytics/breakdown",
    scope: "analytics:read",
    query: pageBreakdownQuery,
    data: pageBreakdownResponse,
  },
  async (c, { query }) => ({ data: await readPageBreakdown(tenantFor(c), getPageId(c), query) }),
);

export const bioRoutes: Route[] = [
  create,
  list,
  get,
  update,
  remove,
  restore,
  publish,
  unpublish,
  timeseries,
  breakdown,
];

/** Returns the warnings for page data that a request set or patched. */
function listUpdateWarnings({ pageData }: BioPage, { page_data, page_data_patch }: PagePatch): string[] {
  const isGiven = page_data !== undefined || page_data_patch !== undefined;
  return isGiven ? listPageWarnings(pageData, page_data_patch) : [];
}

function getPageId(c: ApiContext): string {
  return c.req.param("page_id") ?? "";
}
