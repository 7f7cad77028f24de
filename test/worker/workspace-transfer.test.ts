import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { readArchive, writeArchive } from "../../src/backup/archive.ts";
import {
  exportWorkspace,
  findWorkspace,
  type Installation,
  type WorkspaceManifest,
} from "../../src/backup/export-workspace.ts";
import { ImportError, type ImportOptions, WorkspaceImport } from "../../src/backup/import-workspace.ts";
import { Passphrase } from "../../src/backup/workspace-secrets.ts";
import { DIRECTORY_TABLES, LEFT_TABLES } from "../../src/backup/workspace-tables.ts";
import { toHex } from "../../src/core/crypto.ts";
import { deriveSealKey, seal, unseal } from "../../src/core/seal.ts";
import { deriveSecretKey } from "../../src/webhooks/endpoints.ts";
import { fillWorkspace } from "../support/full-workspace.ts";
import { newWorkspace, send, type TestWorkspace, workerEnv } from "../support/harness.ts";
import { createBucket, createDatabase } from "../support/memory-bindings.ts";
import { addMember } from "../support/people.ts";
import { quietEnv } from "../support/resources.ts";
import { isWriting, watchStatements } from "../support/statements.ts";

/** Exports and imports of workspaces. Both installations run in this process. */

const FILE = join(mkdtempSync(join(tmpdir(), "signpost-transfer-")), "acme.tar.gz");
const PASSPHRASE = "correct horse battery staple";

/** Installation that imports, with a workspace of its own, so that numbers differ. */
let target: Env & Installation;
let workspace: TestWorkspace;
let manifest: WorkspaceManifest;
let exported: Record<string, unknown>;

afterEach(() => void vi.restoreAllMocks());

beforeAll(async () => {
  target = createInstallation();
  const { key: _, ...other } = await newWorkspace("enterprise");
  await target.DIRECTORY.prepare(
    "INSERT INTO workspaces (id, slug, name, plan, shard, created_at) VALUES (?, ?, 'Other', 'pro', 0, 1)",
  )
    .bind(other.id, "other")
    .run();
  workspace = await newWorkspace("enterprise");
  await fillEverything(workspace);
  ({ manifest, entries: exported } = await exportTo(FILE, workerEnv, workspace.slug, PASSPHRASE));
});

/** Returns an installation without workspaces. */
function createInstallation(): Env & Installation {
  return {
    ...quietEnv,
    DIRECTORY: createDatabase("migrations/directory"),
    SHARD_0: createDatabase("migrations/shard"),
    SHARD_1: createDatabase("migrations/shard"),
    PRIVATE_FILES: createBucket(),
    PUBLIC_FILES: createBucket(),
    WEBHOOK_KEY: "key of the other installation, of 32 characters",
  } as unknown as Env & Installation;
}

/** Fills every table of the shard and of the directory that has rows of a workspace. */
async function fillEverything({ id, slug }: TestWorkspace): Promise<void> {
  await fillWorkspace(workspace);
  const owner = await addMember({ id });
  const insert = (table: string, row: Record<string, unknown>) =>
    workerEnv.DIRECTORY.prepare(
      `INSERT INTO ${table} (workspace_id, ${Object.keys(row)}) VALUES (?, ${Object.keys(row).map(() => "?")})`,
    )
      .bind(id, ...Object.values(row))
      .run();
  await insert("scim_tokens", { token_hash: `hash-${slug}`, created_at: 1, id: "t", prefix: `p-${slug}` });
  await insert("scim_groups", {
    id: `g-${slug}`,
    display_name: "Editors",
    role: "editor",
    created_at: 1,
    updated_at: 1,
  });
  await insert("scim_group_members", { group_id: `g-${slug}`, member_id: owner.id });
  await insert("invitations", {
    ...{ id: `i-${slug}`, token_hash: `i-${slug}`, email: "new@example.com", role: "viewer" },
    ...{ created_by: owner.id, created_by_name: "Ada", created_at: 1, expires_at: 9e15 },
  });
  await insert("held_names", { name: `old.${slug}.example`, rule: "used", held_until: 9e15 });
  await insert("domains", { hostname: `go.${slug}.example`, created_at: 2 });
  await workerEnv.DIRECTORY.prepare(
    "UPDATE workspaces SET primary_domain = (SELECT number FROM domains WHERE hostname = ?) WHERE id = ?",
  )
    .bind(`go.${slug}.example`, id)
    .run();
}

