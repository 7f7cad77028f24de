import type { SQL } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import type { SQLiteRaw } from "drizzle-orm/sqlite-core/query-builders/raw";
import type { Database } from "./database.ts";

const dialect = new SQLiteAsyncDialect();

/** Converts a Drizzle SQL expression to a D1 statement with bound parameters. */
export function prepareStatement(d1: D1Database, statement: SQL): D1PreparedStatement {
  const { sql, params } = dialect.sqlToQuery(statement);
  return d1.prepare(sql).bind(...params);
}

/**
 * Converts an SQL expression to an item of `db.batch` that returns its rows. Drizzle's own `db.all` and
 * `db.run` with parameters fail in a batch, because they lack the prepared statement that the batch expects.
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
