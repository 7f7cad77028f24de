import { and, asc, gt, lt, or } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { DELETED_FROM, DELETED_TO, readFormerName } from "./deleted-name.ts";
import { findUsedHosts, listErasedHosts, removeHosts } from "./deleted-workspaces.ts";
import { copyHosts, findLastCopied, type NumberedHost, removeHostCopies } from "./own-host-copies.ts";
import { domains } from "./workspaces.directory.table.ts";

/** Bounds of one run: hosts per step, and steps. */
const HOSTS_PER_STEP = 500;
const STEPS_MAX = 20;

/**
 * Copies hosts that a shard doesn't have yet from the directory. Called by the cron. Adding a host writes it
 * to the shards first, so there is only work for a new shard and after a crash.
 */
export async function sweepHostCopies(directory: Database, shard: Database): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step++) {
    const hosts = await listHosts(directory, await findLastCopied(shard));
    if (hosts.length > 0) await copyHosts(shard, hosts);
    if (hosts.length < HOSTS_PER_STEP) return;
  }
}

function listHosts(directory: Database, after: number): Promise<NumberedHost[]> {
  const living = or(lt(domains.hostname, DELETED_FROM), gt(domains.hostname, DELETED_TO));
  return directory
    .select({ number: domains.number, hostname: domains.hostname })
    .from(domains)
    .where(and(gt(domains.number, after), living))
    .orderBy(asc(domains.number))
    .limit(HOSTS_PER_STEP);
}

/**
 * Erases some hosts of a deleted workspace and returns their number. First deletes their copies on all
 * shards, except for hosts that another workspace now has.
 */
export async function eraseHosts(
  directory: Database,
  shards: readonly Database[],
  workspaceId: string,
): Promise<number> {
  const deletedNames = await listErasedHosts(directory, workspaceId);
  if (deletedNames.length === 0) return 0;
  const hostnames = deletedNames.map(readFormerName);
  const used = await findUsedHosts(directory, hostnames);
  const free = hostnames.filter((hostname) => !used.has(hostname));
  for (const shard of shards) await removeHostCopies(shard, free);
  await removeHosts(directory, deletedNames);
  return deletedNames.length;
}
