import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { deleted, updated } from "../audit/describe-changes.ts";
import { logDirectoryChange } from "../audit/directory-log.ts";
import { ApiError, createNotFoundError } from "../core/error.ts";
import { joinInOrder } from "../core/join-in-order.ts";
import { toIso } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import { type ListPage, olderThan } from "../db/list-page.ts";
import { isHeld, trimHeldNames } from "../tenant/held-names.ts";
import { deleteHost, selectPrimary, setPrimary } from "../tenant/host-ownership.ts";
import { isApiHost } from "../tenant/own-hosts.ts";
import { settleRemovedHost } from "../tenant/sweep-hosts.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { domains } from "../tenant/workspaces.directory.table.ts";
import { domainClaims as claims } from "./claims.directory.table.ts";
import { auditedDomain, buildPrimaryChange } from "./domain-audit.ts";
import { findLinkedHosts, rejectUnfitUrls, toColumns } from "./domain-settings.ts";
import type { DomainPatch, DomainResponse } from "./domains.schema.ts";

/** Domain of a workspace: its claim of a host, and the status of that host. */
export interface Domain {
  claim: typeof claims.$inferSelect;
  isActive: boolean;
  isPrimary: boolean;
  /** True if another workspace has the host. */
  isTaken: boolean;
  /** True if the host is kept for another workspace or from all. */
  isKept: boolean;
}

/** Maximum total of a list. Domains beyond it aren't counted. */
const TOTAL_MAX = 1_000;

/** Returns a domain of the workspace. Throws `RESOURCE_NOT_FOUND`. */
export async function getDomain({ directory, workspace }: Tenant, id: string): Promise<Domain> {
  const [domain] = await selectDomains(directory, workspace.id, eq(claims.id, id));
  return requireDomain(domain);
}

/**
 * Returns a page of the workspace's domains, newest first, and their total number, counted up to
 * {@link TOTAL_MAX}.
 */
export async function listDomains({ directory, workspace }: Tenant, { limit, offset, before }: ListPage) {
  const counting = directory
    .select({ one: sql`1`.as("one") })
    .from(claims)
    .where(eq(claims.workspaceId, workspace.id))
    .limit(TOTAL_MAX + 1)
    .as("counting");
  const [page, [counted]] = await directory.batch([
    selectDomains(directory, workspace.id, olderThan(claims.id, before))
      .orderBy(desc(claims.id))
      .limit(limit + 1)
      .offset(offset),
    directory.select({ total: sql<number>`count(*)` }).from(counting),
  ]);
  const total = counted?.total ?? 0;
  return {
    domains: page.slice(0, limit).map(readDomain),
    total: Math.min(total, TOTAL_MAX),
    isTotalCapped: total > TOTAL_MAX,
    nextBefore: page.length > limit ? (page[limit - 1]?.claim.id ?? null) : null,
  };
}

/**
 * Updates the fields in the patch. Redirects change within 35 seconds. Throws `VALIDATION_ERROR`,
 * `RESOURCE_NOT_FOUND`, or `DOMAIN_NOT_ACTIVE` if an inactive domain should become primary.
 */
export async function updateDomain(tenant: Tenant, id: string, patch: DomainPatch): Promise<Domain> {
  const { directory, settings, workspace } = tenant;
  const { is_primary: isPrimary, ...changes } = patch;
  const [before, linked] = await joinInOrder(getDomain(tenant, id), findLinkedHosts(tenant, changes));
  if (Object.keys(patch).length === 0) return before;
  const { claim, isActive } = before;
  rejectUnfitUrls(settings, linked, claim.hostname, changes);
  if (isPrimary && !isActive) throw createInactiveError(claim.hostname);
  const selected = claimById(workspace.id, id);
  const columns = toColumns(settings, changes, sql`${claims.documentVersion} + 1`);
  const { documentVersion: _, ...shown } = columns;
  const others = isPrimary ? buildPrimaryChange(workspace.id) : {};
  const update = directory
    .update(claims)
    // The id doesn't change. It makes the statement valid if there are no other columns.
    .set({ id, ...columns })
    .where(selected);
  const [, , , [after]] = await directory.batch([
    logDirectoryChange(tenant, updated(auditedDomain, selected, shown, others)),
    update,
    setPrimary(directory, workspace.id, isPrimary ? sql`${claim.hostname}` : sql`null`),
    selectDomains(directory, workspace.id, eq(claims.id, id)),
  ]);
  return requireDomain(after);
}

/**
 * Deletes a domain. Links stop working on the domain within 35 seconds. Throws `RESOURCE_NOT_FOUND`, or
 * `DOMAIN_IS_PRIMARY` if short URLs use this domain.
 */
