import { DatabaseSync } from "node:sqlite";
import { BACKUPS_BINDING } from "../backup/nightly-backup.ts";
import { type StoredTable, selectLines } from "../backup/stored-tables.ts";
import { applyMigrations, type Deployment, listShardNames } from "./admin-database.ts";
import { type BackupCounts, type BackupSource, createBackup, type ListedFile } from "./backup-create.ts";
import { type RestoreTarget, requireEmpty, restoreBackup } from "./backup-restore.ts";
import { readLocalConfig } from "./local-config.ts";
import { callLocalBucket, closeStorage, findDatabaseFile, listMigrations } from "./local-databases.ts";
import { createDatabases, recordMigrations } from "./local-migrations.ts";
import type { StateFolder } from "./state.ts";

/** Backups of a state folder. */

/** Open databases by binding. */
export type Databases = ReadonlyMap<string, DatabaseSync>;

type LocalDeployment = Deployment & { state: StateFolder };

/**
 * Writes everything in a state folder to an archive, also while a service uses the folder. Reads each database in one
 * read transaction of SQLite, which doesn't delay writes. All transactions begin within milliseconds: the directory's
 * last, because rows on shards exist only with a row of the directory that was written before.
 */
export async function createLocalBackup(deployment: LocalDeployment, path: string): Promise<BackupCounts> {
  const databases = openDatabases(deployment, true);
  const { state } = deployment;
  const source: BackupSource = {
    ...readDatabases(databases),
    buckets: listBuckets(),
    listFiles: (bucket) => listFiles(state, bucket),
    readFile: async ({ bucket, key, etag }) => {
      const response = await callLocalBucket(state, { bucket, action: "get", key, etag });
      return response.status === 404 ? null : (response.body ?? new Blob().stream());
    },
  };
  try {
    return await createBackup(source, path);
  } finally {
    for (const database of databases.values()) database.close();
  }
}

/** Returns the part of a source that reads open databases. */
export function readDatabases(
  databases: Databases,
): Pick<BackupSource, "databases" | "begin" | "query" | "readLines"> {
  return {
    databases: [...databases.keys()],
    begin: () => beginReads(databases),
    query: async (name, sql) => getDatabase(databases, name).prepare(sql).all(),
    readLines: (name, table) => readLines(getDatabase(databases, name), table),
  };
}

/** Begins a read transaction of each database, in their order. Later changes don't affect what is read. */
export function beginReads(databases: Databases): void {
  for (const database of databases.values()) {
    database.exec("BEGIN");
    // SQLite begins the transaction with its first read.
    database.prepare("SELECT 1 FROM sqlite_master LIMIT 1").get();
  }
}

function* readLines(database: DatabaseSync, table: StoredTable): Generator<string> {
  for (const { line } of database.prepare(selectLines(table)).iterate()) yield String(line);
}

async function* listFiles(state: StateFolder, bucket: string): AsyncGenerator<ListedFile> {
  let cursor: string | undefined;
  do {
    const response = await callLocalBucket(state, { bucket, action: "list", cursor });
    const page = (await response.json()) as { files: Omit<ListedFile, "bucket">[]; cursor?: string };
    for (const file of page.files) yield { bucket, ...file };
    cursor = page.cursor;
  } while (cursor !== undefined);
}

/**
 * Restores a backup into a locked state folder without workspaces. Works on new databases, which replace those of the
 * folder at the end. If interrupted, the folder is unchanged. Throws {@link CommandError} if the folder isn't empty.
 */
export async function restoreLocalBackup(deployment: LocalDeployment, path: string): Promise<BackupCounts> {
  const { state } = deployment;
  if (!state.beginStorage()) {
    await withTarget(deployment, requireEmpty);
    await closeStorage(state.storage);
    state.replaceStorage();
  }
  await createDatabases(state, deployment);
  const counts = await withTarget(deployment, (target) => restoreBackup(target, path));
  await closeStorage(state.storage);
  state.finishStorage();
  recordMigrations(state);
  return counts;
}

async function withTarget<Result>(
  deployment: LocalDeployment,
  use: (target: RestoreTarget) => Promise<Result>,
): Promise<Result> {
  const { state } = deployment;
  const databases = openDatabases(deployment, false);
  const target: RestoreTarget = {
    ...writeDatabases(databases),
    buckets: listBuckets(),
    listMigrations,
    hasFiles: async (bucket) => !(await listFiles(state, bucket).next()).done,
    writeFile: async ({ body, bucket, key, size, metadata }) => {
      await callLocalBucket(state, { bucket, action: "put", key, size, metadata }, body);
    },
    migrate: () => applyMigrations(deployment),
  };
  try {
    return await use(target);
  } finally {
    for (const database of databases.values()) database.close();
  }
}

/** Returns the part of a target that writes open databases. */
export function writeDatabases(databases: Databases): Pick<RestoreTarget, "databases" | "run"> {
  return {
    databases: [...databases.keys()],
    run: async (name, statements) => runTransaction(getDatabase(databases, name), statements),
  };
}

function runTransaction(database: DatabaseSync, statements: Parameters<RestoreTarget["run"]>[1]) {
  database.exec("BEGIN IMMEDIATE");
  try {
    const rows = statements.map(({ sql, params }) => database.prepare(sql).all(...params));
    database.exec("COMMIT");
    return rows;
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

/** Opens the databases, the directory last, because a row on a shard has a row of the directory that is older. */
export function openDatabases(deployment: LocalDeployment, readOnly: boolean): Databases {
  const names = [...listShardNames(deployment), "DIRECTORY"];
  return new Map(
    names.map((name) => [name, new DatabaseSync(findDatabaseFile(deployment.state, name), { readOnly })]),
  );
}

function getDatabase(databases: Databases, name: string): DatabaseSync {
  const database = databases.get(name);
  if (database === undefined) throw new Error(`there is no database ${name}`);
  return database;
}

function listBuckets(): string[] {
  const bindings = readLocalConfig().r2_buckets.map(({ binding }) => binding);
  return bindings.filter((binding) => binding !== BACKUPS_BINDING);
}
