import { MOVING_MESSAGE } from "../tenant/moving.ts";
import { MOVED_TABLES, type MovedTable } from "./moved-tables.ts";
import { type MovingWorkspace, ownedByWorkspace, writeKey } from "./row-sql.ts";

/**
 * Triggers on the source, created for one workspace and only during its move, so that changes cost nothing
 * extra while no workspace moves. Ids are UUIDs and numbers are integers, so their SQL literals need no
 * escaping.
 */

const CHANGES = ["insert", "update", "delete"] as const;
type Change = (typeof CHANGES)[number];

/** Returns the statements that create the triggers which record changed rows in `moved_rows`. */
export function createCaptures(workspace: MovingWorkspace): string[] {
  return listTriggers(({ table, change, row }) => {
    // The target's own triggers count its links. Changes of the source's link counts needn't be copied.
    const columns = table.ownership === "tenant" && change === "update" ? " OF lane_count" : "";
    return `CREATE TRIGGER IF NOT EXISTS ${formatName("capture", workspace, table, change)}
      AFTER ${change}${columns} ON ${table.name} WHEN ${ownedByWorkspace(table, workspace, row)}
      BEGIN
        INSERT INTO moved_rows (workspace_id, table_name, key)
        VALUES ('${workspace.id}', '${table.name}', ${writeKey(table, `${row}.`)});
      END`;
  });
}

/** Returns the statements that create the triggers which reject all changes. */
export function createFences(workspace: MovingWorkspace): string[] {
  return listTriggers(
    ({ table, change, row }) =>
      `CREATE TRIGGER IF NOT EXISTS ${formatName("fence", workspace, table, change)}
         BEFORE ${change} ON ${table.name} WHEN ${ownedByWorkspace(table, workspace, row)}
         BEGIN SELECT RAISE(ABORT, '${MOVING_MESSAGE}'); END`,
  );
}

/** Returns the statements that drop the triggers which record changes. */
export function dropCaptures(workspace: MovingWorkspace): string[] {
  return listTriggers(({ table, change }) => formatDrop(formatName("capture", workspace, table, change)));
}

/** Returns the statements that drop the triggers which reject changes. */
export function dropFences(workspace: MovingWorkspace): string[] {
  return listTriggers(({ table, change }) => formatDrop(formatName("fence", workspace, table, change)));
}

/** Returns the statements that allow rows to be deleted, but not inserted or updated. */
export function openForDeletion(workspace: MovingWorkspace): string[] {
  const deletions = MOVED_TABLES.map((table) => formatDrop(formatName("fence", workspace, table, "delete")));
  // Deleting a link updates the link count in the workspace's row.
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
