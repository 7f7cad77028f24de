import { checkArchive, type FileEntry, type RowsEntry, readArchive } from "../backup/archive.ts";
import { quoteName } from "../backup/row-json.ts";
import {
  groupByReferences,
  insertLines,
  PROGRESS_TABLE,
  parseTables,
  type SchemaItem,
  SELECT_SCHEMA,
  SELECT_TABLES,
  SEQUENCES,
  type Statement,
  type StoredTable,
} from "../backup/stored-tables.ts";
import { PAUSE_WEBHOOKS } from "../tenant/webhook-pause.ts";
import type { BackupCounts, BackupManifest } from "./backup-create.ts";
import { CommandError } from "./command-error.ts";

/** Empty installation. Databases and buckets are called by their bindings. */
export interface RestoreTarget {
  databases: readonly string[];
  buckets: readonly string[];
  /** Returns the names of all migrations that this version has for a database. */
  listMigrations(database: string): readonly string[];
  /** Runs statements in one transaction, and returns the rows of each. */
  run(database: string, statements: readonly Statement[]): Promise<Record<string, unknown>[][]>;
  hasFiles(bucket: string): Promise<boolean>;
  writeFile(file: FileEntry): Promise<void>;
  /** Applies the migrations that the databases don't have. */
  migrate(): Promise<void>;
}

/** Step after which only the progress is left to delete. */
const COMPLETE = "complete";

/**
 * Restores a backup into an empty installation, and pauses the webhooks. Checks the whole archive before it writes. Records
 * each step in the step's transaction, so that a second call with the same archive continues after an interruption. Throws
 * {@link CommandError} without changes if the archive doesn't fit the installation.
 */
export async function restoreBackup(target: RestoreTarget, path: string): Promise<BackupCounts> {
  const manifest = await checkArchive<BackupManifest>(path, "installation");
  requireFitting(target, manifest);
  const restore = new Restore(target, manifest);
  await restore.begin();
  const counts = await restore.copy(path);
  await restore.finish();
  return counts;
}

function requireFitting({ databases, listMigrations }: RestoreTarget, { migrations }: BackupManifest): void {
  for (const [database, applied] of Object.entries(migrations)) {
    if (!databases.includes(database)) {
      throw new CommandError(`the backup has the database ${database}; add it to wrangler.toml first`);
    }
    const known = listMigrations(database);
    const unknown = applied.filter((name) => !known.includes(name));
    if (unknown.length > 0) {
      throw new CommandError(
        `the backup was made by a newer version of Signpost (${database}: ${unknown.join(", ")}); update first`,
      );
    }
  }
}

/** Throws {@link CommandError} if an installation has a workspace or a file. */
export async function requireEmpty(
  target: Pick<RestoreTarget, "databases" | "buckets" | "run" | "hasFiles">,
): Promise<void> {
  const error = new CommandError("this installation isn't empty; restore the backup into an empty one");
  for (const database of target.databases) {
    const owner = database === "DIRECTORY" ? "workspaces" : "tenants";
    const names = (await listTables(target, database)).map(({ name }) => name);
    if (!names.includes(owner)) continue;
    const [rows] = await target.run(database, [{ sql: `SELECT 1 FROM ${owner} LIMIT 1`, params: [] }]);
    if (rows?.length !== 0) throw error;
  }
  for (const bucket of target.buckets) if (await target.hasFiles(bucket)) throw error;
}

async function listTables({ run }: Pick<RestoreTarget, "run">, database: string): Promise<StoredTable[]> {
  const [rows = []] = await run(database, [{ sql: SELECT_TABLES, params: [] }]);
  return parseTables(rows);
}

class Restore {
  readonly #target: RestoreTarget;
  readonly #manifest: BackupManifest;
  /** Bindings of the databases in the backup. */
  readonly #databases: readonly string[];
  /** Completed steps of each database. */
  readonly #done = new Map<string, Set<string>>();

  constructor(target: RestoreTarget, manifest: BackupManifest) {
    this.#target = target;
    this.#manifest = manifest;
    this.#databases = Object.keys(manifest.schema);
  }

