import type { Database, ShardDatabase } from "../db/database.ts";
import { hasPage } from "./bio.ts";
import { listUnsettled, releaseSlug, settleSlug } from "./slug-claims.ts";

/** Maximum number of claims that one run works on. */
const CLAIMS_PER_RUN = 100;

/** Settles the claims of slugs that a crash left: gives up those without a page; for the cron. */
export async function sweepSlugs(
  directory: Database,
  openShard: (shard: number) => ShardDatabase,
  nowMs: number,
): Promise<void> {
  for (const { slug, workspaceId, pageId, shard } of await listUnsettled(directory, nowMs, CLAIMS_PER_RUN)) {
    const isUsed = await hasPage(openShard(shard).db, workspaceId, pageId);
    await (isUsed ? settleSlug : releaseSlug)(directory, slug, pageId);
  }
}
