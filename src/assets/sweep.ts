import { and, asc, eq, lte, not, sql } from "drizzle-orm";
import { DAY_MS, HOUR_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { inJson } from "../db/in-json.ts";
import { isLockedByMove } from "../tenant/transits.ts";
import { assets, deletedAssets } from "./assets.table.ts";
import { removeAssets } from "./removal.ts";
import { type Buckets, DELETE_MAX_KEYS, removeFiles, UPLOAD_MAX_MS } from "./storage.ts";

/** Age at which a pending asset is removed. */
const PENDING_MAX_MS = DAY_MS;

/**
 * Time after a deletion during which an upload or publication that began earlier can still write its file.
 */
const LATE_WRITE_MAX_MS = UPLOAD_MAX_MS + HOUR_MS;

/** Maximum number of pending assets that one run removes. */
const PENDING_BATCH_SIZE = 500;

/** Removes assets that were never confirmed, and the files of deleted assets. Called by the cron. */
export async function sweepAssets(db: Database, buckets: Buckets, nowMs: number): Promise<void> {
  try {
    await removeAbandonedAssets(db, nowMs);
  } finally {
    await removeDeletedFiles(db, buckets, nowMs);
  }
}

async function removeAbandonedAssets(db: Database, nowMs: number): Promise<void> {
  const abandonedAssets = and(
    eq(assets.status, "pending"),
    lte(assets.createdAt, nowMs - PENDING_MAX_MS),
    not(isLockedByMove(assets.workspaceId)),
  );
  const abandoned = await db
    .select({ id: assets.id, workspaceId: assets.workspaceId })
    .from(assets)
    .where(abandonedAssets)
    .orderBy(asc(assets.createdAt))
    .limit(PENDING_BATCH_SIZE);
  for (const [workspaceId, group] of Map.groupBy(abandoned, (asset) => asset.workspaceId)) {
    const removal = { db, workspace: { id: workspaceId }, nowMs };
    const selectedAssets = inJson(
      assets.id,
      group.map(({ id }) => id),
    );
    await db.batch(removeAssets(removal, and(abandonedAssets, selectedAssets)));
  }
}

/**
 * Deletes some assets of a deleted workspace. Returns the number of deleted assets, and whether any files are
 * left. `sweepAssets` removes the files, and two hours later the records of these files.
 */
export async function eraseAssets(
  db: Database,
  workspaceId: string,
  nowMs: number,
): Promise<{ deleted: number; areFilesLeft: boolean }> {
  const some = await db
    .select({ id: assets.id })
    .from(assets)
    .where(eq(assets.workspaceId, workspaceId))
    .limit(PENDING_BATCH_SIZE);
  const ids = some.map(({ id }) => id);
  if (ids.length > 0) {
    await db.batch(removeAssets({ db, workspace: { id: workspaceId }, nowMs }, inJson(assets.id, ids)));
  }
  const [file] = await db
    .select({ id: deletedAssets.assetId })
    .from(deletedAssets)
    .where(eq(deletedAssets.workspaceId, workspaceId))
    .limit(1);
  return { deleted: ids.length, areFilesLeft: file !== undefined };
}

/**
 * Removes the files of each deleted asset twice: soon after the deletion, and again when earlier uploads and
 * publications can no longer write them. The second removal also deletes the record. Asset ids are never
 * reused, so a repeated removal can't affect other files.
 */
async function removeDeletedFiles(db: Database, buckets: Buckets, nowMs: number): Promise<void> {
  const due = await db
    .select()
    .from(deletedAssets)
    .where(and(lte(deletedAssets.dueAt, nowMs), not(isLockedByMove(deletedAssets.workspaceId))))
    .orderBy(asc(deletedAssets.dueAt))
    .limit(DELETE_MAX_KEYS);
  if (due.length === 0) return;
  await removeFiles(
    buckets,
    due.map(({ assetId, workspaceId, filename }) => ({ id: assetId, workspaceId, filename })),
  );
  const removedAssets = inJson(
    deletedAssets.assetId,
    due.map(({ assetId }) => assetId),
  );
  await db.batch([
    db
      .delete(deletedAssets)
      .where(and(removedAssets, lte(deletedAssets.deletedAt, nowMs - LATE_WRITE_MAX_MS))),
    db
      .update(deletedAssets)
      .set({ dueAt: sql`${deletedAssets.deletedAt} + ${LATE_WRITE_MAX_MS}` })
      .where(removedAssets),
  ]);
}
