import * as z from "zod";
import type { ApiContext } from "../http/context.ts";
import { deletedResponse } from "../http/fields.ts";
import { type Route, route } from "../http/operation.ts";
import { tenantFor } from "../http/request-tenant.ts";
import { createPageBody, listPagesQuery, pageResponse, updatePageBody } from "./bio.schema.ts";
import {
  createPage,
  deletePage,
  getPage,
  listPages,
  presentPage,
  setPagePublished,
  updatePage,
} from "./bio.ts";

const inBio = { tag: "Bio pages", rateLimit: "B" } as const;

const create = route(
  {
    ...inBio,
    id: "createBioPage",
    summary: "Create a bio page, unpublished",
    method: "post",
    path: "/v1/bio/pages",
    scope: "bio:write",
    body: createPageBody,
    status: 201,
    data: pageResponse,
    errors: ["PLAN_LIMIT_EXCEEDED"],
  },
  async (c, { body }) => {
    const tenant = tenantFor(c);
    return { data: presentPage(tenant, await createPage(tenant, body)) };
  },
);

const list = route(
  {
    ...inBio,
    id: "listBioPages",
    summary: "List bio pages, newest first",
    method: "get",
    path: "/v1/bio/pages",
    scope: "bio:read",
    query: listPagesQuery,
    data: z.array(pageResponse),
    paged: true,
  },
  async (c, { query: { limit, offset } }) => {
    const tenant = tenantFor(c);
    const { pages, total } = await listPages(tenant, limit, offset);
    return { data: pages.map((page) => presentPage(tenant, page)), page: { total, limit, offset } };
  },
);

const get = route(
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
    return { data: presentPage(tenant, await getPage(tenant, pageIdOf(c))) };
  },
);

const update = route(
  {
    ...inBio,
    id: "updateBioPage",
    summary: "Change a bio page",
    description:
      "Changes only the fields named; `page_data` is replaced as a whole. A published page shows the change at once.",
    method: "patch",
    path: "/v1/bio/pages/:page_id",
    scope: "bio:write",
    body: updatePageBody,
    data: pageResponse,
  },
  async (c, { body }) => {
    const tenant = tenantFor(c);
    return { data: presentPage(tenant, await updatePage(tenant, pageIdOf(c), body)) };
  },
);

const remove = route(
  {
    ...inBio,
    id: "deleteBioPage",
    summary: "Delete a bio page and free its slug",
    method: "delete",
    path: "/v1/bio/pages/:page_id",
    scope: "bio:write",
    data: deletedResponse,
  },
  async (c) => {
    const { id } = await deletePage(tenantFor(c), pageIdOf(c));
    return { data: { id, deleted: true as const } };
  },
);

const publish = route(
  {
    ...inBio,
    id: "publishBioPage",
    summary: "Publish a bio page",
    description: "A page that is published already stays as it is.",
    method: "post",
    path: "/v1/bio/pages/:page_id/publish",
    scope: "bio:write",
    data: pageResponse,
  },
  async (c) => {
    const tenant = tenantFor(c);
    const page = await setPagePublished(tenant, pageIdOf(c), true);
    return { data: presentPage(tenant, page) };
  },
);

const unpublish = route(
  {
    ...inBio,
    id: "unpublishBioPage",
    summary: "Take a bio page down",
    description: "Its address then answers 404. Its data, its counts and `published_at` are kept.",
    method: "post",
    path: "/v1/bio/pages/:page_id/unpublish",
    scope: "bio:write",
    data: pageResponse,
  },
  async (c) => {
    const tenant = tenantFor(c);
    const page = await setPagePublished(tenant, pageIdOf(c), false);
    return { data: presentPage(tenant, page) };
  },
);

export const bioRoutes: Route[] = [create, list, get, update, remove, publish, unpublish];

function pageIdOf(c: ApiContext): string {
  return c.req.param("page_id") ?? "";
}
