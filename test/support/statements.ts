import { type DatabaseBindings, mapDatabases } from "../../src/db/shards.ts";

/** Statement that was executed, with its bound values. */
export interface Statement {
  sql: string;
  values: readonly unknown[];
}

/** Round trip to a database, with its statements. */
export interface Trip {
  /** Name of the binding. */
  database: string;
  statements: readonly Statement[];
}

const RUNNERS = ["all", "first", "run", "raw"] as const;

/** Returns copies of the bindings that record the statements sent to a shard. */
export function recordShards<Bindings extends DatabaseBindings>(
  bindings: Bindings,
): { env: Bindings; statements: Statement[] } {
  const statements: Statement[] = [];
  const env = watchStatements(bindings, ({ database, statements: run }, makeTrip) => {
    if (database !== "DIRECTORY") statements.push(...run);
    return makeTrip();
  });
  return { env, statements };
}

/** Returns copies of the bindings that record the round trips to databases. */
export function recordTrips<Bindings extends DatabaseBindings>(
  bindings: Bindings,
): { env: Bindings; trips: Trip[] } {
  const trips: Trip[] = [];
  const env = watchStatements(bindings, (trip, makeTrip) => {
    trips.push(trip);
    return makeTrip();
  });
  return { env, trips };
}

/** Returns true if a round trip may change rows. */
export function isWriting({ statements }: Trip): boolean {
  return statements.some(({ sql }) => !/^\s*(?:select|with)\b/i.test(sql) || CHANGE.test(sql));
}

const CHANGE = /\b(?:insert|update|delete|replace)\b/i;

type Around = (trip: Trip, makeTrip: () => unknown) => unknown;

/**
 * Returns copies of the bindings in which `around` performs every round trip to a database and receives its
 * statements.
 */
export function watchStatements<Bindings extends DatabaseBindings>(
  bindings: Bindings,
  around: Around,
): Bindings {
  return mapDatabases(bindings, (d1, name) => watchRuns(d1, name, around));
}

function watchRuns(d1: D1Database, database: string, around: Around): D1Database {
  const originals = new WeakMap<object, { inner: D1PreparedStatement; statement: Statement }>();
  const wrap = (inner: D1PreparedStatement, statement: Statement): D1PreparedStatement => {
    const run = (method: (typeof RUNNERS)[number]) => {
      return (...args: never[]) =>
        around({ database, statements: [statement] }, () =>
          (inner[method] as (...args: never[]) => unknown)(...args),
        );
    };
    const wrapped = {
      bind: (...values: unknown[]) => wrap(inner.bind(...values), { ...statement, values }),
      ...Object.fromEntries(RUNNERS.map((method) => [method, run(method)])),
    } as unknown as D1PreparedStatement;
    originals.set(wrapped, { inner, statement });
    return wrapped;
  };
  const connect = (connection: Pick<D1Database, "prepare" | "batch">) => ({
    prepare: (sql: string) => wrap(connection.prepare(sql), { sql, values: [] }),
    batch: (batch: D1PreparedStatement[]) => {
      const known = batch.map((statement) => originals.get(statement));
      return around({ database, statements: known.flatMap((entry) => entry?.statement ?? []) }, () =>
        connection.batch(known.map((entry) => entry?.inner as D1PreparedStatement)),
      );
    },
  });
  return {
    ...connect(d1),
    withSession: (constraint?: string) => {
      const session = d1.withSession(constraint);
      return { ...connect(session), getBookmark: () => session.getBookmark() };
    },
  } as unknown as D1Database;
}

/**
 * Returns true if the values of a statement contain a workspace's id: as text, in a list, in JSON, or as
 * bytes in hex.
 */
export function namesWorkspace({ values }: Statement, workspaceId: string): boolean {
  const bytes = workspaceId.replaceAll("-", "");
  return values.some((value) => {
    if (typeof value === "string") {
      return value.includes(workspaceId) || value.toLowerCase().includes(bytes);
    }
    if (!(value instanceof ArrayBuffer || ArrayBuffer.isView(value) || Array.isArray(value))) return false;
    const view = Array.isArray(value)
      ? Uint8Array.from(value as number[])
      : ArrayBuffer.isView(value)
        ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
        : new Uint8Array(value);
    return [...view]
      .map((byte) => byte.toString(16).padStart(2, "0"))
      .join("")
      .includes(bytes);
  });
}
