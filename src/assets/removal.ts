import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { releaseUsage } from "../tenant/usage.ts";
import { assets, deletedAssets } from "./assets.table.ts";

/** Whose assets are removed, and when. */
interface Remover {
  db: Database;
  workspace: { id: string };
  nowMs: number;
}

/**
 * The statements, for one batch, that delete a workspace's assets, give back their storage, and remember whose bytes
 * have to go. Each of them finds the same assets, so that running twice at once removes them once.
 */
export function removeAssets(remover: Remover, which: SQL | undefined) {
  const { db, workspace, nowMs } = remover;
  const where = and(eq(assets.workspaceId, workspace.id), which);
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
        .where(where),
    ),
    releaseUsage(
      remover,
      "storage_bytes",
      sql`(select coalesce(sum(${assets.fileSize}), 0) from ${assets} where ${where})`,
    ),
    db.delete(assets).where(where).returning(),
  ] as const;
}
