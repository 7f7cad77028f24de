import { eq, not, type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { selectColumns } from "../db/select-columns.ts";
import { isLockedByMove } from "../tenant/transits.ts";
import { deletedSeries } from "./analytics.table.ts";
import { eraseSeries } from "./erase-series.ts";

/** Maximum number of owners (deleted bio pages) whose series are deleted in one step. */
const STEP_OWNERS = 20;
/** Maximum number of steps in one sweep. The next sweep deletes the rest. */
const STEPS_MAX = 50;

/**
 * Returns the statement that marks owners (bio pages) that are about to be deleted, so that
 * {@link sweepDeletedSeries} deletes their series. Put it before the statement that deletes the owners, in the
 * same batch. `source` is the `from` part of a select; `workspaceId` and `id` (UUID of the owner) are
 * expressions over its columns.
 */
export function markSeriesDeleted(db: Database, workspaceId: SQL, id: SQL, source: SQL) {
  const owner = sql`unhex(replace(${id}, '-', ''))`;
  return db
    .insert(deletedSeries)
    .select(selectColumns(deletedSeries, { workspaceId, owner }, source))
    .onConflictDoNothing();
}

/** Deletes the series of marked owners in bounded steps. Called by the cron. */
export async function sweepDeletedSeries(db: Database, nowMs: number): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step++) {
    if ((await eraseDeletedSeries(db, undefined, nowMs)) === 0) return;
  }
}

/**
 * Deletes some rows of marked owners' series, in one workspace or, if `workspaceId` is undefined, in all
 * workspaces that aren't locked by a move. Deletes the marks once their series have no rows. Returns the
 * number of deleted rows or marks, 0 if nothing is left.
 */
export async function eraseDeletedSeries(
  db: Database,
  workspaceId: string | undefined,
  nowMs: number,
): Promise<number> {
  const selected =
    workspaceId === undefined
      ? not(isLockedByMove(deletedSeries.workspaceId))
      : eq(deletedSeries.workspaceId, workspaceId);
  const marks = await db
    .select({
      workspaceId: deletedSeries.workspaceId,
      owner: sql<string>`lower(hex(${deletedSeries.owner}))`,
    })
    .from(deletedSeries)
    .where(selected)
    .limit(STEP_OWNERS);
  if (marks.length === 0) return 0;
  const deleted = await eraseSeries(
    db,
    marks.map(({ owner }) => owner),
    nowMs,
  );
  if (deleted > 0) return deleted;
  const keys = JSON.stringify(marks.map(({ workspaceId, owner }) => [workspaceId, owner]));
  await db.delete(deletedSeries).where(
    sql`(${deletedSeries.workspaceId}, ${deletedSeries.owner}) in
          (select value ->> 0, unhex(value ->> 1) from json_each(${keys}))`,
  );
  return marks.length;
}
