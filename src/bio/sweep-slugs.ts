import { logError } from "../core/log.ts";
import type { Database, ShardDatabase } from "../db/database.ts";
import { findUsedSlugs } from "./bio.ts";
import { listUnsettled, releaseSlug, settleSlug } from "./slug-claims.ts";

/** Maximum number of claims of a shard that one run works on. */
const CLAIMS_PER_RUN = 100;

/**
 * Settles the claims of slugs that a crash left: gives up those that no page uses; for the cron. A shard that fails stops
 * no other.
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
