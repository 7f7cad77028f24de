import { asc, eq, gt, lte, sql } from "drizzle-orm";
import { logError } from "../core/log.ts";
import { MINUTE_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { copyHosts, findLastCopied, removeHostCopies } from "./host-copies.ts";
import { findUsedHosts } from "./host-ownership.ts";
import { domains, unsettledHosts } from "./workspaces.directory.table.ts";

/** Bounds of one copying run: hosts per step, and steps. */
const HOSTS_PER_STEP = 500;
const STEPS_MAX = 20;
/**
 * Age from which a mark in `unsettled_hosts` must be left over from a crash, because no request takes that
 * long.
 */
const CRASHED_MS = 10 * MINUTE_MS;
/** Maximum number of hosts settled per run. */
const HOSTS_PER_RUN = 50;

/** Host whose copies may differ from the directory. */
type UnsettledHost = typeof unsettledHosts.$inferSelect;

/**
 * Copies hosts that a shard doesn't have yet from the directory. Called by the cron. Adding a host writes it
 * to the shards first, so there is only work for a new shard and after a crash.
 */
export async function sweepHostCopies(directory: Database, shard: Database): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step++) {
    const hosts = await directory
      .select({ number: domains.number, hostname: domains.hostname })
      .from(domains)
      .where(gt(domains.number, await findLastCopied(shard)))
      .orderBy(asc(domains.number))
      .limit(HOSTS_PER_STEP);
    if (hosts.length > 0) await copyHosts(shard, hosts);
    if (hosts.length < HOSTS_PER_STEP) return;
  }
}

/** Settles hosts of deleted workspaces and hosts left over from crashes. Called by the cron. */
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
  await settle(directory, shards, left);
}

/** Removes the copies of a recently removed host. Never throws, because the sweep retries. */
export async function settleRemovedHost(
  directory: Database,
  shards: readonly Database[],
  hostname: string,
): Promise<void> {
  try {
    const marked = await directory.select().from(unsettledHosts).where(eq(unsettledHosts.hostname, hostname));
    await settle(directory, shards, marked);
  } catch (error) {
    logError("the copies of a removed host could not be deleted; the sweep will delete them", error);
  }
}

/**
 * Adjusts the copies of hosts to the directory. If another request adds a host at the same time, the mark of
 * that host has a different time and stays; the cron then copies the host again with its number.
 */
async function settle(
  directory: Database,
  shards: readonly Database[],
  hosts: readonly UnsettledHost[],
): Promise<void> {
  if (hosts.length === 0) return;
  const used = await findUsedHosts(
    directory,
    hosts.map(({ hostname }) => hostname),
  );
  const removed = hosts.filter(({ hostname }) => !used.has(hostname));
  const kept = [...used].map((hostname) => ({ hostname, number: null }));
  await Promise.all(
    shards.map((shard) => shard.batch([copyHosts(shard, kept), removeHostCopies(shard, removed)])),
  );
  const marks = sql`(select value ->> 'hostname', value ->> 'unsettledAt' from json_each(${JSON.stringify(hosts)}))`;
  await directory
    .delete(unsettledHosts)
    .where(sql`(${unsettledHosts.hostname}, ${unsettledHosts.unsettledAt}) in ${marks}`);
}