async function exportTo(path: string, source: Env, slug: string, passphrase: string | null) {
  const found = await findWorkspace(source, slug);
  if (found === null) throw new Error(`no workspace ${slug}`);
  const keys = {
    seal: await deriveSecretKey(source),
    passphrase: passphrase === null ? null : await Passphrase.derive(passphrase, found.id),
  };
  const manifest: WorkspaceManifest = {
    ...{ kind: "workspace", version: "1", createdAt: "", migrations: {} },
    workspace: { id: found.id, slug, primaryHost: found.primaryHost },
    shortHost: "localhost",
    passphraseCheck: (await keys.passphrase?.buildCheck()) ?? null,
  };
  const counts: Record<string, number> = {};
  await writeArchive(path, manifest, async (archive) => {
    Object.assign(counts, await exportWorkspace(source as Env & Installation, found, archive, keys));
  });
  return { manifest, counts, entries: await readEntries(path) };
}

/** Returns the columns and lines of each table, and the metadata and bytes of each file. */
async function readEntries(path: string): Promise<Record<string, unknown>> {
  const entries: Record<string, unknown> = {};
  for await (const entry of readArchive(path)) {
    if (entry.type === "file") {
      const { bucket, key, size, metadata } = entry;
      const content = toHex(new Uint8Array(await new Response(entry.body).arrayBuffer()));
      entries[`${bucket}/${key}`] = { size, metadata, content };
    } else {
      entries[`${entry.database}/${entry.table}`] = { columns: entry.columns, lines: entry.lines };
    }
  }
  return entries;
}

async function importInto(
  env: Env,
  options: Partial<ImportOptions> & { passphrase?: string | null } = {},
  read = () => readArchive(FILE),
) {
  const { passphrase = PASSPHRASE, ...others } = options;
  const keys = {
    seal: await deriveSecretKey(env),
    passphrase: passphrase === null ? null : await Passphrase.derive(passphrase, manifest.workspace.id),
  };
  return new WorkspaceImport(env as Env & Installation, manifest, read, {
    ...{ shard: 1, shortHost: "localhost", keys, resumesWebhooks: false, ...others },
  }).run();
}

test("every table of the directory travels with its workspace or is listed as an exception", async () => {
  const { results } = await workerEnv.DIRECTORY.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name <> 'd1_migrations'",
  ).all<{ name: string }>();
  const listed = [...DIRECTORY_TABLES.map(({ name }) => name), ...LEFT_TABLES];
  expect(results.map(({ name }) => name).sort()).toEqual(listed.sort());
});

test("an export contains rows of every table and the bytes of the files", () => {
  const tables = Object.keys(exported).filter((name) => /^(directory|shard)/.test(name));
  expect(tables).toHaveLength(DIRECTORY_TABLES.length + 23);
  expect(Object.keys(exported)).toContainEqual(expect.stringMatching(/^PRIVATE_FILES\//));
  expect(Object.keys(exported)).toContainEqual(expect.stringMatching(/^PUBLIC_FILES\//));
});

test("an imported workspace has the same export, and its links, keys, files and secrets work", async () => {
  const imported = await importInto(target);
  expect(imported).toMatchObject({ newSecrets: [], webhooksPaused: true });
  const again = await exportTo(`${FILE}.2`, target, workspace.slug, PASSPHRASE);
  expect(again.manifest).toEqual(manifest);
  expect(again.entries).toEqual(exported);
});
