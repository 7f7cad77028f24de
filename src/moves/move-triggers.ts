import { MOVING } from "../tenant/moving.ts";
import { MOVED_TABLES, type MovedTable } from "./moved-tables.ts";
import { isOwned, type MovingWorkspace, writeKey } from "./row-sql.ts";

/**
 * Triggers on the source, for one workspace and for the time of its move only, so that a workspace that does not move
 * pays nothing. Ids are UUIDs and numbers are integers, so their literals need no escape.
 */

const CHANGES = ["insert", "update", "delete"] as const;
type Change = (typeof CHANGES)[number];

/** Returns the statements that make the triggers which note each changed row in `moved_rows`. */
export function createCaptures(workspace: MovingWorkspace): string[] {
  return listTriggers(({ table, change, row }) => {
    // Triggers count the links of the target. The count of the source would only repeat what the links tell.
    const columns = table.ownership === "tenant" && change === "update" ? " OF lane_count" : "";
    return `CREATE TRIGGER IF NOT EXISTS ${formatName("capture", workspace, table, change)}
      AFTER ${change}${columns} ON ${table.name} WHEN ${isOwned(table, workspace, row)}
      BEGIN
        INSERT INTO moved_rows (workspace_id, table_name, key)
        VALUES ('${workspace.id}', '${table.name}', ${writeKey(table, `${row}.`)});
      END`;
  });
}

/** Returns the statements that make the triggers which refuse each change of a row. */
export function createFences(workspace: MovingWorkspace): string[] {
  return listTriggers(
    ({ table, change, row }) =>
      `CREATE TRIGGER IF NOT EXISTS ${formatName("fence", workspace, table, change)}
         BEFORE ${change} ON ${table.name} WHEN ${isOwned(table, workspace, row)}
         BEGIN SELECT RAISE(ABORT, '${MOVING}'); END`,
  );
}

/** Returns the statements that remove the triggers which note changes. */
export function dropCaptures(workspace: MovingWorkspace): string[] {
  return listTriggers(({ table, change }) => formatDrop(formatName("capture", workspace, table, change)));
}

/** Returns the statements that remove the triggers which refuse changes. */
export function dropFences(workspace: MovingWorkspace): string[] {
  return listTriggers(({ table, change }) => formatDrop(formatName("fence", workspace, table, change)));
}

/** Returns the statements after which rows can be deleted, but still neither added nor changed. */
export function openForDeletion(workspace: MovingWorkspace): string[] {
  const deletions = MOVED_TABLES.map((table) => formatDrop(formatName("fence", workspace, table, "delete")));
  // A deleted link changes the number of links.
  const counts = MOVED_TABLES.filter(({ ownership }) => ownership === "tenant").map((table) =>
    formatDrop(formatName("fence", workspace, table, "update")),
  );
  return [...dropCaptures(workspace), ...deletions, ...counts];
}

function listTriggers(
  write: (trigger: { table: MovedTable; change: Change; row: "NEW" | "OLD" }) => string,
): string[] {
  return MOVED_TABLES.flatMap((table) =>
    CHANGES.map((change) => write({ table, change, row: change === "delete" ? "OLD" : "NEW" })),
  );
}

function formatName(
  kind: "capture" | "fence",
  { number }: MovingWorkspace,
  table: MovedTable,
  change: Change,
): string {
  return `move_${kind}_${number}_${table.name}_${change}`;
}

function formatDrop(name: string): string {
  return `DROP TRIGGER IF EXISTS ${name}`;
}
