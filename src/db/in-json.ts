import { inArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** One bound value for any number of ids; D1 permits 100 bound values a statement. */
export function inJson(column: SQLiteColumn, values: readonly string[]): SQL {
  return inArray(column, sql`(select value from json_each(${JSON.stringify(values)}))`);
}
