import type { SQL } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import type { SQLiteRaw } from "drizzle-orm/sqlite-core/query-builders/raw";
import type { Database } from "./database.ts";

const dialect = new SQLiteAsyncDialect();

/** Prepares an SQL expression of Drizzle as a statement of D1, with its parameters bound. */
export function prepareStatement(d1: D1Database, statement: SQL): D1PreparedStatement {
  const { sql, params } = dialect.sqlToQuery(statement);
  return d1.prepare(sql).bind(...params);
}

/**
 * Returns an SQL expression as an item of `db.batch`, whose result is its rows. Drizzle's own `db.all` and `db.run` fail
 * in a batch if they have parameters: the batch expects a prepared statement, which they do not have.
 */
export function rawQuery<Row>(db: Database & { $client?: D1Database }, statement: SQL): SQLiteRaw<Row[]> {
  const query = dialect.sqlToQuery(statement);
  const prepared = {
    stmt: db.$client?.prepare(query.sql),
    getQuery: () => query,
    mapResult: ({ results }: D1Result<Row>) => results,
  };
  return { _prepare: () => prepared } as unknown as SQLiteRaw<Row[]>;
}
