import * as z from "zod";
import { openShard } from "../db/database.ts";
import { listShards } from "../db/shards.ts";
import type { ApiContext } from "../http/context.ts";
import { deletedResponse } from "../http/fields.ts";
import { defineRoute, type Route } from "../http/operation.ts";
import { tenantFor } from "../http/request-tenant.ts";
import { createDomain } from "./claim-host.ts";
import { createDomainBody, domainResponse, listDomainsQuery, updateDomainBody } from "./domains.schema.ts";
import { formatProofName } from "./hostname.ts";
import { verifyDomain } from "./verify-domain.ts";
import { deleteDomain, getDomain, listDomains, presentDomain, updateDomain } from "./workspace-domains.ts";

const common = { tag: "Domains", rateLimit: "A" } as const;

const create = defineRoute(
  {
    ...common,
    id: "createDomain",
    summary: "Add a domain",
    description:
      "Claims a host for the links of the workspace. The domain is `pending` until the TXT record `_signpost.{hostname}` contains its ID. Several workspaces can claim the same host; the first one to verify it gets it. A claim that is not verified within 7 days is removed. A direct subdomain of the service's own short domain is active immediately. A host that another workspace had is kept for that workspace for a year (409 `DOMAIN_TAKEN`).",
    method: "post",
    path: "/v1/domains",
    scope: "domains:write",
    body: createDomainBody,
    status: 201,
    data: domainResponse,
    hasWarnings: true,
    errors: ["PLAN_LIMIT_EXCEEDED", "DOMAIN_TAKEN"],
    exampleData: { status: "pending" },
  },
  async (c, { body }) => {
    const domain = await createDomain(tenantFor(c), openShards(c), body);
    const { hostname, id } = domain.claim;
    const hint = `${hostname} is pending: add a TXT record at ${formatProofName(hostname)} that contains ${id}.`;
    return { data: presentDomain(tenantFor(c), domain), warnings: domain.isActive ? [] : [hint] };
  },
);

const list = defineRoute(
  {
    ...common,
    id: "listDomains",
    summary: "List domains, newest first",
    description: "Includes domains that the administrator assigned to the workspace.",
    method: "get",
    path: "/v1/domains",
    scope: "workspace:read",
    query: listDomainsQuery,
    data: z.array(domainResponse),
    isPaged: true,
    hasCursor: true,
  },
  async (c, { query }) => {
    const { domains, total, isTotalCapped, nextBefore } = await listDomains(tenantFor(c), query);
    const { limit, offset } = query;
    return {
      data: domains.map((domain) => presentDomain(tenantFor(c), domain)),
      page: { total, limit, offset, total_is_capped: isTotalCapped, next_before: nextBefore },
    };
  },
);

const get = defineRoute(
  {
    ...common,
    id: "getDomain",
    summary: "Get a domain",
    method: "get",
    path: "/v1/domains/:domain_id",
    scope: "workspace:read",
    data: domainResponse,
  },
  async (c) => ({ data: presentDomain(tenantFor(c), await getDomain(tenantFor(c), readDomainId(c))) }),
);

const update = defineRoute(
  {
    ...common,
    id: "updateDomain",
    summary: "Change a domain",
    description:
      "Changes only the fields in the body; null removes a field. Changes take effect within 35 seconds. With `is_primary`, responses contain short URLs on this domain from the next request on. Links work on all active domains.",
    method: "patch",
    path: "/v1/domains/:domain_id",
    scope: "domains:write",
    body: updateDomainBody,
    data: domainResponse,
    errors: ["DOMAIN_NOT_ACTIVE"],
    exampleData: { not_found_url: "https://example.com/not-found" },
  },
  async (c, { body }) => ({
    data: presentDomain(tenantFor(c), await updateDomain(tenantFor(c), readDomainId(c), body)),
  }),
);

const verify = defineRoute(
  {
    ...common,
    id: "verifyDomain",
    summary: "Verify a domain",
    description:
      "Looks up the TXT record `_signpost.{hostname}` now. The service also checks it automatically, at increasing intervals. If the domain stays `pending`, `meta.warnings` contains the reason.",
    method: "post",
    path: "/v1/domains/:domain_id/verify",
    scope: "domains:write",
    data: domainResponse,
    hasWarnings: true,
    errors: ["DOMAIN_TAKEN"],
    exampleData: { status: "active" },
  },
  async (c) => {
    const { domain, reason } = await verifyDomain(tenantFor(c), openShards(c), readDomainId(c));
    return { data: presentDomain(tenantFor(c), domain), warnings: reason === null ? [] : [reason] };
  },
);

const remove = defineRoute(
  {
    ...common,
    id: "deleteDomain",
    summary: "Delete a domain",
    description: "Links stop working on the domain within 35 seconds. The primary domain cannot be deleted.",
    method: "delete",
    path: "/v1/domains/:domain_id",
    scope: "domains:write",
    data: deletedResponse,
    errors: ["DOMAIN_IS_PRIMARY"],
  },
  async (c) => {
    const id = readDomainId(c);
    await deleteDomain(tenantFor(c), openShards(c), id);
    return { data: { id, deleted: true as const } };
  },
);

export const domainRoutes: Route[] = [create, list, get, update, verify, remove];

function readDomainId(c: ApiContext): string {
  return c.req.param("domain_id") ?? "";
}

function openShards({ env }: ApiContext) {
  return listShards(env).map((shard) => openShard(env, shard).db);
}
