import { LANE_BITS } from "../tenant/tenant.table.ts";
import type { MovedColumn, MovedTable } from "./moved-tables.ts";

/** Workspace whose rows move. */
export interface MovingWorkspace {
  id: string;
  /** Its number in the directory. Its lanes begin with it. */
  number: number;
}

/** Returns the expression that writes a column as a value of JSON. */
export function writeJson(column: MovedColumn, row = ""): string {
  return column.isBlob ? `hex(${row}${column.name})` : `${row}${column.name}`;
}

/** Returns the expression that writes the key of a row as a JSON array. */
export function writeKey({ key }: MovedTable, row = ""): string {
  return `json_array(${key.map((column) => writeJson(column, row)).join(", ")})`;
}

/** Returns the expression that reads a column from a JSON array of columns. */
export function readJson(array: string, columns: readonly MovedColumn[], column: MovedColumn): string {
  const index = columns.findIndex(({ name }) => name === column.name);
  return column.isBlob ? `unhex(${array} ->> ${index})` : `${array} ->> ${index}`;
}

/** Returns the condition for the row whose key is in a JSON array. */
export function matchKey({ key }: MovedTable, array: string, row = ""): string {
  return key.map((column) => `${row}${column.name} = ${readJson(array, key, column)}`).join(" AND ");
}

/** Returns the condition that columns of a key come after those of a JSON array of the key. */
export function isAfter({ key }: MovedTable, columns: readonly MovedColumn[], array: string): string {
  const names = columns.map(({ name }) => name).join(", ");
  return `(${names}) > (${columns.map((column) => readJson(array, key, column)).join(", ")})`;
}

/** Returns the first lane of a workspace, and the first one of the next workspace. */
export function getLaneBounds({ number }: MovingWorkspace): [from: number, to: number] {
  return [number * 2 ** LANE_BITS, (number + 1) * 2 ** LANE_BITS];
}

/** Returns the literal of the bytes of a workspace's id. Ids are UUIDs. */
export function formatOwner({ id }: MovingWorkspace): string {
  return `x'${id.replaceAll("-", "")}'`;
}

/** Returns the condition for an owner of series: the workspace, or a bio page that it has or had. */
export function isOwner(workspace: MovingWorkspace, owner: string): string {
  const digits = [
    [1, 8],
    [9, 4],
    [13, 4],
    [17, 4],
    [21, 12],
  ].map(([start, length]) => `substr(hex(${owner}), ${start}, ${length})`);
  return `(${owner} = ${formatOwner(workspace)}
           OR EXISTS (SELECT 1 FROM bio_pages WHERE bio_pages.workspace_id = '${workspace.id}'
                         AND bio_pages.id = lower(${digits.join(" || '-' || ")}))
           OR EXISTS (SELECT 1 FROM deleted_series
                       WHERE deleted_series.workspace_id = '${workspace.id}' AND deleted_series.owner = ${owner}))`;
}

/** Selects the bytes of the ids of the bio pages that a workspace has or had. */
export function selectPageOwners({ id }: MovingWorkspace): string {
  return `SELECT unhex(replace(id, '-', '')) FROM bio_pages WHERE workspace_id = '${id}'
          UNION SELECT owner FROM deleted_series WHERE workspace_id = '${id}'`;
}

/** Returns the condition for a workspace's row of a table. `row` is its alias in a trigger, `NEW` or `OLD`. */
export function isOwned(table: MovedTable, workspace: MovingWorkspace, row: string): string {
  const [from, to] = getLaneBounds(workspace);
  switch (table.ownership) {
    case "tenant":
      return `${row}.id = '${workspace.id}'`;
    case "workspace":
    case "unindexed":
      return `${row}.workspace_id = '${workspace.id}'`;
    case "lane":
      return `${row}.${table.key[0]?.name} >= ${from} AND ${row}.${table.key[0]?.name} < ${to}`;
    case "delivery":
      // The id of a delivery begins with that of its event.
      return `EXISTS (SELECT 1 FROM webhook_events WHERE is_scan IN (0, 1)
                         AND id = substr(${row}.delivery_id, 1, 32) AND workspace_id = '${workspace.id}')`;
    case "series":
      return isOwner(workspace, `${row}.owner`);
  }
}