  /** Creates the empty tables, unless an earlier call did. Requires an empty installation otherwise. */
  async begin(): Promise<void> {
    const { id, schema } = this.#manifest;
    for (const database of this.#databases) {
      const steps = await this.#readProgress(database);
      if (steps !== null) this.#done.set(database, steps);
    }
    const started = [...this.#done.values()];
    if (started.some((steps) => !steps.has(id))) {
      throw new CommandError("the restore of another backup was interrupted; finish it with its file first");
    }
    if (started.length === 0) await requireEmpty(this.#target);
    if (this.#isComplete) return;
    for (const database of this.#databases) {
      if (this.#done.has(database)) continue;
      const items = schema[database] ?? [];
      const drops = await this.#listDrops(database);
      await this.#run(database, [
        ...drops,
        `CREATE TABLE ${PROGRESS_TABLE} (step TEXT PRIMARY KEY)`,
        `INSERT INTO ${PROGRESS_TABLE} VALUES ('${id}')`,
        ...items.filter((item) => isEarly(item, items)).map(({ sql }) => sql),
        ...(items.some(({ name }) => name === "transits") ? [PAUSE_WEBHOOKS] : []),
      ]);
      this.#done.set(database, new Set([id]));
    }
  }

  get #isComplete(): boolean {
    return [...this.#done.values()].some((steps) => steps.has(COMPLETE));
  }

  /** Inserts the rows, referenced ones first, and then writes the files. */
  async copy(path: string): Promise<BackupCounts> {
    const counts = { rows: 0, files: 0 };
    if (this.#isComplete) return counts;
    const groups = new Map<string, Set<string>[]>();
    for (const database of this.#databases) {
      groups.set(database, groupByReferences(await listTables(this.#target, database)));
    }
    const passes = Math.max(...[...groups.values()].map(({ length }) => length)) + 1;
    for (let pass = 0; pass < passes; pass++) {
      let number = 0;
      for await (const entry of readArchive(path)) {
        number += 1;
        if (entry.type === "file") {
          if (pass < passes - 1) for await (const _ of entry.body);
          else await this.#target.writeFile(entry);
          counts.files += Number(pass === passes - 1);
        } else {
          const isLast = entry.table === SEQUENCES.name;
          const isNow = isLast ? pass === passes - 1 : groups.get(entry.database)?.[pass]?.has(entry.table);
          if (!isNow) continue;
          counts.rows += entry.lines.length;
          await this.#insert(entry, `part ${number}`);
        }
      }
    }
    return counts;
  }

  async #insert({ database, table, columns, lines }: RowsEntry, step: string): Promise<void> {
    const clear = table === SEQUENCES.name ? [{ sql: `DELETE FROM ${table}`, params: [] }] : [];
    await this.#takeStep(database, step, [...clear, insertLines(table, columns, lines)]);
  }

  /** Creates indexes and triggers, applies later migrations, and deletes the progress. */
  async finish(): Promise<void> {
    if (!this.#isComplete) {
      for (const database of this.#databases) {
        const items = this.#manifest.schema[database] ?? [];
        for (const item of items.filter((each) => !isEarly(each, items))) {
          await this.#takeStep(database, `create ${item.name}`, [{ sql: item.sql, params: [] }]);
        }
      }
      await this.#target.migrate();
      for (const database of this.#databases) {
        await this.#run(database, [
          ...(database === "DIRECTORY" ? [] : [PAUSE_WEBHOOKS]),
          `INSERT OR IGNORE INTO ${PROGRESS_TABLE} VALUES ('${COMPLETE}')`,
        ]);
      }
    }
    for (const database of this.#databases) {
      await this.#run(database, [`DROP TABLE IF EXISTS ${PROGRESS_TABLE}`]);
    }
  }

  /** Runs statements and records the step, unless it was recorded before. */
  async #takeStep(database: string, step: string, statements: readonly Statement[]): Promise<void> {
    const done = this.#done.get(database);
    if (done?.has(step)) return;
    const record = { sql: `INSERT INTO ${PROGRESS_TABLE} VALUES (?1)`, params: [step] };
    await this.#target.run(database, [record, ...statements]);
    done?.add(step);
  }

  async #run(database: string, statements: readonly string[]): Promise<Record<string, unknown>[][]> {
    return this.#target.run(
      database,
      statements.map((sql) => ({ sql, params: [] })),
    );
  }

  /** Returns the completed steps of a database, or null if no restore began. */
  async #readProgress(database: string): Promise<Set<string> | null> {
    const found = `SELECT 1 FROM sqlite_master WHERE name = '${PROGRESS_TABLE}'`;
    const [tables] = await this.#run(database, [found]);
    if (tables?.length === 0) return null;
    const [steps = []] = await this.#run(database, [`SELECT step FROM ${PROGRESS_TABLE}`]);
    return new Set(steps.map(({ step }) => String(step)));
  }

  /** Returns the statements that drop everything: first triggers and views, then tables before those they refer to. */
  async #listDrops(database: string): Promise<string[]> {
    const [rows = []] = await this.#run(database, [SELECT_SCHEMA]);
    const items = rows as unknown as SchemaItem[];
    const groups = groupByReferences(await listTables(this.#target, database));
    const rank = (name: string) => groups.findIndex((names) => names.has(name));
    const tables = items.filter(({ type }) => type === "table");
    return [
      ...items
        .filter(({ type }) => type === "trigger" || type === "view")
        .map(({ type, name }) => `DROP ${type} ${quoteName(name)}`),
      ...tables
        .toSorted((one, other) => rank(other.name) - rank(one.name))
        .map(({ name }) => `DROP TABLE ${quoteName(name)}`),
    ];
  }
}

/**
 * Returns true for what must exist before the rows: tables, views, unique indexes, which decide which of two rows stays,
 * and triggers that fill a search index, whose rows aren't in the backup.
 */
function isEarly({ type, sql }: SchemaItem, items: readonly SchemaItem[]): boolean {
  if (type === "table" || type === "view") return true;
  if (type === "index") return /^CREATE UNIQUE\b/i.test(sql);
  const indexes = items.filter((item) => /^CREATE VIRTUAL TABLE\b/i.test(item.sql));
  return (
    /\bAFTER INSERT ON\b/i.test(sql) && indexes.some(({ name }) => sql.includes(`INSERT INTO \`${name}\``))
  );
}
