import { buildPrivateFileKey, buildPublicFileKey } from "../assets/storage.ts";
import type { SealKey } from "../core/seal.ts";
import { type DatabaseBindings, getShard } from "../db/shards.ts";
import { MOVED_TABLES, type MovedTable } from "../moves/moved-tables.ts";
import type { MovingWorkspace } from "../moves/row-sql.ts";
import type { ArchiveWriter, Manifest } from "./archive.ts";
import { changeLine, listColumns, parseLine, readLines, renumberLine } from "./workspace-rows.ts";
import { type Passphrase, packSecrets } from "./workspace-secrets.ts";
import { DIRECTORY_TABLES } from "./workspace-tables.ts";

/** Databases and buckets of an installation. The Worker's `env` is one. */
export type Installation = DatabaseBindings & Record<BucketName, FileBucket>;

export type BucketName = "PRIVATE_FILES" | "PUBLIC_FILES";

/** Part of a bucket that exports and imports use. */
export interface FileBucket {
  get(key: string): Promise<StoredFile | null>;
  put(
    key: string,
    body: ReadableStream<Uint8Array>,
    options: StoredMetadata & { size: number },
  ): Promise<unknown>;
  delete(keys: string[]): Promise<unknown>;
}

/** Metadata that an object of R2 keeps beside its content. */
export interface StoredMetadata {
  httpMetadata?: R2HTTPMetadata;
  customMetadata?: Record<string, string>;
}

interface StoredFile extends StoredMetadata {
  size: number;
  body: ReadableStream<Uint8Array>;
}

/** First entry of the archive of a workspace. */
export interface WorkspaceManifest extends Manifest {
  kind: "workspace";
  workspace: {
    id: string;
    slug: string;
    /** Primary short host, or null if none was chosen. */
    primaryHost: string | null;
  };
  /** Host of `SHORT_DOMAIN`, below which workspaces get their first short host. */
  shortDomain: string;
  /** See `Passphrase.buildCheck`. Null if the archive has no webhook secrets. */
  passphraseCheck: string | null;
}

/** Workspace that is exported. */
export interface LocatedWorkspace extends MovingWorkspace {
  slug: string;
  shard: number;
  primaryHost: string | null;
}

/** Returns a workspace, or null if the installation doesn't have it. */
export async function findWorkspace(
  { DIRECTORY }: DatabaseBindings,
  slug: string,
): Promise<LocatedWorkspace | null> {
  return await DIRECTORY.prepare(
    `SELECT id, number, slug, shard,
            (SELECT hostname FROM domains WHERE number = primary_domain AND workspace_id = workspaces.id) AS primaryHost
       FROM workspaces WHERE slug = ?1`,
  )
    .bind(slug)
    .first<LocatedWorkspace>();
}

/** Keys that decrypt the webhook secrets of the installation and encrypt them for the archive. */
export interface SecretKeys {
  seal: SealKey | null;
  passphrase: Passphrase | null;
}

/** Writes everything that belongs to a workspace. Returns the number of rows of each table, and of files. */
export async function exportWorkspace(
  source: Installation,
  workspace: LocatedWorkspace,
  archive: Pick<ArchiveWriter, "writeRows" | "writeFile">,
  keys: SecretKeys,
  onTable: (name: string) => void = () => {},
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const shard = getShard(source, workspace.shard);
  const databases = [
    ["directory", source.DIRECTORY, DIRECTORY_TABLES],
    ["shard", shard, MOVED_TABLES],
  ] as const;
  for (const [database, d1, tables] of databases) {
    for (const table of tables) {
      onTable(table.name);
      const lines = packLines(d1, table, workspace, keys);
      const rows = await archive.writeRows(database, table.name, listColumns(table), lines);
      counts[table.name] = (counts[table.name] ?? 0) + rows;
    }
  }
  onTable("files");
  counts.files = await writeFiles(source, shard, workspace, archive);
  return counts;
}

async function* packLines(
  d1: D1Database,
  table: MovedTable,
  workspace: LocatedWorkspace,
  { seal, passphrase }: SecretKeys,
): AsyncGenerator<string> {
  for await (const line of readLines(d1, table, workspace)) {
    if (table.name !== "webhooks") {
      yield renumberLine(table, line, -workspace.number);
      continue;
    }
    const { id, secret, previous_secrets } = parseLine(table, line);
    const secrets = { secret: String(secret), previous_secrets: String(previous_secrets) };
    const packed = await packSecrets(String(id), secrets, seal, passphrase);
    yield changeLine(table, line, (row) => ({ ...row, ...packed }));
  }
}

async function writeFiles(
  source: Installation,
  shard: D1Database,
  workspace: LocatedWorkspace,
  archive: Pick<ArchiveWriter, "writeFile">,
): Promise<number> {
  let files = 0;
  for await (const { bucket, key } of listFiles(shard, workspace)) {
    const file = await source[bucket].get(key);
    if (file === null) continue;
    const { size, httpMetadata = {}, customMetadata = {}, body } = file;
    await archive.writeFile({ bucket, key, size, metadata: { httpMetadata, customMetadata } }, body);
    files += 1;
  }
  return files;
}

/** Number of files that are looked up together. */
const FILES_STEP = 200;

/** Yields the keys that files of the workspace may have. */
export async function* listFiles(
  shard: D1Database,
  { id: workspaceId }: MovingWorkspace,
): AsyncGenerator<{ bucket: BucketName; key: string }> {
  const select = shard.prepare(
    `SELECT id, filename, is_public FROM assets WHERE workspace_id = ?1 AND id > ?2 ORDER BY id LIMIT ${FILES_STEP}`,
  );
  let after = "";
  for (;;) {
    const { results } = await select
      .bind(workspaceId, after)
      .all<{ id: string; filename: string; is_public: number }>();
    for (const { id, filename, is_public: isPublic } of results) {
      yield { bucket: "PRIVATE_FILES", key: buildPrivateFileKey({ workspaceId, id }) };
      if (isPublic === 1) yield { bucket: "PUBLIC_FILES", key: buildPublicFileKey({ id, filename }) };
    }
    if (results.length < FILES_STEP) return;
    after = results.at(-1)?.id ?? "";
  }
}
