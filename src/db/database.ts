import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";

/** D1 database, accessed through Drizzle. */
export type Database = DrizzleD1Database;

/** Wraps a D1 binding in Drizzle. */
export function openDatabase(d1: D1Database): Database {
  return drizzle(d1);
}
