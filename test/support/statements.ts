import { type DatabaseBindings, mapDatabases } from "../../src/db/shards.ts";

/** Statement that was run, with its bound values. */
export interface Statement {
  sql: string;
  values: readonly unknown[];
}

const RUNNERS = ["all", "first", "run", "raw"] as const;

/** Returns copies of the bindings that list the statements which reach a shard. */
export function recordShards<Bindings extends DatabaseBindings>(
  bindings: Bindings,
): { env: Bindings; statements: Statement[] } {
  const statements: Statement[] = [];
  const env = mapDatabases(bindings, (d1, name) => (name === "DIRECTORY" ? d1 : recordRuns(d1, statements)));
  return { env, statements };
}

function recordRuns(d1: D1Database, statements: Statement[]): D1Database {
  const originals = new WeakMap<object, { inner: D1PreparedStatement; statement: Statement }>();
  const wrap = (inner: D1PreparedStatement, statement: Statement): D1PreparedStatement => {
    const run = (method: (typeof RUNNERS)[number]) => {
      return (...args: never[]) => {
        statements.push(statement);
        return (inner[method] as (...args: never[]) => unknown)(...args);
      };
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
      statements.push(...known.flatMap((entry) => entry?.statement ?? []));
      return connection.batch(known.map((entry) => entry?.inner as D1PreparedStatement));
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

/** Returns true if the values of a statement name a workspace: its id as text, in a list, in JSON, or as bytes in hex. */
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
