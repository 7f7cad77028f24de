import { POSITION_BITS } from "../links/links.table.ts";
import type { MovedTable } from "../moves/moved-tables.ts";
import { type MovingWorkspace, matchKey } from "../moves/row-sql.ts";
import { readRows } from "../moves/sync-rows.ts";
import { type Position, walkRows } from "../moves/walk-rows.ts";
import { LANE_BITS } from "../tenant/tenant.table.ts";
import { readLine, writeLine } from "./row-json.ts";

/**
 * Rows of a workspace as lines of an archive. The number of a workspace differs between installations. In an archive,
 * the number is 0, also in the values that begin with it.
 */

export const LANE = 2 ** LANE_BITS;

/** Columns whose values begin with the number of the workspace, with what one workspace adds to them. */
export const NUMBERED: Record<string, Record<string, number>> = {
  tenants: { number: 1 },
  links: { position: 2 ** POSITION_BITS },
  webhook_lanes: { id: LANE },
  event_deliveries: { lane: LANE },
};

/** Value of a row's column. */
export type Value = string | number | null;

/** Row as an object, with the names of its columns. */
export type RowValues = Record<string, Value>;

/** Returns the names of a table's columns in an archive. */
export function listColumns({ columns }: MovedTable): string[] {
  return columns.map(({ name }) => name);
}

/** Yields the workspace's rows of a table as lines. Reads a limited number of rows and bytes at a time. */
export async function* readLines(
  d1: D1Database,
  table: MovedTable,
  workspace: MovingWorkspace,
): AsyncGenerator<string> {
  // Within the inner select, a column of the table hides a column of the outer select with the same name.
  const line = `(SELECT ${writeLine(listColumns(table))} FROM ${table.name} WHERE ${matchKey(table, "placed.key")})`;
  let position: Position | null = {};
  while (position !== null) {
    const { keys, next } = await walkRows(d1, table, workspace, position);
    let rest = keys;
    while (rest.length > 0) {
      const rows = await readRows(d1, table, rest, line);
      for (const { row } of rows) if (row !== null) yield row;
      rest = rest.slice(rows.length);
    }
    position = next;
  }
}

/**
 * Returns the statement that inserts lines, given as a JSON array. Only names that are kept for the workspace may exist
 * already: from an earlier time of the workspace on this installation.
 */
export function insertLines(table: MovedTable): string {
  const columns = listColumns(table);
  const values = `SELECT ${readLine("value", columns)} FROM json_each(?1) WHERE true`;
  const onConflict = table.name === "held_names" ? "ON CONFLICT DO NOTHING" : "";
  return `INSERT INTO ${table.name} (${columns.join(", ")}) ${values} ${onConflict}`;
}

/** Returns a line with changed values. */
export function changeLine(table: MovedTable, line: string, change: (row: RowValues) => RowValues): string {
  const row = change(parseLine(table, line));
  return JSON.stringify(listColumns(table).map((name) => row[name]));
}

/** Returns the values of a line that contains neither bytes nor integers of more than 53 bits. */
export function parseLine(table: MovedTable, line: string): RowValues {
  const values: Value[] = JSON.parse(line);
  return Object.fromEntries(listColumns(table).map((name, index) => [name, values[index] ?? null]));
}

/**
 * Adds `number` to the numbers of workspaces in a line: the target's number for an import, and the negative number for
 * an export. Turns that are running don't travel.
 */
export function renumberLine(table: MovedTable, line: string, number: number): string {
  const columns = NUMBERED[table.name];
  if (columns !== undefined) {
    return changeLine(table, line, (row) => {
      const changed = Object.entries(columns).map(([name, step]) => {
        const value = row[name] as number | null;
        return [name, value === null ? null : value + step * number];
      });
      return { ...row, ...Object.fromEntries(changed) };
    });
  }
  if (table.name === "webhook_events") {
    return changeLine(table, line, (row) => ({
      ...row,
      recipients: JSON.stringify(
        JSON.parse(String(row.recipients)).map((lane: number) => lane + LANE * number),
      ),
    }));
  }
  if (table.name === "delivery_backlogs") return changeLine(table, line, (row) => ({ ...row, turns: "[]" }));
  return line;
}
