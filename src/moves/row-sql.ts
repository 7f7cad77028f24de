import { LANE_BITS } from "../tenant/tenant.table.ts";
import type { MovedColumn, MovedTable } from "./moved-tables.ts";

/** Workspace that is being moved. */
export interface MovingWorkspace {
  id: string;
  /** Number in the directory. The upper bits of the workspace's lane numbers. */
  number: number;
}

/** Returns the SQL expression for a column as a JSON value. */
export function writeJson(column: MovedColumn, row = ""): string {
  return column.isBlob ? `hex(${row}${column.name})` : `${row}${column.name}`;
}

/** Returns the SQL expression for the key of a row as a JSON array. */
export function writeKey({ key }: MovedTable, row = ""): string {
  return `json_array(${key.map((column) => writeJson(column, row)).join(", ")})`;
}

/** Returns the SQL expression for a column's value in a JSON array of columns. */
export function readJson(array: string, columns: readonly MovedColumn[], column: MovedColumn): string {
  const index = columns.findIndex(({ name }) => name === column.name);
  return column.isBlob ? `unhex(${array} ->> ${index})` : `${array} ->> ${index}`;
}

/** Returns the condition for the row whose key is a JSON array. */
export function matchKey({ key }: MovedTable, array: string, row = ""): string {
  return key.map((column) => `${row}${column.name} = ${readJson(array, key, column)}`).join(" AND ");
}

/** Returns the condition that columns of a key come after their values in a JSON array of the key. */
export function afterKey({ key }: MovedTable, columns: readonly MovedColumn[], array: string): string {
  const names = columns.map(({ name }) => name).join(", ");
  return `(${names}) > (${columns.map((column) => readJson(array, key, column)).join(", ")})`;
}

/** Returns the first lane number of a workspace, and the first lane number after its range. */
export function getLaneBounds({ number }: MovingWorkspace): [from: number, to: number] {
  return [number * 2 ** LANE_BITS, (number + 1) * 2 ** LANE_BITS];
}

/** Returns the SQL literal for the bytes of a workspace's id, which is a UUID. */
export function formatOwner({ id }: MovingWorkspace): string {
  return `x'${id.replaceAll("-", "")}'`;
}

/**
 * Returns the condition for the owners of a workspace's series: the workspace, and its current, trashed and
 * erased bio pages.
 */
export function seriesOwnedBy(workspace: MovingWorkspace, owner: string): string {
  const digits = [
    [1, 8],
    [9, 4],
    [13, 4],
    [17, 4],
    [21, 12],
  ].map(([start, length]) => `substr(hex(${owner}), ${start}, ${length})`);
  const id = `lower(${digits.join(" || '-' || ")})`;
  return `(${owner} = ${formatOwner(workspace)}
           OR EXISTS (SELECT 1 FROM bio_pages WHERE bio_pages.workspace_id = '${workspace.id}' AND bio_pages.id = ${id})
           OR EXISTS (SELECT 1 FROM trash WHERE trash.workspace_id = '${workspace.id}' AND trash.kind = 'bio_page'
                         AND trash.item_id = ${id})
           OR EXISTS (SELECT 1 FROM deleted_series
                       WHERE deleted_series.workspace_id = '${workspace.id}' AND deleted_series.owner = ${owner}))`;
}

/** Returns the select of the id bytes of a workspace's current, trashed and erased bio pages. */
export function selectPageOwners({ id }: MovingWorkspace): string {
  return `SELECT unhex(replace(id, '-', '')) FROM bio_pages WHERE workspace_id = '${id}'
          UNION SELECT unhex(replace(item_id, '-', '')) FROM trash WHERE workspace_id = '${id}' AND kind = 'bio_page'
          UNION SELECT owner FROM deleted_series WHERE workspace_id = '${id}'`;
}

/**
 * Returns the condition for a workspace's rows of a table. `row` is the row alias in a trigger: `NEW` or
 * `OLD`.
 */
export function ownedByWorkspace(table: MovedTable, workspace: MovingWorkspace, row: string): string {
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
      // The id of a delivery begins with the id of its event.
      return `EXISTS (SELECT 1 FROM webhook_events WHERE is_scan IN (0, 1)
                         AND id = substr(${row}.delivery_id, 1, 32) AND workspace_id = '${workspace.id}')`;
    case "series":
      return seriesOwnedBy(workspace, `${row}.owner`);
  }
}
