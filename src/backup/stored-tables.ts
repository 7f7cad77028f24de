// Pure: no I/O, clock or randomness.
import { quoteName, readLine, writeLine } from "./row-json.ts";

/** Which tables a database has, and the statements that read and write their rows as lines. */

/** Table whose rows are archived. */
export interface StoredTable {
  name: string;
  columns: string[];
  /** Columns of the primary key. */
  key: string[];
  /** Names of the tables that this table's foreign keys refer to. */
  references: string[];
}

/** Statement with the values of its parameters. */
export interface Statement {
  sql: string;
  params: string[];
}

/** Table that SQLite keeps itself: the highest number that each table has given out. */
export const SEQUENCES: StoredTable = {
  name: "sqlite_sequence",
  columns: ["name", "seq"],
  key: ["name"],
  references: [],
};

/** Table in which a restore records its completed steps, and the ID of the backup as the first one. */
export const PROGRESS_TABLE = "restore_progress";

const isStored = (name: string) =>
  `${name} NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND ${name} NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND ${name} <> '${PROGRESS_TABLE}'`;

/**
 * Selects the tables. Leaves out tables of the search index: SQLite can't read its content, and its trigger fills it
 * again.
 */
export const SELECT_TABLES = `SELECT t.name,
    (SELECT json_group_array(name) FROM pragma_table_xinfo(t.name) WHERE hidden = 0) AS columns,
    (SELECT json_group_array(name) FROM (SELECT name FROM pragma_table_xinfo(t.name) WHERE pk > 0 ORDER BY pk)) AS key,
    (SELECT json_group_array("table") FROM pragma_foreign_key_list(t.name)) AS refs
  FROM pragma_table_list AS t WHERE t.schema = 'main' AND t.type = 'table' AND ${isStored("t.name")} ORDER BY t.name`;

/** Selects the statements that created the tables, views, indexes and triggers, in the order of their creation. */
export const SELECT_SCHEMA = `SELECT m.type, m.name, m.tbl_name AS "table", m.sql FROM sqlite_master AS m
  LEFT JOIN pragma_table_list AS t ON t.schema = 'main' AND t.name = m.name
  WHERE m.sql IS NOT NULL AND coalesce(t.type, '') <> 'shadow' AND ${isStored("m.name")} ORDER BY m.rowid`;

/** Row of {@link SELECT_SCHEMA}. */
export interface SchemaItem {
  type: "table" | "view" | "index" | "trigger";
  name: string;
  table: string;
  sql: string;
}

/** Parses the rows of {@link SELECT_TABLES}. */
export function parseTables(rows: readonly Record<string, unknown>[]): StoredTable[] {
  return rows.map(({ name, columns, key, refs }) => ({
    name: String(name),
    columns: JSON.parse(String(columns)),
    key: JSON.parse(String(key)),
    references: JSON.parse(String(refs)),
  }));
}

/** Returns the statement that selects all rows of a table as lines. */
export function selectLines({ name, columns }: StoredTable): string {
  return `SELECT ${writeLine(columns)} AS line FROM ${quoteName(name)}`;
}

/** Returns the statement that inserts lines. A row replaces another one with the same key. */
export function insertLines(table: string, columns: readonly string[], lines: readonly string[]): Statement {
  return {
    sql: `INSERT OR REPLACE INTO ${quoteName(table)} (${columns.map(quoteName).join(", ")})
      SELECT ${readLine("value", columns)} FROM json_each(?1)`,
    params: [`[${lines.join(",")}]`],
  };
}

/**
 * Groups tables so that each table comes after the tables that it refers to, in a later group. Throws if tables refer to
 * each other.
 */
export function groupByReferences(tables: readonly StoredTable[]): Set<string>[] {
  const groups: Set<string>[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const names = new Set(left.map(({ name }) => name));
    const isFree = ({ name, references }: StoredTable) =>
      references.every((other) => other === name || !names.has(other));
    const free = left.filter(isFree);
    if (free.length === 0) throw new Error(`tables refer to each other: ${[...names].join(", ")}`);
    groups.push(new Set(free.map(({ name }) => name)));
    left = left.filter((table) => !isFree(table));
  }
  return groups;
}

/**
 * Orders tables for a backup, with SQLite's own table last. Tables that others refer to come late: if the service writes
 * while the tables are read one after another, each row's reference is in the backup.
 */
export function orderTables(tables: readonly StoredTable[]): StoredTable[] {
  const groups = groupByReferences(tables).toReversed();
  return [...groups.flatMap((names) => tables.filter(({ name }) => names.has(name))), SEQUENCES];
}
