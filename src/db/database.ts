import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";

/** The workspace records, read and written through Drizzle. */
export type Database = DrizzleD1Database;

/** The database behind a request or a queue batch. */
export function openDatabase(d1: D1Database): Database {
  return drizzle(d1);
}
