import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./database.ts";

/** Maximum number of rows that one statement deletes, so that it does not hold up other tenants' statements. */
const ROWS_MAX = 500;

/** Deletes some of the rows that a condition selects, and returns their number: 0 if none are left. */
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
