import type { Database } from "../db/database.ts";
import type { Settings } from "../env.ts";
import { createHeldError } from "../tenant/held-names.ts";
import { getShortLabel } from "../tenant/own-hosts.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { activateDomain, type ProvedClaim } from "./activate-domain.ts";
import { lookUpProof, type Proof } from "./look-up-proof.ts";
import { createTakenError, type Domain, getDomain } from "./workspace-domains.ts";

/**
 * Looks up the proof of a domain and activates the domain if the proof is found. `reason` says why the domain
 * is still pending. Throws `RESOURCE_NOT_FOUND`, or `DOMAIN_TAKEN` if another workspace has or had the host.
 */
export async function verifyDomain(
  tenant: Tenant,
  shards: readonly Database[],
  id: string,
): Promise<{ domain: Domain; reason: string | null }> {
  const domain = await getDomain(tenant, id);
  if (domain.isActive) return { domain, reason: null };
  const { directory, settings, nowMs } = tenant;
  const { claim, isTaken, isKept } = domain;
  if (isTaken) throw createTakenError(claim.hostname);
  if (isKept) throw createHeldError("DOMAIN_TAKEN", claim.hostname);
  const proof = await findProof(settings, claim);
  if (!proof.isProved) return { domain, reason: proof.reason };
  if (!(await activateDomain(directory, shards, claim, nowMs, tenant)))
    throw createTakenError(claim.hostname);
  return { domain: await getDomain(tenant, id), reason: null };
}

/** Looks up the proof of a claim. A host directly below `SHORT_DOMAIN` needs no proof. */
export async function findProof(settings: Settings, { hostname, id }: ProvedClaim): Promise<Proof> {
  return getShortLabel(settings, hostname) === null
    ? lookUpProof(settings, hostname, id)
    : { isProved: true };
}
