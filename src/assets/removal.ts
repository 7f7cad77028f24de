import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { releaseUsage } from "../tenant/usage.ts";
import { assets, deletedAssets } from "./assets.table.ts";

/** Workspace whose assets are removed, and the time of the removal. */
interface Removal {
  db: Database;
  workspace: { id: string };
  nowMs: number;
}

/**
 * Returns the statements that delete a workspace's assets, release their storage and record the files to
 * remove. Run them in one batch. All of them select the same rows, so concurrent removals release the storage
 * only once.
 */
export function removeAssets(removal: Removal, condition: SQL | undefined) {
  const { db, workspace, nowMs } = removal;
  const removedAssets = and(eq(assets.workspaceId, workspace.id), condition);
  return [
    db.insert(deletedAssets).select(
      db
        .select({
          assetId: assets.id,
          workspaceId: assets.workspaceId,
          filename: assets.filename,
          deletedAt: sql<number>`${nowMs}`.as("deleted_at"),
          dueAt: sql<number>`${nowMs}`.as("due_at"),
        })
        .from(assets)
        .where(removedAssets),
    ),
    releaseUsage(
      removal,
      "storage_bytes",
      sql`(select coalesce(sum(${assets.fileSize}), 0) from ${assets} where ${removedAssets})`,
    ),
    db.delete(assets).where(removedAssets).returning(),
  ] as const;
}
