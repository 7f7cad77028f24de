import { memoizeByObject } from "../core/memo.ts";
import { isNotStarted, isRetryable, markLostWrite, mayBeCommitted, repeatOnce } from "./retry.ts";
import { type DatabaseBindings, mapDatabases } from "./shards.ts";

/** Methods of D1 that run statements, available on the database and on its sessions. */
type Connection = Pick<D1Database, "prepare" | "batch">;

/** Runs a call of a database. */
export type Attempt = <Result>(isReadOnly: boolean, run: () => Promise<Result>) => Promise<Result>;

/**
 * Returns the bindings with databases that retry once after transient failures. Reads are always retried.
 * Writes are retried only if D1 rejected them before they started. If a write may have been committed, its
 * error is marked (`isLostWrite`), and the caller decides whether to retry. Wraps each `env` object of an
 * isolate once.
 */
export const repeatStorage = memoizeByObject(
  <Bindings extends DatabaseBindings>(env: Bindings): Bindings =>
    mapDatabases(env, (d1) => wrapDatabase(d1, retry)),
);

/** Returns a database whose calls are run by `attempt`. */
export function wrapDatabase(d1: D1Database, attempt: Attempt): D1Database {
  return {
    ...wrapConnection(d1, attempt),
    withSession: (constraint?: string) => {
      const session = d1.withSession(constraint);
      return { ...wrapConnection(session, attempt), getBookmark: () => session.getBookmark() };
    },
    exec: (statements: string) => d1.exec(statements),
    dump: () => d1.dump(),
  } as D1Database;
}

function wrapConnection(connection: Connection, attempt: Attempt): Connection {
  return {
    prepare: (sql) =>
      new WrappedStatement(connection.prepare(sql), isRead(sql), attempt) as unknown as D1PreparedStatement,
    batch: (statements) => {
      const own = statements as unknown as WrappedStatement[];
      const inner = own.map((statement) => statement.inner);
      return attempt(
        own.every((statement) => statement.isRead),
        () => connection.batch(inner),
      ) as Promise<D1Result<never>[]>;
    },
  };
}

/** D1 statement that is run by an {@link Attempt}. */
class WrappedStatement {
  readonly inner: D1PreparedStatement;
  readonly isRead: boolean;
  readonly #attempt: Attempt;

  constructor(inner: D1PreparedStatement, isReadOnly: boolean, attempt: Attempt) {
    this.inner = inner;
    this.isRead = isReadOnly;
    this.#attempt = attempt;
  }

  bind(...values: unknown[]): WrappedStatement {
    return new WrappedStatement(this.inner.bind(...values), this.isRead, this.#attempt);
  }

  first(...column: []): Promise<unknown> {
    return this.#attempt(this.isRead, () => this.inner.first(...column));
  }

  run(): Promise<unknown> {
    return this.#attempt(this.isRead, () => this.inner.run());
  }

  all(): Promise<unknown> {
    return this.#attempt(this.isRead, () => this.inner.all());
  }

  raw(...options: []): Promise<unknown> {
    return this.#attempt(this.isRead, () => this.inner.raw(...options));
  }
}

async function retry<Result>(isReadOnly: boolean, run: () => Promise<Result>): Promise<Result> {
  try {
    return await repeatOnce(run, isReadOnly ? isRetryable : isNotStarted);
  } catch (error) {
    if (!isReadOnly && mayBeCommitted(error)) markLostWrite(error);
    throw error;
  }
}

/**
 * Returns true for statements that only read. In doubt, returns false, because treating a read as a write is
 * safe.
 */
function isRead(sql: string): boolean {
  return /^\s*(?:select|with|explain)\b/i.test(sql) && !/\b(?:insert|update|delete|replace)\b/i.test(sql);
}
