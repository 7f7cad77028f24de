import { and, asc, eq, lte } from "drizzle-orm";
import { logError } from "../core/log.ts";
import { MINUTE_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { findUsedHosts } from "./deleted-workspaces.ts";
import { copyHostname, removeHostCopy } from "./own-host-copies.ts";
import { unsettledHosts } from "./workspaces.directory.table.ts";

/** Age from which a mark must be left over from a crash. Longer than any request lives. */
const CRASHED_MS = 10 * MINUTE_MS;
/** Maximum number of hosts settled per run. */
const HOSTS_PER_RUN = 50;

/** Host whose copies may differ from the directory. */
type UnsettledHost = typeof unsettledHosts.$inferSelect;

/** Settles hosts left over from crashes. Called by the cron. */
export async function sweepUnsettledHosts(
  directory: Database,
  shards: readonly Database[],
  nowMs: number,
): Promise<void> {
  const left = await directory
    .select()
    .from(unsettledHosts)
    .where(lte(unsettledHosts.unsettledAt, nowMs - CRASHED_MS))
    .orderBy(asc(unsettledHosts.unsettledAt))
    .limit(HOSTS_PER_RUN);
  for (const host of left) await settle(directory, shards, host);
}

/** Removes the copies of a recently removed host. Never throws, because the sweep retries. */
export async function settleRemovedHost(
  directory: Database,
  shards: readonly Database[],
  hostname: string,
): Promise<void> {
  try {
    const [host] = await directory.select().from(unsettledHosts).where(eq(unsettledHosts.hostname, hostname));
    if (host !== undefined) await settle(directory, shards, host);
  } catch (error) {
    logError("the copies of a removed host could not be deleted; the sweep will delete them", error);
  }
}

/**
 * Adjusts the copies of a host to the directory. If another request adds the host at the same time, its mark
 * has another time and stays; the cron then copies the host again with its number.
 */
async function settle(directory: Database, shards: readonly Database[], host: UnsettledHost): Promise<void> {
  const { hostname, unsettledAt } = host;
  const isUsed = (await findUsedHosts(directory, [hostname])).has(hostname);
  await Promise.all(
    shards.map((shard) => (isUsed ? copyHostname(shard, hostname) : removeHostCopy(shard, host))),
  );
  const isSame = and(eq(unsettledHosts.hostname, hostname), eq(unsettledHosts.unsettledAt, unsettledAt));
  await directory.delete(unsettledHosts).where(isSame);
}
