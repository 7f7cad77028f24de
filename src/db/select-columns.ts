import { getTableColumns, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/** SQL expression or bound value for every column of a table, by its name in the source. */
export type ColumnValues<Table extends SQLiteTable> = {
  [Name in keyof Table["$inferSelect"]]: SQLWrapper | string | number | null;
};

/**
 * Returns the select of an `INSERT … SELECT`: the values in the order of the table's columns. Values are given by name,
 * so that a new column without a value is a compile error and not a shifted column.
 */
export function selectColumns<Table extends SQLiteTable>(
  table: Table,
  values: ColumnValues<Table>,
  source: SQL,
): SQL {
  const names = Object.keys(getTableColumns(table)) as (keyof ColumnValues<Table>)[];
  const columns = names.map((name) => sql`${values[name]}`);
  return sql`select ${sql.join(columns, sql`, `)} ${source}`;
}
