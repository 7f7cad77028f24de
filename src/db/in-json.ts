import { inArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/**
 * Returns the condition `column IN (values)`. Binds the values as one JSON array, because D1 allows at most
 * 100 bound parameters per statement (https://developers.cloudflare.com/d1/platform/limits/).
 */
export function inJson(column: SQLiteColumn, values: readonly string[]): SQL {
  return inArray(column, sql`(select value from json_each(${JSON.stringify(values)}))`);
}
