import type { MovedTable } from "./moved-tables.ts";
import {
  afterKey,
  formatOwner,
  getLaneBounds,
  type MovingWorkspace,
  selectPageOwners,
  writeKey,
} from "./row-sql.ts";

/** Maximum number of the workspace's rows in one step. */
const STEP_ROWS = 200;
/**
 * Maximum number of rows (of all workspaces) that a step reads from a table without an index by workspace.
 */
const STEP_UNINDEXED_ROWS = 2_000;

/** Position in a table. */
export interface Position {
  /** Key of the last row as a JSON array. Missing at the start. */
  after?: string | undefined;
  /** Month or day of the current series, if the key begins with it. */
  lead?: number | undefined;
  /** True while walking the series of bio pages, false for the series of the workspace itself. */
  isOfPages?: boolean | undefined;
}

/** Keys of some rows of a workspace, as JSON arrays, and the position after them, or null at the end. */
export interface WalkResult {
  keys: string[];
  next: Position | null;
}

/**
 * Returns the next rows of a workspace in a table, in key order. Each step reads a limited number of rows.
 */
export function walkRows(
  d1: D1Database,
  table: MovedTable,
  workspace: MovingWorkspace,
  position: Position,
): Promise<WalkResult> {
  switch (table.ownership) {
    case "tenant":
      return walkRange(d1, table, position, `id = '${workspace.id}'`, 0);
    case "workspace":
      return walkRange(d1, table, position, `workspace_id = '${workspace.id}'`, table.key.length > 1 ? 1 : 0);
    case "lane":
      return walkLanes(d1, table, workspace, position);
    case "delivery":
      return walkAttempts(d1, workspace, position);
    case "unindexed":
      return walkTable(d1, table, workspace, position);
    case "series":
      return walkSeries(d1, table, workspace, position);
  }
}

/**
 * Returns the rows that meet a condition. The condition must fix the first `fixedColumns` columns of the key.
 */
async function walkRange(
  d1: D1Database,
  table: MovedTable,
  position: Position,
  condition: string,
  fixedColumns: number,
): Promise<WalkResult> {
  const columns = table.key.slice(fixedColumns);
  const after = position.after === undefined ? "" : ` AND ${afterKey(table, columns, "?1")}`;
  const { results } = await d1
    .prepare(
      `SELECT ${writeKey(table)} AS key FROM ${table.name} WHERE ${condition}${after}
        ORDER BY ${columns.map(({ name }) => name).join(", ")} LIMIT ${STEP_ROWS}`,
    )
    .bind(...(position.after === undefined ? [] : [position.after]))
    .all<{ key: string }>();
  const keys = results.map(({ key }) => key);
  return { keys, next: keys.length < STEP_ROWS ? null : { ...position, after: keys.at(-1) } };
}

function walkLanes(
  d1: D1Database,
  table: MovedTable,
  workspace: MovingWorkspace,
  position: Position,
): Promise<WalkResult> {
  const [from, to] = getLaneBounds(workspace);
  const lane = table.key[0]?.name;
  // With two lower bounds, SQLite would choose the wrong one for the index.
  const lower = position.after === undefined ? `${lane} >= ${from} AND ` : "";
  return walkRange(d1, table, position, `${lower}${lane} < ${to}`, 0);
}

/** Walks through the deliveries of a workspace and returns the keys of their attempts. */
async function walkAttempts(
  d1: D1Database,
  workspace: MovingWorkspace,
  { after }: Position,
): Promise<WalkResult> {
  const [from, to] = getLaneBounds(workspace);
  const start = after === undefined ? `lane >= ${from}` : "(lane, id) > (?1 ->> 0, ?1 ->> 1)";
  const { results } = await d1
    .prepare(
      `SELECT json_array(lane, id) AS delivery,
              (SELECT json_group_array(json_array(delivery_id, number)) FROM delivery_attempts
                WHERE delivery_id = delivery.id) AS attempts
         FROM (SELECT lane, id FROM event_deliveries WHERE ${start} AND lane < ${to}
                ORDER BY lane, id LIMIT ${STEP_ROWS}) AS delivery ORDER BY lane, id`,
    )
    .bind(...(after === undefined ? [] : [after]))
    .all<{ delivery: string; attempts: string }>();
  const keys = results.flatMap(({ attempts }) =>
    (JSON.parse(attempts) as unknown[]).map((key) => JSON.stringify(key)),
  );
  return { keys, next: results.length < STEP_ROWS ? null : { after: results.at(-1)?.delivery } };
}

/** Walks through all rows of a table and returns the workspace's rows. */
async function walkTable(
  d1: D1Database,
  table: MovedTable,
  workspace: MovingWorkspace,
  { after }: Position,
): Promise<WalkResult> {
  const names = table.key.map(({ name }) => name).join(", ");
  const start = after === undefined ? "" : `WHERE ${afterKey(table, table.key, "?1")}`;
  const { results } = await d1
    .prepare(
      `SELECT ${writeKey(table)} AS key, workspace_id = '${workspace.id}' AS is_owned
         FROM ${table.name} ${start} ORDER BY ${names} LIMIT ${STEP_UNINDEXED_ROWS}`,
    )
    .bind(...(after === undefined ? [] : [after]))
    .all<{ key: string; is_owned: number }>();
  const keys = results.filter(({ is_owned }) => is_owned === 1).map(({ key }) => key);
  return { keys, next: results.length < STEP_UNINDEXED_ROWS ? null : { after: results.at(-1)?.key } };
}

/**
 * Walks through the workspace's series, then the series of its bio pages. If the key begins with the month or
 * day, repeats that for each month or day.
 */
async function walkSeries(
  d1: D1Database,
  table: MovedTable,
  workspace: MovingWorkspace,
  position: Position,
): Promise<WalkResult> {
  const [first] = table.key;
  const leadName = first === undefined || first.name === "owner" ? null : first.name;
  let { lead } = position;
  if (leadName !== null && lead === undefined) {
    lead = await findLead(d1, table, leadName, null);
    if (lead === undefined) return { keys: [], next: null };
  }
  const { isOfPages = false } = position;
  const leading = leadName === null ? "" : `${leadName} = ${lead} AND `;
  const owner = isOfPages ? `owner IN (${selectPageOwners(workspace)})` : `owner = ${formatOwner(workspace)}`;
  const fixedColumns = (leadName === null ? 0 : 1) + (isOfPages ? 0 : 1);
  const here = { ...position, lead, isOfPages };
  const { keys, next } = await walkRange(d1, table, here, `${leading}${owner}`, fixedColumns);
  if (next !== null) return { keys, next };
  if (!isOfPages) return { keys, next: { lead, isOfPages: true } };
  if (leadName === null) return { keys, next: null };
  const nextLead = await findLead(d1, table, leadName, lead ?? 0);
  return { keys, next: nextLead === undefined ? null : { lead: nextLead, isOfPages: false } };
}

/** Returns the smallest month or day in a table that is greater than `after`. */
async function findLead(
  d1: D1Database,
  { name }: MovedTable,
  leadName: string,
  after: number | null,
): Promise<number | undefined> {
  const condition = after === null ? "" : ` WHERE ${leadName} > ${after}`;
  const found = await d1
    .prepare(`SELECT min(${leadName}) AS lead FROM ${name}${condition}`)
    .first<number | null>("lead");
  return found ?? undefined;
}
