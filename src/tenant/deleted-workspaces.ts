import { and, asc, eq, gte, lt } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import { DELETED_FROM, DELETED_TO, readDeletionTime } from "./deleted-slug.ts";
import { domains, usageCounters, workspaces } from "./tenant.table.ts";

/** Workspace that is being erased. */
export interface DeletedWorkspace {
  id: string;
  deletedAtMs: number;
}

/** Returns some workspaces that are being erased. */
export async function listDeletedWorkspaces(db: Database, limit: number): Promise<DeletedWorkspace[]> {
  const rows = await db
    .select({ id: workspaces.id, slug: workspaces.slug })
    .from(workspaces)
    .where(and(gte(workspaces.slug, DELETED_FROM), lt(workspaces.slug, DELETED_TO)))
    .orderBy(asc(workspaces.slug))
    .limit(limit);
  return rows.map(({ id, slug }) => ({ id, deletedAtMs: readDeletionTime(slug) }));
}

/** Deletes some domains of a deleted workspace and returns their number. */
export function eraseDomains(db: Database, workspaceId: string): Promise<number> {
  return deleteSome(db, domains, [domains.hostname], eq(domains.workspaceId, workspaceId));
}

/** Deletes some usage counters of a deleted workspace and returns their number. */
export function eraseUsage(db: Database, workspaceId: string): Promise<number> {
  const { workspaceId: owner, resource, cycle } = usageCounters;
  return deleteSome(db, usageCounters, [owner, resource, cycle], eq(owner, workspaceId));
}

/** Deletes a workspace. Foreign keys reject this as long as it has resources. */
export async function removeWorkspace(db: Database, workspaceId: string): Promise<void> {
  await db.delete(workspaces).where(eq(workspaces.id, workspaceId));
}
