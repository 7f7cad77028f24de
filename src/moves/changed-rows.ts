import { prepareGuard } from "../tenant/transits.ts";
import { MOVED_TABLES } from "./moved-tables.ts";
import type { MovingWorkspace } from "./row-sql.ts";
import { type RunOnTarget, syncRows } from "./sync-rows.ts";

/** Maximum number of recorded changes that one step replays. */
const STEP_CHANGES = 500;

interface Change {
  seq: number;
  table_name: string;
  key: string;
}

/**
 * Replays some of the changes that triggers recorded on the source: copies each changed row to the target in
 * its current state. Returns true if more may be left. Safe to repeat after a failure.
 */
export async function replayChanges(
  source: D1Database,
  runOnTarget: RunOnTarget,
  workspace: MovingWorkspace,
  epoch: number,
): Promise<boolean> {
  const { results: changes } = await source
    .prepare(
      `SELECT seq, table_name, key FROM moved_rows WHERE workspace_id = ?1 ORDER BY seq LIMIT ${STEP_CHANGES}`,
    )
    .bind(workspace.id)
    .all<Change>();
  const last = changes.at(-1);
  if (last === undefined) return false;
  const byTable = Map.groupBy(changes, (change) => change.table_name);
  for (const table of MOVED_TABLES) {
    const keys = new Set(byTable.get(table.name)?.map(({ key }) => key));
    await syncRows(source, runOnTarget, table, [...keys]);
  }
  await source.batch([
    prepareGuard(source, workspace.id, epoch),
    source
      .prepare("DELETE FROM moved_rows WHERE workspace_id = ?1 AND seq <= ?2")
      .bind(workspace.id, last.seq),
  ]);
  return changes.length === STEP_CHANGES;
}

/** Prepares the statement that deletes all recorded changes of a workspace. */
export function prepareForgetting(d1: D1Database, { id }: Pick<MovingWorkspace, "id">): D1PreparedStatement {
  return d1.prepare("DELETE FROM moved_rows WHERE workspace_id = ?1").bind(id);
}
