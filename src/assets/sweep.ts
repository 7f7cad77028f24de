import { and, asc, eq, lte, sql } from "drizzle-orm";
import { DAY_MS, HOUR_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { inJson } from "../db/in-json.ts";
import { assets, deletedAssets } from "./assets.table.ts";
import { removeAssets } from "./removal.ts";
import { type Buckets, DELETE_MAX_KEYS, removeFiles, UPLOAD_MAX_MS } from "./storage.ts";

/** How long an asset may stay pending (decisions section 6). */
const PENDING_MAX_MS = DAY_MS;

/** Past this, no upload or publication that began before a deletion can still write its bytes. */
const LATE_WRITE_MS = UPLOAD_MAX_MS + HOUR_MS;

/** Assets given up in one run; the next takes the rest. */
const STEP = 500;

/** Gives up uploads that were never confirmed, and removes the bytes of what was deleted; called by the cron. */
export async function sweepAssets(db: Database, buckets: Buckets, nowMs: number): Promise<void> {
  await giveUpPending(db, nowMs);
  await removeDeleted(db, buckets, nowMs);
}

async function giveUpPending(db: Database, nowMs: number): Promise<void> {
  const isAbandoned = and(eq(assets.status, "pending"), lte(assets.createdAt, nowMs - PENDING_MAX_MS));
  const abandoned = await db
    .select({ id: assets.id, workspaceId: assets.workspaceId })
    .from(assets)
    .where(isAbandoned)
    .orderBy(asc(assets.createdAt))
    .limit(STEP);
  for (const [workspaceId, found] of Map.groupBy(abandoned, (asset) => asset.workspaceId)) {
    const remover = { db, workspace: { id: workspaceId }, nowMs };
    const isFound = inJson(
      assets.id,
      found.map(({ id }) => id),
    );
    await db.batch(removeAssets(remover, and(isAbandoned, isFound)));
  }
}

/**
 * Removes bytes twice: at once, and again when nothing that was under way at the deletion can write any more. Only
 * then the deletion is forgotten. Ids never come back, so removing once too often cannot hit another file.
 */
async function removeDeleted(db: Database, buckets: Buckets, nowMs: number): Promise<void> {
  const due = await db
    .select()
    .from(deletedAssets)
    .where(lte(deletedAssets.dueAt, nowMs))
    .orderBy(asc(deletedAssets.dueAt))
    .limit(DELETE_MAX_KEYS);
  if (due.length === 0) return;
  await removeFiles(
    buckets,
    due.map(({ assetId, workspaceId, filename }) => ({ id: assetId, workspaceId, filename })),
  );
  const isRemoved = inJson(
    deletedAssets.assetId,
    due.map(({ assetId }) => assetId),
  );
  await db.batch([
    db.delete(deletedAssets).where(and(isRemoved, lte(deletedAssets.deletedAt, nowMs - LATE_WRITE_MS))),
    db
      .update(deletedAssets)
      .set({ dueAt: sql`${deletedAssets.deletedAt} + ${LATE_WRITE_MS}` })
      .where(isRemoved),
  ]);
}
