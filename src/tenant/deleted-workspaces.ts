import { asc, count, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { DELETED_FROM, DELETED_TO, readDeletionTime } from "./deleted-name.ts";
import { domains, workspaces } from "./workspaces.directory.table.ts";

/** Maximum number of hosts erased per step. */
const HOSTS_PER_STEP = 50;

/** Workspace that is being erased. */
export interface DeletedWorkspace {
  id: string;
  shard: number;
  deletedAtMs: number;
}

/** Returns the condition for workspaces that are being erased. */
export function isErased(): SQL {
  return sql`(${workspaces.slug} >= ${DELETED_FROM} and ${workspaces.slug} < ${DELETED_TO})`;
}

/**
 * Returns some workspaces that are being erased. `turn` must increase with each run. It selects a different
 * page each time, so that slow workspaces don't block the others.
 */
export async function listDeletedWorkspaces(
  directory: Database,
  limit: number,
  turn: number,
): Promise<DeletedWorkspace[]> {
  const [counted] = await directory.select({ total: count() }).from(workspaces).where(isErased());
  const turns = Math.ceil((counted?.total ?? 0) / limit);
  const rows = await directory
    .select({ id: workspaces.id, shard: workspaces.shard, slug: workspaces.slug })
    .from(workspaces)
    .where(isErased())
    .orderBy(asc(workspaces.slug))
    .limit(limit)
    .offset((turn % Math.max(1, turns)) * limit);
  return rows.map(({ id, shard, slug }) => ({ id, shard, deletedAtMs: readDeletionTime(slug) }));
}

/** Returns the names of some hosts of a deleted workspace. */
export async function listErasedHosts(directory: Database, workspaceId: string): Promise<string[]> {
  const rows = await directory
    .select({ hostname: domains.hostname })
    .from(domains)
    .where(eq(domains.workspaceId, workspaceId))
    .limit(HOSTS_PER_STEP);
  return rows.map(({ hostname }) => hostname);
}

/** Returns the hosts that workspaces currently have. */
export async function findUsedHosts(directory: Database, hostnames: readonly string[]): Promise<Set<string>> {
  const rows = await directory
    .select({ hostname: domains.hostname })
    .from(domains)
    .where(inArray(domains.hostname, [...hostnames]));
  return new Set(rows.map(({ hostname }) => hostname));
}

export async function removeHosts(directory: Database, hostnames: readonly string[]): Promise<void> {
  await directory.delete(domains).where(inArray(domains.hostname, [...hostnames]));
}

/**
 * Deletes a workspace from the directory. Foreign keys prevent this while it still has keys, hosts, slugs or
 * members.
 */
export async function removeWorkspace(directory: Database, workspaceId: string): Promise<void> {
  await directory.delete(workspaces).where(eq(workspaces.id, workspaceId));
}
