import { logError } from "../core/log.ts";
import type { Database, ShardDatabase } from "../db/database.ts";
import { findUsedSlugs } from "./bio.ts";
import { listUnsettled, releaseSlug, settleSlug } from "./slug-claims.ts";

/** Maximum number of claims per shard and run. */
const CLAIMS_PER_RUN = 100;

/**
 * Settles the claims that crashes left unsettled, and deletes the claims that no page uses. Called by the
 * cron. A failing shard doesn't stop the others.
 */
export async function sweepSlugs(
  directory: Database,
  shards: readonly ShardDatabase[],
  nowMs: number,
): Promise<void> {
  for (const { db, shard } of shards) {
    try {
      await sweepClaims(directory, db, shard, nowMs);
    } catch (error) {
      logError(`unsettled slugs of shard ${shard} wait for the next sweep`, error);
    }
  }
}

async function sweepClaims(directory: Database, db: Database, shard: number, nowMs: number): Promise<void> {
  const claims = await listUnsettled(directory, shard, nowMs, CLAIMS_PER_RUN);
  if (claims.length === 0) return;
  const used = await findUsedSlugs(db, claims);
  for (const claim of claims) {
    await (used.has(claim.slug) ? settleSlug : releaseSlug)(directory, claim);
  }
}
