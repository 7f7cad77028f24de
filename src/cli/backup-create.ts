import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { type ArchivedFile, type ArchiveWriter, type Manifest, writeArchive } from "../backup/archive.ts";
import {
  orderTables,
  parseTables,
  type SchemaItem,
  SELECT_SCHEMA,
  SELECT_TABLES,
  type StoredTable,
} from "../backup/stored-tables.ts";
import { CommandError } from "./command-error.ts";

/** First entry of a backup. */
export interface BackupManifest extends Manifest {
  kind: "installation";
  /** Random UUID. A restore continues only with the same backup. */
  id: string;
  /** Statements that create the databases as they were, by binding. */
  schema: Record<string, SchemaItem[]>;
}

/** File in a bucket, before it is read. */
export interface ListedFile extends ArchivedFile {
  /** Changes with the content. */
  etag: string;
}

/** Installation that can be read. Databases and buckets are called by their bindings. */
export interface BackupSource {
  databases: readonly string[];
  buckets: readonly string[];
  /** Fixes the content of the databases that the other methods read, as far as the source can. */
  begin(): void;
  query(database: string, statement: string): Promise<Record<string, unknown>[]>;
  /** Yields the rows of a table as lines. */
  readLines(database: string, table: StoredTable): AsyncIterable<string> | Iterable<string>;
  listFiles(bucket: string): AsyncIterable<ListedFile>;
  /** Returns the content of a file, or null if the file was deleted. */
  readFile(file: ListedFile): Promise<AsyncIterable<Uint8Array> | null>;
}

/** Numbers of archived rows and files. */
export interface BackupCounts {
  rows: number;
  files: number;
}

/** Version of the project. */
export const { version: VERSION } = createRequire(import.meta.url)("../../package.json") as {
  version: string;
};

/**
 * Writes everything to an archive. Copies files before the databases are fixed, and new files afterwards, so that
 * no row refers to a missing file. The service sweeps copied files that were deleted in between.
 */
export async function createBackup(source: BackupSource, path: string): Promise<BackupCounts> {
  const { databases } = source;
  const schema = await readSchema(source);
  const migrations: BackupManifest["migrations"] = {};
  for (const database of databases) migrations[database] = await readMigrations(source, database);
  const manifest = buildManifest(new Date().toISOString(), migrations, schema);
  const counts = { rows: 0, files: 0 };
  await writeArchive(path, manifest, async (archive) => {
    const copied = new Set<string>();
    counts.files += await copyFiles(source, archive, copied);
    source.begin();
    if (JSON.stringify(await readSchema(source)) !== JSON.stringify(schema)) {
      throw new CommandError("the databases were migrated while the backup began; run it again");
    }
    for (const database of databases) {
      for (const table of orderTables(parseTables(await source.query(database, SELECT_TABLES)))) {
        const lines = source.readLines(database, table);
        counts.rows += await archive.writeRows(database, table.name, table.columns, lines);
      }
    }
    counts.files += await copyFiles(source, archive, copied);
  });
  return counts;
}

/** Returns the first entry of a new archive. */
export function buildManifest(
  createdAt: string,
  migrations: BackupManifest["migrations"],
  schema: BackupManifest["schema"],
): BackupManifest {
  return { kind: "installation", id: randomUUID(), version: VERSION, createdAt, migrations, schema };
}

/** Copies the files that aren't in `copied` to an archive, and returns their number. */
export async function copyFiles(
  source: Pick<BackupSource, "buckets" | "listFiles" | "readFile">,
  archive: ArchiveWriter,
  copied: Set<string>,
): Promise<number> {
  let count = 0;
  for (const bucket of source.buckets) {
    for await (const file of source.listFiles(bucket)) {
      const version = `${bucket}/${file.key} ${file.etag}`;
      if (copied.has(version)) continue;
      const body = await source.readFile(file);
      if (body === null) continue;
      await archive.writeFile(file, body);
      copied.add(version);
      count += 1;
    }
  }
  return count;
}

async function readSchema({ databases, query }: BackupSource): Promise<BackupManifest["schema"]> {
  const schema: BackupManifest["schema"] = {};
  for (const database of databases) {
    schema[database] = (await query(database, SELECT_SCHEMA)) as unknown as SchemaItem[];
  }
  return schema;
}

async function readMigrations({ query }: BackupSource, database: string): Promise<string[]> {
  const rows = await query(database, "SELECT name FROM d1_migrations ORDER BY id");
  return rows.map(({ name }) => String(name));
}
