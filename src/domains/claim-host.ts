import { and, eq, sql } from "drizzle-orm";
import { created, deleted } from "../audit/describe-changes.ts";
import { logDirectoryChange } from "../audit/directory-log.ts";
import { ApiError, createValidationError } from "../core/error.ts";
import { MINUTE_MS } from "../core/time.ts";
import { isUniqueViolation } from "../db/constraint.ts";
import type { Database } from "../db/database.ts";
import { heldNames } from "../tenant/held-names.directory.table.ts";
import { createHeldError, hasRule, isHeld } from "../tenant/held-names.ts";
import { findDomainProblem, getShortLabel } from "../tenant/own-hosts.ts";
import { PLANS } from "../tenant/plans.ts";
import { deriveId, recover } from "../tenant/request-origin.ts";
import { isReservedLabel } from "../tenant/reserved-names.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { domains, workspaces } from "../tenant/workspaces.directory.table.ts";
import { activateDomain } from "./activate-domain.ts";
import { domainClaims as claims } from "./claims.directory.table.ts";
import { auditedDomain, CLAIMED } from "./domain-audit.ts";
import { findLinkedHosts, rejectUnfitUrls, toColumns } from "./domain-settings.ts";
import type { NewDomain } from "./domains.schema.ts";
import {
  claimById,
  createTakenError,
  type Domain,
  getDomain,
  requireDomain,
  selectDomains,
} from "./workspace-domains.ts";

/** Time from a claim to the first lookup of its proof. */
const FIRST_CHECK_MS = MINUTE_MS;

const HOSTNAME_COLUMNS = ["domain_claims.workspace_id", "domain_claims.hostname"] as const;

/**
 * Adds a domain to the workspace. A host directly below `SHORT_DOMAIN` is active immediately, any other host
 * once its DNS record is found. Throws `VALIDATION_ERROR`, `PLAN_LIMIT_EXCEEDED` or `DOMAIN_TAKEN`.
 */
export async function createDomain(
  tenant: Tenant,
  shards: readonly Database[],
  input: NewDomain,
): Promise<Domain> {
  const { directory, settings, workspace, nowMs } = tenant;
  const { hostname } = input;
  const problem = findDomainProblem(settings, hostname);
  if (problem !== null) throw createValidationError({ field: "hostname", message: problem });
  rejectUnfitUrls(settings, await findLinkedHosts(tenant, input), hostname, input);
  const domain = (await recover(tenant, getDomain)) ?? (await insertClaim(tenant, input));
  if (domain.isActive || getShortLabel(settings, hostname) === null) return domain;
  const isActive = await activateDomain(directory, shards, domain.claim, nowMs, tenant);
  if (isActive) return getDomain(tenant, domain.claim.id);
  const byId = claimById(workspace.id, domain.claim.id);
  await directory.batch([
    logDirectoryChange(tenant, deleted(auditedDomain, byId)),
    directory.delete(claims).where(byId),
  ]);
  throw createTakenError(hostname);
}

/**
 * Inserts the claim if the plan allows another domain and the workspace may have the host. A single statement
 * checks all conditions, so that concurrent requests can't violate them.
 */
async function insertClaim(tenant: Tenant, { hostname, ...input }: NewDomain): Promise<Domain> {
  const { directory, settings, workspace, nowMs } = tenant;
  const row = {
    id: deriveId(tenant),
    hostname,
    checkAt: nowMs + FIRST_CHECK_MS,
    ...toColumns(settings, input, 1),
  };
  const cap = PLANS[workspace.plan].domains;
  const { used, isTaken, isReserved } = buildConditions(tenant, hostname);
  const isKept = isHeld(hostname, workspace.id);
  const columns = sql.join(
    [
      sql`${row.id}, ${workspace.id}, ${hostname}, ${nowMs}, 1, ${row.checkAt}, 0`,
      sql`${row.rootUrl ?? null}, ${row.rootHost ?? null}, ${row.notFoundUrl ?? null}, ${row.notFoundHost ?? null}`,
      sql`${row.expiredUrl ?? null}, ${row.expiredHost ?? null}, ${row.documentVersion ?? 0}`,
      sql`${row.appleAppSiteAssociation ?? null}, ${row.assetlinks ?? null}`,
    ],
    sql`, `,
  );
  const insert = directory
    .insert(claims)
    .select(
      sql`select ${columns} where ${used} < ${cap} and not ${isTaken} and not ${isReserved} and not ${isKept}`,
    )
    .returning({ id: claims.id });
  const reasons = directory
    .select({
      used: sql<number>`${used}`,
      isTaken: sql<number>`${isTaken}`,
      isReserved: sql<number>`${isReserved}`,
    })
    .from(workspaces)
    .where(eq(workspaces.id, workspace.id));
  const byId = eq(claims.id, row.id);
  const select = selectDomains(directory, workspace.id, byId);
  const claimed = created(auditedDomain, and(byId, eq(claims.workspaceId, workspace.id)), CLAIMED);
  const batch = directory.batch([insert, reasons, select, logDirectoryChange(tenant, claimed)]);
  const [[inserted], [state], [domain]] = await batch.catch((error) => {
    if (!isUniqueViolation(error, ...HOSTNAME_COLUMNS)) throw error;
    throw new ApiError("DOMAIN_TAKEN", `The workspace already has the domain ${hostname}.`);
  });
  if (inserted !== undefined) return requireDomain(domain);
  if (state?.isReserved === 1) {
    throw createValidationError({ field: "hostname", message: `must not be ${hostname}, which is reserved` });
  }
  if ((state?.used ?? cap) < cap) {
    throw state?.isTaken === 1 ? createTakenError(hostname) : createHeldError("DOMAIN_TAKEN", hostname);
  }
  const noun = cap === 1 ? "domain" : "domains";
  throw new ApiError("PLAN_LIMIT_EXCEEDED", `The ${workspace.plan} plan allows ${cap} ${noun}.`);
}

/**
 * Builds the SQL expressions for the number of domains that count against the plan, for whether another
 * workspace has the host, and for whether the host is reserved. A name directly below `SHORT_DOMAIN` belongs to the workspace with that slug, even
 * if that workspace has no such host.
 */
function buildConditions({ settings, workspace }: Tenant, hostname: string) {
  const label = getShortLabel(settings, hostname) ?? "";
  const used = sql`(select count(*) from ${claims}
                     where ${claims.workspaceId} = ${workspace.id} and ${claims.isCounted})`;
  const isTaken = sql`(exists (select 1 from ${domains}
                                where ${domains.hostname} = ${hostname} and ${domains.workspaceId} <> ${workspace.id})
                    or exists (select 1 from ${workspaces}
                                where ${workspaces.slug} = ${label} and ${workspaces.id} <> ${workspace.id}))`;
  const isReserved = sql`(${isReservedLabel(label) ? sql`not ${hasRule(hostname)} or` : sql``}
    exists (select 1 from ${heldNames} where ${heldNames.name} = ${hostname} and ${heldNames.rule} = 'reserved'))`;
  return { used, isTaken, isReserved };
}
