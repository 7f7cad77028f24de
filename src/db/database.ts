import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { type DatabaseBindings, getShard } from "./shards.ts";

/** D1 database, accessed through Drizzle. */
export type Database = DrizzleD1Database;

export interface ShardDatabase {
  db: Database;
  shard: number;
}

/** Wraps a D1 binding in Drizzle. */
export function openDatabase(d1: D1Database): Database {
  return drizzle(d1);
}

/** Wraps a shard's database in Drizzle. Throws a `MissingShardError`. */
export function openShard(bindings: DatabaseBindings, shard: number): ShardDatabase {
  return { db: openDatabase(getShard(bindings, shard)), shard };
}
