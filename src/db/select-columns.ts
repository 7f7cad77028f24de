import { getTableColumns, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/** SQL expression or bound value for every column of a table, by property name. */
export type ColumnValues<Table extends SQLiteTable> = {
  [Name in keyof Table["$inferSelect"]]: SQLWrapper | string | number | null;
};

/**
 * Returns the select of an `INSERT … SELECT` with the values in the table's column order. Values are given by
 * name, so that a missing value for a new column is a compile error instead of a shifted column.
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
