import { and, asc, count, eq, notLike, type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { DELETED_FROM, DELETED_TO, IMPORT_END, readDeletionTime } from "./deleted-name.ts";
import { workspaces } from "./workspaces.directory.table.ts";

/** Workspace that is being erased. */
export interface DeletedWorkspace {
  id: string;
  shard: number;
  deletedAtMs: number;
}

/** Returns the condition for workspaces that are hidden, because they are being erased or imported. */
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
  const isDeleted = and(isErased(), notLike(workspaces.slug, `%${IMPORT_END}`));
  const [counted] = await directory.select({ total: count() }).from(workspaces).where(isDeleted);
  const turns = Math.ceil((counted?.total ?? 0) / limit);
  const rows = await directory
    .select({ id: workspaces.id, shard: workspaces.shard, slug: workspaces.slug })
    .from(workspaces)
    .where(isDeleted)
    .orderBy(asc(workspaces.slug))
    .limit(limit)
    .offset((turn % Math.max(1, turns)) * limit);
  return rows.map(({ id, shard, slug }) => ({ id, shard, deletedAtMs: readDeletionTime(slug) }));
}

/**
 * Deletes a workspace from the directory. Foreign keys prevent this while it still has keys, hosts, slugs or
 * members.
 */
export async function removeWorkspace(directory: Database, workspaceId: string): Promise<void> {
  await directory.delete(workspaces).where(eq(workspaces.id, workspaceId));
}
