import { and, asc, inArray, isNotNull, lte, sql } from "drizzle-orm";
import { runConcurrently } from "../core/run-concurrently.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import type { Settings } from "../env.ts";
import { isHeld } from "../tenant/held-names.ts";
import { activateDomain, type ProvedClaim } from "./activate-domain.ts";
import { domainClaims as claims } from "./claims.directory.table.ts";
import { findProof } from "./verify-domain.ts";
import { selectIsTaken } from "./workspace-domains.ts";

/** Time after which an unproved claim is deleted. */
const CLAIM_MS = 7 * DAY_MS;
/** Maximum interval between two lookups. Intervals start at a minute and double each time. */
const INTERVAL_MAX_MS = HOUR_MS;
/** Number of doublings after which {@link INTERVAL_MAX_MS} applies. */
const DOUBLINGS_MAX = 6;
/**
 * Limits of a run: number of lookups, number of concurrent lookups, and the time after which no lookup
 * starts.
 */
const CLAIMS_PER_RUN = 60;
const CONCURRENT_MAX = 5;
const RUN_MS = 20 * SECOND_MS;

/**
 * Looks up the proofs of pending domains that are due. Deletes claims that weren't proved within a week.
 * Called by the cron.
 */
export async function sweepClaims(
  directory: Database,
  shards: readonly Database[],
  settings: Settings,
  nowMs: number,
): Promise<void> {
  const isOld = and(isNotNull(claims.checkAt), lte(claims.createdAt, nowMs - CLAIM_MS));
  await deleteSome(directory, claims, [claims.id], isOld);
  const endsAtMs = Date.now() + RUN_MS;
  await runConcurrently(await takeDueClaims(directory, nowMs), CONCURRENT_MAX, async (claim) => {
    if (Date.now() >= endsAtMs) return;
    const { isProved } = await findProof(settings, claim);
    if (isProved) await activateDomain(directory, shards, claim, nowMs);
  });
}

/**
 * Returns some claims that are due. Schedules their next lookup first, so that a claim whose lookup fails
 * can't block the others. Hosts that another workspace has or had aren't looked up.
 */
async function takeDueClaims(directory: Database, nowMs: number): Promise<ProvedClaim[]> {
  const due = directory
    .select({ id: claims.id })
    .from(claims)
    .where(and(isNotNull(claims.checkAt), lte(claims.checkAt, nowMs)))
    .orderBy(asc(claims.checkAt))
    .limit(CLAIMS_PER_RUN);
  const intervalMs = sql`min(${INTERVAL_MAX_MS}, ${MINUTE_MS} << min(${claims.checks}, ${DOUBLINGS_MAX}))`;
  const taken = await directory
    .update(claims)
    .set({ checks: sql`${claims.checks} + 1`, checkAt: sql`${nowMs} + ${intervalMs}` })
    .where(inArray(claims.id, due))
    .returning({
      id: claims.id,
      workspaceId: claims.workspaceId,
      hostname: claims.hostname,
      isTaken: sql<number>`${selectIsTaken()} or ${isHeld(claims.hostname, claims.workspaceId)}`,
    });
  return taken.filter(({ isTaken }) => isTaken === 0);
}
