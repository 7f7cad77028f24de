import { createNotFoundError } from "../core/error.ts";
import { toIso } from "../core/time.ts";
import type { Host } from "../resolving/host-read.ts";
import { decideOutcome, nameRule, OUTCOME_STATUS, PERSON } from "../resolving/outcome.ts";
import { buildTarget, SUSPENDED, type Target } from "../resolving/target.ts";
import { DescribedVisitor, type VisitorDescription } from "../routing/described-visitor.ts";
import { explainRules } from "../routing/explain-rules.ts";
import type { RequestVisitor } from "../routing/visitor.ts";
import { readBlocked } from "../safety/blocked-hosts.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { linkById, selectBlockedHosts, selectOwnHosts } from "./link-writes.ts";
import { links } from "./links.table.ts";

/** Host settings with the URL that replaces the error page of an outcome. */
const FALLBACKS = { gone: "expiredUrl", unknown: "notFoundUrl" } as const;

/** Sources for facts that aren't stored with the link. */
export interface VisitSources {
  /** Returns true if a link with a scan limit has no scans left. Doesn't use up a scan. */
  isUsedUp(target: Target): Promise<boolean>;
  /** Returns a short host's settings. */
  findHost(hostname: string): Promise<Host | null>;
}

/**
 * Explains what a visitor of a link currently gets on the workspace's primary domain. Counts no scan. Throws
 * `RESOURCE_NOT_FOUND`.
 */
export async function resolveLink(
  tenant: Tenant,
  linkId: string,
  { at, ...visitor }: VisitorDescription & { at?: number | undefined },
  { isUsedUp, findHost }: VisitSources,
) {
  const { db, workspace, settings, nowMs } = tenant;
  const byId = linkById(workspace.id, linkId);
  const [[link], own, blocked] = await db.batch([
    db.select().from(links).where(byId),
    selectOwnHosts(tenant, byId),
    selectBlockedHosts(tenant, byId),
  ]);
  if (link === undefined) throw createNotFoundError("link");
  const ownHosts = own.map(({ hostname }) => hostname);
  const target =
    workspace.suspendedAt === null ? buildTarget(link, ownHosts, readBlocked(blocked), settings) : SUSPENDED;
  const explained = explainVisit(target, new DescribedVisitor(visitor), at ?? nowMs, await isUsedUp(target));
  if (explained.outcome !== "gone" && explained.outcome !== "unknown") return explained;
  const host = await findHost(workspace.hostnames[0]);
  const address = host?.[FALLBACKS[explained.outcome]] ?? null;
  return address === null
    ? explained
    : { ...explained, status: OUTCOME_STATUS.expired, destination: address };
}

/** Explains what a visitor gets who requests a link by its code and hasn't entered a password. */
export function explainVisit(target: Target, visitor: RequestVisitor, atMs: number, isUsedUp: boolean) {
  const access = { ...PERSON, traffic: visitor.traffic, isBrowser: visitor.isBrowser, isUsedUp };
  const outcome = decideOutcome(target, visitor, atMs, access);
  const { routingRules, id } = target;
  const rules = explainRules(routingRules, visitor, id, atMs).map(({ failed, seen }, index) => ({
    name: nameRule(routingRules[index] ?? {}, index),
    matched: failed === null,
    failed,
    seen,
  }));
  return {
    status: OUTCOME_STATUS[outcome.status],
    outcome: outcome.status,
    destination: "location" in outcome ? outcome.location : null,
    rule: "rule" in outcome ? outcome.rule : null,
    rules,
    at: toIso(atMs),
  };
}
