import { asc, gt } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { copyBlockedHosts, findLastBlocked } from "./blocked-host-copies.ts";
import { blockedHosts as blocked } from "./blocked-hosts.directory.table.ts";

const HOSTS_PER_STEP = 500;
const STEPS_MAX = 20;

/**
 * Copies changes of blocked hosts that a shard doesn't have yet from the directory. Called by the cron. The
 * administrator's command writes to the shards itself, so there is only work for a new shard and after a crash.
 */
export async function sweepBlockedHosts(directory: Database, shard: Database): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step++) {
    const hosts = await directory
      .select({ number: blocked.number, hostname: blocked.hostname, isBlocked: blocked.isBlocked })
      .from(blocked)
      .where(gt(blocked.number, await findLastBlocked(shard)))
      .orderBy(asc(blocked.number))
      .limit(HOSTS_PER_STEP);
    if (hosts.length > 0) await copyBlockedHosts(shard, hosts);
    if (hosts.length < HOSTS_PER_STEP) return;
  }
}
