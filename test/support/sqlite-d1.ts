import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

/** Database with its prepared statements, because SQLite takes longer to prepare most statements than to run them. */
class Sqlite {
  readonly database = new DatabaseSync(":memory:");
  readonly #prepared = new Map<string, StatementSync>();

  prepare(sql: string, returnsArrays = false): StatementSync {
    const key = `${returnsArrays} ${sql}`;
    const statement = this.#prepared.get(key) ?? this.database.prepare(sql);
    if (!this.#prepared.has(key)) {
      statement.setReturnArrays(returnsArrays);
      if (this.#prepared.size === PREPARED_MAX) this.#prepared.clear();
      this.#prepared.set(key, statement);
    }
    return statement;
  }

  countChanges(): number {
    return (this.prepare("SELECT total_changes() AS count").get() as { count: number }).count;
  }

  countBytes(): number {
    const sql = "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size";
    return (this.prepare(sql).get() as { bytes: number }).bytes;
  }
}

const PREPARED_MAX = 1_000;
/** Maximum number of a statement's parameters in D1. */
const PARAMETERS_MAX = 100;

/** D1 statement that SQLite runs in this process. */
class Statement {
  readonly #getSqlite: () => Sqlite;
  readonly #sql: string;
  readonly #values: readonly unknown[];

  constructor(getSqlite: () => Sqlite, sql: string, values: readonly unknown[] = []) {
    this.#getSqlite = getSqlite;
    this.#sql = sql;
    this.#values = values;
  }

  bind(...values: unknown[]): Statement {
    if (values.length > PARAMETERS_MAX) throw new Error("D1_ERROR: too many SQL variables");
    return new Statement(this.#getSqlite, this.#sql, values);
  }

  async all() {
    await nextTurn();
    return this.execute();
  }

  async run() {
    await nextTurn();
    return this.execute();
  }

  async first(column?: string): Promise<unknown> {
    await nextTurn();
    const [row] = this.execute().results;
    if (row === undefined) return null;
    return column === undefined ? row : row[column];
  }

  async raw(): Promise<unknown[][]> {
    await nextTurn();
    const statement = this.#getSqlite().prepare(this.#sql, true);
    const rows = statement.all(...this.#values.map(encode)) as unknown as unknown[][];
    return rows.map((row) => row.map(decode));
  }

  execute() {
    const sqlite = this.#getSqlite();
    const before = sqlite.countChanges();
    const rows = sqlite.prepare(this.#sql).all(...this.#values.map(encode));
    const results = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, decode(value)])),
    );
    const changes = sqlite.countChanges() - before;
    // No test may rely on the rows that a statement reads, which only D1 counts.
    const counts = { changes, rows_written: changes, rows_read: Number.NaN };
    const meta = {
      ...counts,
      served_by_primary: true,
      get size_after() {
        return sqlite.countBytes();
      },
    };
    return { success: true, results, meta };
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

/** Contents of databases without rows, by the folder of their migrations. */
const templates = new Map<string, Uint8Array>();

/** Returns the contents of a database after the migrations of a folder, which take 20 ms. */
function getTemplate(migrations: string): Uint8Array {
  const known = templates.get(migrations);
  if (known !== undefined) return known;
  const sqlite = new DatabaseSync(":memory:");
  for (const file of readdirSync(migrations).sort()) {
    if (file.endsWith(".sql")) sqlite.exec(readFileSync(`${migrations}/${file}`, "utf8"));
  }
  const template = sqlite.serialize();
  templates.set(migrations, template);
  return template;
}

/** The clock of a test may be fake. */
const { setImmediate: runLater } = globalThis;

/**
 * Waits for the next turn of the event loop. Each trip begins with it, so that parallel trips overlap as they do
 * with a database on another machine.
 */
export const nextTurn = () => new Promise<void>((resolve) => void runLater(resolve));

/** Creates a D1 database in memory, with the migrations of a folder, for tests that run in Node. */
export function createSqliteD1(migrations: string): D1Database & { reset(): void } {
  const open = () => {
    const created = new Sqlite();
    created.database.deserialize(getTemplate(migrations));
    return created;
  };
  let sqlite = open();
  const d1 = {
    prepare: (sql: string) => new Statement(() => sqlite, sql),
    async exec(sql: string) {
      await nextTurn();
      sqlite.database.exec(sql);
    },
    async batch(statements: readonly Statement[]) {
      await nextTurn();
      const { database } = sqlite;
      database.exec("BEGIN");
      try {
        const results = statements.map((statement) => statement.execute());
        database.exec("COMMIT");
        return results;
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    },
    withSession: () => ({ ...d1, getBookmark: () => null }),
    /** Deletes all rows. */
    reset() {
      sqlite = open();
    },
  };
  return d1 as unknown as D1Database & { reset(): void };
}
