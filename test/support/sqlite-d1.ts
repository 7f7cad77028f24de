import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

/** Prepared statement, which returns rows as arrays. */
interface Prepared {
  readonly statement: StatementSync;
  /** Names of the columns of its rows. */
  readonly names: readonly string[];
  readonly isReading: boolean;
}

/** Statement that changes no row. `WITH` may begin each kind of statement. */
const READING = /^\s*(?:SELECT\b|WITH\b(?!.*\b(?:INSERT|UPDATE|DELETE|REPLACE)\b))/is;

/** Database with its prepared statements, because SQLite takes longer to prepare most statements than to run them. */
class Sqlite {
  readonly database = new DatabaseSync(":memory:");
  readonly #prepared = new Map<string, Prepared>();
  readonly #total: StatementSync;
  /** Changes of all statements so far, unless the last one was not counted. */
  #changes: number | undefined;

  constructor(contents: Uint8Array) {
    this.database.deserialize(contents);
    this.#total = this.database.prepare("SELECT total_changes()");
    this.#total.setReturnArrays(true);
  }

  prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.database.prepare(sql);
    statement.setReturnArrays(true);
    const names = statement.columns().map(({ name }) => name);
    const prepared = { statement, names, isReading: READING.test(sql) };
    if (this.#prepared.size === PREPARED_MAX) this.#prepared.clear();
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  /** Runs a statement. Returns its rows and how many rows it and its triggers changed. */
  run({ statement, isReading }: Prepared, values: readonly unknown[]) {
    if (isReading) return { rows: readRows(statement, values), changes: 0 };
    const before = this.#changes ?? this.#countChanges();
    this.#changes = undefined;
    const rows = readRows(statement, values);
    this.#changes = this.#countChanges();
    return { rows, changes: this.#changes - before };
  }

  exec(sql: string): void {
    this.#changes = undefined;
    // The columns of prepared statements may change.
    this.#prepared.clear();
    this.database.exec(sql);
  }

  #countChanges(): number {
    return (this.#total.get() as unknown as [number])[0];
  }

  countBytes(): number {
    const sql = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
    return (this.prepare(sql).statement.get() as unknown as [number])[0];
  }
}

function readRows(statement: StatementSync, values: readonly unknown[]): unknown[][] {
  return statement.all(...values.map(encode)) as unknown as unknown[][];
}

const PREPARED_MAX = 4_000;
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
    const sqlite = this.#getSqlite();
    const { rows } = sqlite.run(sqlite.prepare(this.#sql), this.#values);
    return rows.map((row) => row.map(decode));
  }

  execute() {
    const sqlite = this.#getSqlite();
    const prepared = sqlite.prepare(this.#sql);
    const { rows, changes } = sqlite.run(prepared, this.#values);
    const results = rows.map((row) => {
      const named: Record<string, unknown> = {};
      for (const [index, name] of prepared.names.entries()) named[name] = decode(row[index]);
      return named;
    });
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

/** D1 database in memory. */
export interface MemoryD1 extends D1Database {
  /** Deletes all rows. */
  reset(): void;
  /** Returns a function that restores the present rows, until the next `save` or `reset`. */
  save(): () => void;
}

/** Creates a D1 database in memory, with the migrations of a folder, for tests that run in Node. */
export function createSqliteD1(migrations: string): MemoryD1 {
  let sqlite = new Sqlite(getTemplate(migrations));
  const d1 = {
    prepare: (sql: string) => new Statement(() => sqlite, sql),
    async exec(sql: string) {
      await nextTurn();
      sqlite.exec(sql);
    },
    async batch(statements: readonly Statement[]) {
      await nextTurn();
      const { database } = sqlite;
      database.exec("SAVEPOINT batch");
      try {
        const results = statements.map((statement) => statement.execute());
        database.exec("RELEASE batch");
        return results;
      } catch (error) {
        database.exec("ROLLBACK TO batch; RELEASE batch");
        throw error;
      }
    },
    withSession: () => ({ ...d1, getBookmark: () => null }),
    reset() {
      sqlite = new Sqlite(getTemplate(migrations));
    },
    save() {
      const { database } = sqlite;
      if (database.isTransaction) database.exec("RELEASE saved");
      database.exec("SAVEPOINT saved");
      return () => database.exec("ROLLBACK TO saved");
    },
  };
  return d1 as unknown as MemoryD1;
}