export async function deleteDomain(tenant: Tenant, shards: readonly Database[], id: string): Promise<void> {
  const { directory, workspace, nowMs } = tenant;
  const selected = claimById(workspace.id, id);
  const hostname = sql`(select ${claims.hostname} from ${claims} where ${selected})`;
  const isInactive = sql`not exists (select 1 from ${domains} where ${domains.hostname} = ${claims.hostname}
                                        and ${domains.workspaceId} = ${claims.workspaceId})`;
  const isNotPrimary = sql`not exists (select 1 from ${domains} where ${domains.hostname} = ${claims.hostname}
                                          and ${domains.number} = ${selectPrimary(workspace.id)})`;
  const [, , , [removed]] = await directory.batch([
    logDirectoryChange(tenant, deleted(auditedDomain, and(selected, isNotPrimary))),
    ...deleteHost(directory, workspace.id, hostname, nowMs),
    directory.delete(claims).where(and(selected, isInactive)).returning({ hostname: claims.hostname }),
    trimHeldNames(directory, workspace.id),
  ]);
  if (removed !== undefined) {
    tenant.waitUntil(settleRemovedHost(directory, shards, removed.hostname));
    return;
  }
  const domain = await getDomain(tenant, id);
  throw new ApiError(
    "DOMAIN_IS_PRIMARY",
    `${domain.claim.hostname} is the primary domain. Make another domain primary first.`,
  );
}

/** Returns the condition for a workspace's claim. */
export function claimById(workspaceId: string, id: string): SQL | undefined {
  return and(eq(claims.workspaceId, workspaceId), eq(claims.id, id));
}

/** Formats a domain for a response. */
export function presentDomain(
  { settings }: Pick<Tenant, "settings">,
  { claim, isActive, isPrimary }: Domain,
): DomainResponse {
  const parse = (text: string | null) => (text === null ? null : JSON.parse(text));
  return {
    id: claim.id,
    hostname: claim.hostname,
    is_primary: isPrimary,
    root_url: claim.rootUrl,
    not_found_url: claim.notFoundUrl,
    expired_url: claim.expiredUrl,
    apple_app_site_association: parse(claim.appleAppSiteAssociation),
    assetlinks: parse(claim.assetlinks),
    status: isActive ? "active" : "pending",
    serves_api: isApiHost(settings, claim.hostname),
    created_at: toIso(claim.createdAt),
  };
}

/** Deletes some claims of a deleted workspace and returns their number. */
export function eraseClaims(directory: Database, workspaceId: string): Promise<number> {
  return deleteSome(directory, claims, [claims.id], eq(claims.workspaceId, workspaceId));
}

/** Returns the query for domains of a workspace. */
export function selectDomains(directory: Database, workspaceId: string, condition: SQL | undefined) {
  return directory
    .select({
      claim: claims,
      number: domains.number,
      primary: selectPrimary(workspaceId),
      isTaken: sql<number>`${selectIsTaken()}`,
      isKept: sql<number>`${isHeld(claims.hostname, claims.workspaceId)}`,
    })
    .from(claims)
    .leftJoin(
      domains,
      and(eq(domains.hostname, claims.hostname), eq(domains.workspaceId, claims.workspaceId)),
    )
    .where(and(eq(claims.workspaceId, workspaceId), condition))
    .$dynamic();
}

/** Returns the SQL expression that is 1 if another workspace has the host of a claim, otherwise 0. */
export function selectIsTaken(): SQL<number> {
  // Uses a table alias, because the query may join `domains` too.
  return sql`exists (select 1 from domains as other where other.hostname = ${claims.hostname}
                        and other.workspace_id <> ${claims.workspaceId})`;
}

/** Returns the error for a host that another workspace has. */
export function createTakenError(hostname: string): ApiError {
  return new ApiError("DOMAIN_TAKEN", `${hostname} belongs to another workspace.`);
}

interface Row {
  claim: typeof claims.$inferSelect;
  number: number | null;
  primary: number;
  isTaken: number;
  isKept: number;
}

function readDomain({ claim, number, primary, isTaken, isKept }: Row): Domain {
  return {
    claim,
    isActive: number !== null,
    isPrimary: number !== null && number === primary,
    isTaken: isTaken === 1,
    isKept: isKept === 1,
  };
}

/** Reads the first row of {@link selectDomains}. Throws `RESOURCE_NOT_FOUND` if there is none. */
export function requireDomain(row: Row | undefined): Domain {
  if (row === undefined) throw createNotFoundError("domain");
  return readDomain(row);
}

function createInactiveError(hostname: string): ApiError {
  return new ApiError(
    "DOMAIN_NOT_ACTIVE",
    `${hostname} is pending. Verify it before making it the primary domain.`,
  );
}
