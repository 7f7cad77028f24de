import { eq, not, type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { selectColumns } from "../db/select-columns.ts";
import { isResting } from "../tenant/transits.ts";
import { deletedSeries } from "./analytics.table.ts";
import { eraseSeries } from "./erase-series.ts";

/** Maximum number of owners whose series one step deletes. */
const STEP_OWNERS = 20;
/** Steps of one sweep. The next one goes on where it ends. */
const STEPS_MAX = 50;

/**
 * Returns the statement that marks the series of owners for the sweep. It belongs in the batch that deletes the owners,
 * before the deletion. `source` selects from a table `workspaceId` and `id`, the UUID of the owner.
 */
export function markSeriesDeleted(db: Database, workspaceId: SQL, id: SQL, source: SQL) {
  const owner = sql`unhex(replace(${id}, '-', ''))`;
  return db
    .insert(deletedSeries)
    .select(selectColumns(deletedSeries, { workspaceId, owner }, source))
    .onConflictDoNothing();
}

/** Deletes series of owners that were deleted, in bounded steps; for the cron. */
export async function sweepDeletedSeries(db: Database, nowMs: number): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step++) {
    if ((await eraseDeletedSeries(db, undefined, nowMs)) === 0) return;
  }
}

/**
 * Deletes some series of owners that were deleted, of one workspace or of all. Returns the number of rows; 0 if nothing
 * is left.
 */
export async function eraseDeletedSeries(
  db: Database,
  workspaceId: string | undefined,
  nowMs: number,
): Promise<number> {
  const selected =
    workspaceId === undefined
      ? not(isResting(deletedSeries.workspaceId))
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
