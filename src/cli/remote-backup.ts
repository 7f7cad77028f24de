import { globSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Unstable_Config } from "wrangler";
import { writeArchive } from "../backup/archive.ts";
import { readPages } from "../backup/bound-database.ts";
import { BACKUPS_BINDING, formatPartKey, type NightlyManifest } from "../backup/nightly-backup.ts";
import type { Statement } from "../backup/stored-tables.ts";
import { applyMigrations, type Deployment } from "./admin-database.ts";
import {
  type BackupCounts,
  type BackupSource,
  buildManifest,
  copyFiles,
  createBackup,
  type ListedFile,
} from "./backup-create.ts";
import { type RestoreTarget, restoreBackup } from "./backup-restore.ts";
import { CommandError } from "./command-error.ts";
import { AccountReader } from "./deployment-account.ts";
import { loadWrangler } from "./load-tools.ts";
import { readConfig } from "./settings.ts";
import { PROJECT } from "./state.ts";
import { runWrangler } from "./wrangler.ts";

/** Backups of a deployment on Cloudflare, through bindings that wrangler connects to its databases and buckets. */

/** Databases and buckets by binding. */
export interface BoundStorage {
  databases: Readonly<Record<string, D1Database>>;
  buckets: Readonly<Record<string, R2Bucket>>;
  /** Bucket with the nightly copies. Undefined if the deployment has none. */
  backups?: R2Bucket | undefined;
}

/** Properties of files that a bucket keeps. */
interface FileMetadata {
  httpMetadata?: R2HTTPMetadata;
  customMetadata?: Record<string, string>;
}

/** Writes everything of a deployment to an archive. D1 offers no snapshot, so changes in between may be missing. */
export function createRemoteBackup(deployment: Deployment, path: string): Promise<BackupCounts> {
  return withStorage(deployment, (storage) => createBackup(openSource(storage), path));
}

/** Restores a backup into an empty deployment. If interrupted, a second call continues. */
export function restoreRemoteBackup(deployment: Deployment, path: string): Promise<BackupCounts> {
  return withStorage(deployment, async (storage) => {
    const { d1_databases }: Unstable_Config = await readConfig(deployment.environment);
    const folders = new Map(d1_databases.map(({ binding, migrations_dir }) => [binding, migrations_dir]));
    const listMigrations = (name: string) =>
      globSync("*.sql", { cwd: resolve(PROJECT, folders.get(name) ?? "migrations") });
    const migrate = () => applyMigrations(deployment);
    return restoreBackup({ ...openTarget(storage), listMigrations, migrate }, path);
  });
}

/** Lists the days of the nightly copies that are complete. */
export function listRemoteBackups(deployment: Deployment): Promise<{ day: string; created_at: string }[]> {
  return withStorage(deployment, async (storage) => {
    const { delimitedPrefixes } = await requireBackups(storage).list({ delimiter: "/" });
    const days = delimitedPrefixes.map((prefix) => prefix.slice(0, -1)).toSorted();
    const found = days.map(async (day) => ({ day, manifest: await readNightly(storage, day) }));
    return (await Promise.all(found)).flatMap(({ day, manifest }) =>
      manifest === null ? [] : [{ day, created_at: manifest.createdAt }],
    );
  });
}

/** Writes a nightly copy to an archive, with the files that the buckets have now. */
export function fetchRemoteBackup(deployment: Deployment, day: string, path: string): Promise<BackupCounts> {
  return withStorage(deployment, (storage) => fetchBackup(storage, day, path));
}

export async function fetchBackup(storage: BoundStorage, day: string, path: string): Promise<BackupCounts> {
  const nightly = await readNightly(storage, day);
  if (nightly === null) throw new CommandError(`there is no complete backup of ${day}`);
  const { createdAt, migrations, schema, tables } = nightly;
  const counts = { rows: 0, files: 0 };
  await writeArchive(path, buildManifest(createdAt, migrations, schema), async (archive) => {
    for (const { database, table, parts } of tables) {
      for (let part = 0; part < parts; part++) {
        const key = formatPartKey(day, database, table, part);
        const stored = await requireBackups(storage).get(key);
        if (stored === null) throw new CommandError(`the backup of ${day} lacks ${key}`);
        const [columns = "[]", ...lines] = (await stored.text()).split("\n");
        counts.rows += await archive.writeRows(database, table, JSON.parse(columns), lines);
      }
    }
    counts.files = await copyFiles(openSource(storage), archive, new Set());
  });
  return counts;
}

async function readNightly(storage: BoundStorage, day: string): Promise<NightlyManifest | null> {
  const manifest = await requireBackups(storage).get(`${day}/manifest.json`);
  return manifest === null ? null : manifest.json<NightlyManifest>();
}

