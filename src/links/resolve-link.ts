import { createNotFoundError } from "../core/error.ts";
import { toIso } from "../core/time.ts";
import { decideOutcome, nameRule, OUTCOME_STATUS, PERSON } from "../redirect/outcome.ts";
import { buildTarget, type Target } from "../redirect/target.ts";
import { DescribedVisitor, type VisitorDescription } from "../routing/described-visitor.ts";
import { explainRules } from "../routing/explain-rules.ts";
import type { RequestVisitor } from "../routing/visitor.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { linkById, selectOwnHosts } from "./link-writes.ts";
import { links } from "./links.table.ts";

/**
 * Explains what a visitor of a link gets, as it is stored now. Counts nothing and uses no scan up; `isUsedUp` tells whether
 * one is left of a link with a limit. Throws `RESOURCE_NOT_FOUND`.
 */
export async function resolveLink(
  tenant: Tenant,
  linkId: string,
  { at, ...visitor }: VisitorDescription & { at?: number | undefined },
  isUsedUp: (target: Target) => Promise<boolean>,
) {
  const { db, workspace, settings, nowMs } = tenant;
  const byId = linkById(workspace.id, linkId);
  const [[link], own] = await db.batch([db.select().from(links).where(byId), selectOwnHosts(tenant, byId)]);
  if (link === undefined) throw createNotFoundError("link");
  const ownHosts = own.map(({ hostname }) => hostname);
  const target = buildTarget(link, ownHosts, settings);
  return explainVisit(target, new DescribedVisitor(visitor), at ?? nowMs, await isUsedUp(target));
}

/** Explains what a visitor who requests a link by its code, and knows no password, gets. */
export function explainVisit(target: Target, visitor: RequestVisitor, atMs: number, isUsedUp: boolean) {
  const access = { ...PERSON, traffic: visitor.traffic, isUsedUp };
  const outcome = decideOutcome(target, target.shortCode, visitor, atMs, access);
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
