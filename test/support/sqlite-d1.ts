import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";

/** D1 statement that SQLite runs in this process. */
class Statement {
  readonly #sqlite: DatabaseSync;
  readonly #sql: string;
  readonly #values: readonly unknown[];

  constructor(sqlite: DatabaseSync, sql: string, values: readonly unknown[] = []) {
    this.#sqlite = sqlite;
    this.#sql = sql;
    this.#values = values;
  }

  bind(...values: unknown[]): Statement {
    return new Statement(this.#sqlite, this.#sql, values);
  }

  async all() {
    return this.execute();
  }

  async run() {
    return this.execute();
  }

  async first(column?: string): Promise<unknown> {
    const [row] = this.execute().results;
    if (row === undefined) return null;
    return column === undefined ? row : row[column];
  }

  async raw(): Promise<unknown[][]> {
    const statement = this.#sqlite.prepare(this.#sql);
    statement.setReturnArrays(true);
    const rows = statement.all(...this.#values.map(encode)) as unknown as unknown[][];
    return rows.map((row) => row.map(decode));
  }

  execute() {
    const statement = this.#sqlite.prepare(this.#sql);
    const before = this.#countChanges();
    const rows = statement.all(...this.#values.map(encode));
    const results = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, decode(value)])),
    );
    const changes = this.#countChanges() - before;
    // The size is not measured: no test depends on it.
    const meta = { changes, rows_written: changes, rows_read: results.length, size_after: 0 };
    return { success: true, results, meta };
  }

  #countChanges(): number {
    return (this.#sqlite.prepare("SELECT total_changes() AS count").get() as { count: number }).count;
  }
}

/** Converts a value as D1 does before passing it to SQLite. */
function encode(value: unknown): SQLInputValue {
  if (typeof value === "boolean") return Number(value);
  if (Array.isArray(value)) return Uint8Array.from(value);
  return value instanceof ArrayBuffer ? new Uint8Array(value) : (value as SQLInputValue);
}

/** Converts a value of SQLite as D1 does: bytes are returned as an array of numbers. */
function decode(value: unknown): unknown {
  return value instanceof Uint8Array ? [...value] : value;
}

/** Creates a D1 database in memory, with the migrations of a folder, for tests that run in Node. */
export function createSqliteD1(migrations: string): D1Database {
  const sqlite = new DatabaseSync(":memory:");
  for (const file of readdirSync(migrations).sort()) {
    if (file.endsWith(".sql")) sqlite.exec(readFileSync(`${migrations}/${file}`, "utf8"));
  }
  const d1 = {
    prepare: (sql: string) => new Statement(sqlite, sql),
    async batch(statements: readonly Statement[]) {
      sqlite.exec("BEGIN");
      try {
        const results = statements.map((statement) => statement.execute());
        sqlite.exec("COMMIT");
        return results;
      } catch (error) {
        sqlite.exec("ROLLBACK");
        throw error;
      }
    },
    withSession: () => ({ ...d1, getBookmark: () => null }),
  };
  return d1 as unknown as D1Database;
}
