import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./database.ts";

/**
 * Maximum number of rows deleted by one statement. Longer statements would delay other workspaces.
 */
const ROWS_MAX = 500;

/** Deletes up to {@link ROWS_MAX} rows that match a condition. Returns their number, 0 if none are left. */
export async function deleteSome(
  db: Database,
  table: SQLiteTable,
  primaryKey: readonly SQLiteColumn[],
  condition: SQL | undefined,
): Promise<number> {
  const key = sql.join([...primaryKey], sql`, `);
  const selected = sql`(${key}) in (select ${key} from ${table} where ${condition} limit ${ROWS_MAX})`;
  return (await db.delete(table).where(selected).returning({ row: sql`1` })).length;
}