function requireBackups({ backups }: BoundStorage): R2Bucket {
  if (backups !== undefined) return backups;
  throw new CommandError(`the environment has no bucket ${BACKUPS_BINDING}, so it has no nightly backups`);
}

/** Returns a source that reads databases in pages. Reads the directory last, because its rows are written first. */
export function openSource({ databases, buckets }: BoundStorage): BackupSource {
  return {
    databases: sortNames(databases),
    buckets: Object.keys(buckets),
    begin: () => {},
    query: async (name, sql) => (await get(databases, name).prepare(sql).all()).results,
    readLines: (name, table) => readPages(get(databases, name), table),
    listFiles: (bucket) => listFiles(bucket, get(buckets, bucket)),
    async readFile({ bucket, key, etag }) {
      const file = await get(buckets, bucket).get(key, { onlyIf: { etagMatches: etag } });
      return file !== null && "body" in file ? file.body : null;
    },
  };
}

async function* listFiles(binding: string, bucket: R2Bucket): AsyncGenerator<ListedFile> {
  let cursor: string | undefined;
  do {
    const options: R2ListOptions = { include: ["httpMetadata", "customMetadata"] };
    const page: R2Objects = await bucket.list(cursor === undefined ? options : { ...options, cursor });
    for (const { key, size, etag, httpMetadata, customMetadata } of page.objects) {
      yield { bucket: binding, key, size, etag, metadata: { httpMetadata, customMetadata } };
    }
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
}

/** Returns a target without migrations. */
export function openTarget({
  databases,
  buckets,
}: BoundStorage): Omit<RestoreTarget, "listMigrations" | "migrate"> {
  return {
    databases: sortNames(databases),
    buckets: Object.keys(buckets),
    run: (name, statements) => runBatch(get(databases, name), statements),
    hasFiles: async (bucket) => (await get(buckets, bucket).list({ limit: 1 })).objects.length > 0,
    async writeFile({ bucket, key, metadata, body }) {
      // R2 needs the length of a stream, which is lost on the way. Files have at most 100 MB.
      const chunks: Uint8Array[] = [];
      for await (const chunk of body) chunks.push(chunk);
      await get(buckets, bucket).put(key, Buffer.concat(chunks), metadata as FileMetadata);
    },
  };
}

async function runBatch(d1: D1Database, statements: readonly Statement[]) {
  const prepared = statements.map(({ sql, params }) => d1.prepare(sql).bind(...params));
  const results = await d1.batch<Record<string, unknown>>(prepared);
  return results.map(({ results: rows }) => rows);
}

function sortNames(databases: BoundStorage["databases"]): string[] {
  return Object.keys(databases).toSorted((one, other) =>
    one === "DIRECTORY" ? 1 : other === "DIRECTORY" ? -1 : one.localeCompare(other),
  );
}

function get<Value>(values: Readonly<Record<string, Value>>, name: string): Value {
  const value = values[name];
  if (value === undefined) throw new Error(`there is no binding ${name}`);
  return value;
}

/** Connects to the databases and buckets of a deployment, through a configuration that has only these. */
export async function withStorage<Result>(
  { environment }: Deployment,
  use: (storage: BoundStorage) => Promise<Result>,
): Promise<Result> {
  const { getPlatformProxy } = loadWrangler();
  const declared: Unstable_Config = await readConfig(environment);
  const { name, account_id, compatibility_date, d1_databases, r2_buckets } = declared;
  const ids =
    environment === undefined ? null : await new AccountReader(runWrangler, environment).listDatabases();
  const databases = d1_databases.map(({ binding, database_name, database_id }) => ({
    binding,
    database_name,
    database_id: database_id ?? ids?.get(database_name ?? ""),
    remote: true,
  }));
  const buckets = r2_buckets.map((bucket) => ({ ...bucket, remote: true }));
  const folder = await mkdtemp(join(tmpdir(), "signpost-backup-"));
  const configPath = join(folder, "wrangler.json");
  const config = { name, account_id, compatibility_date, d1_databases: databases, r2_buckets: buckets };
  await writeFile(configPath, JSON.stringify(config));
  const proxy = await getPlatformProxy<Record<string, never>>({ configPath, persist: false });
  try {
    const pick = (bindings: readonly { binding: string }[]) =>
      Object.fromEntries(bindings.map(({ binding }) => [binding, get(proxy.env, binding)]));
    const { [BACKUPS_BINDING]: backups, ...others } = pick(buckets) as Record<string, R2Bucket>;
    return await use({ databases: pick(databases), buckets: others, backups });
  } finally {
    await proxy.dispose();
    await rm(folder, { recursive: true });
  }
}
