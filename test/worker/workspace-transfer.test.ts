import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { ArchiveError, checkArchive, readArchive, writeArchive } from "../../src/backup/archive.ts";
import {
  exportWorkspace,
  findWorkspace,
  type Installation,
  type WorkspaceManifest,
} from "../../src/backup/export-workspace.ts";
import {
  type ImportOptions,
  requireSameVersion,
  WorkspaceImport,
} from "../../src/backup/import-workspace.ts";
import { Passphrase } from "../../src/backup/workspace-secrets.ts";
import { DIRECTORY_TABLES, LEFT_TABLES } from "../../src/backup/workspace-tables.ts";
import { buildDeletion, buildImportEnd } from "../../src/cli/deletion-statements.ts";
import { toHex } from "../../src/core/crypto.ts";
import { unseal } from "../../src/core/seal.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/time.ts";
import { sweep } from "../../src/cron.ts";
import { openDatabase } from "../../src/db/database.ts";
import { getShard } from "../../src/db/shards.ts";
import { getSettings } from "../../src/env.ts";
import type { LinkResponse } from "../../src/links/link-response.ts";
import { forgetAll } from "../../src/resolving/resolve.ts";
import { listDeletedWorkspaces } from "../../src/tenant/deleted-workspaces.ts";
import { endPause } from "../../src/tenant/transits.ts";
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
  await insert("held_names", { name: `old.${slug}.example`, rule: "used", held_until: Date.now() + DAY_MS });
  await insert("domains", { hostname: `go.${slug}.example`, created_at: 2 });
  await workerEnv.DIRECTORY.prepare(
    "UPDATE workspaces SET primary_domain = (SELECT number FROM domains WHERE hostname = ?) WHERE id = ?",
  )
    .bind(`go.${slug}.example`, id)
    .run();
}

/** Derives a key once, because that takes long. */
const derived = new Map<string, Promise<Passphrase>>();
const derive = (passphrase: string) => {
  const known = derived.get(passphrase) ?? Passphrase.derive(passphrase, workspace.id);
  derived.set(passphrase, known);
  return known;
};

async function exportTo(path: string, source: Env, slug: string, passphrase: string | null) {
  const found = await findWorkspace(source, slug);
  if (found === null) throw new Error(`no workspace ${slug}`);
  const keys = {
    seal: await deriveSecretKey(source),
    passphrase: passphrase === null ? null : await derive(passphrase),
  };
  const manifest: WorkspaceManifest = {
    ...{ kind: "workspace", version: "1", createdAt: "", migrations: {} },
    workspace: { id: found.id, slug, primaryHost: found.primaryHost },
    shortDomain: "localhost",
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
  options: Partial<ImportOptions> & {
    passphrase?: string | null;
    archived?: Partial<WorkspaceManifest>;
  } = {},
  read = () => readArchive(FILE),
) {
  const { passphrase = PASSPHRASE, archived, ...others } = options;
  const keys = {
    seal: await deriveSecretKey(env),
    passphrase: passphrase === null ? null : await derive(passphrase),
  };
  return new WorkspaceImport(env as Env & Installation, { ...manifest, ...archived }, read, {
    ...{ shard: 1, settings: getSettings(env), keys, resumesWebhooks: false, ...others },
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
  expect(await importInto(target)).toMatchObject({ newSecrets: [], webhooksPaused: true });
  const again = await exportTo(`${FILE}.2`, target, workspace.slug, PASSPHRASE);
  expect(again.manifest).toEqual(manifest);
  expect(again.entries).toEqual(exported);

  const call = (path: string) => workspace.call("GET", path, { env: target });
  const links = await (await call("/v1/links")).json<{ data: LinkResponse[] }>();
  const link = links.data.find(({ labels }) => labels.includes("a"));
  forgetAll();
  const visit = `http://${workspace.hostname}:8787/${link?.short_code}`;
  expect((await send(new Request(visit, { redirect: "manual" }), target)).status).toBe(302);
  const labels = await (await call("/v1/links?label=a")).json<{ data: unknown[] }>();
  expect(labels.data).toHaveLength(1);
  const assets = await (await call("/v1/assets")).json<{ data: { public_url: string | null }[] }>();
  const file = assets.data.find(({ public_url: url }) => url !== null)?.public_url ?? "";
  expect((await send(new Request(file), target)).status).toBe(200);
  expect(await readSecret(target)).toBe(await readSecret(workerEnv));
  expect((await workspace.call("POST", "/v1/links", { body: LINK, env: target })).status).toBe(201);
});

const LINK = { url: "https://example.com/" };

/** Returns the signing secret of the workspace's endpoint. */
async function readSecret(env: Env): Promise<string> {
  const row = await findShard(env)
    .prepare("SELECT id, secret FROM webhooks WHERE workspace_id = ?")
    .bind(workspace.id)
    .first<{ id: string; secret: string }>();
  return unseal(await deriveSecretKey(env), row?.secret ?? "", row?.id ?? "");
}

/** Returns the shard of the source's workspace, or the shard to which tests import. */
function findShard(env: Env): D1Database {
  return getShard(env, env === workerEnv ? workspace.shardNumber : 1);
}

const readTransit = (env: Env) => findShard(env).prepare("SELECT state FROM transits").first("state");

test("webhooks wait after an import until they are resumed", async () => {
  expect(await readTransit(target)).toBe("pausing");
  expect(await endPause(findShard(target), workspace.id)).toBe(true);
  expect(await readTransit(target)).toBeNull();
  const resumed = createInstallation();
  expect(await importInto(resumed, { resumesWebhooks: true })).toMatchObject({ webhooksPaused: false });
  expect(await readTransit(resumed)).toBeNull();
});

test("hosts below the short domain move to the target's short domain, and other hosts stay", async () => {
  const other = createInstallation();
  await importInto(other, { settings: { ...getSettings(other), shortHost: "go.example" } });
  const hosts = { results: [`${workspace.slug}.go.example`, `go.${workspace.slug}.example`] };
  const read = (table: string) =>
    other.DIRECTORY.prepare(`SELECT hostname FROM ${table} ORDER BY created_at DESC, hostname DESC`);
  for (const table of ["domains", "domain_claims"]) {
    const { results } = await read(table).all<{ hostname: string }>();
    expect(results.map(({ hostname }) => hostname)).toEqual(expect.arrayContaining(hosts.results));
  }
  expect((await findWorkspace(other, workspace.slug))?.primaryHost).toBe(hosts.results[1]);
  const own = await findShard(other).prepare("SELECT hostname FROM own_hosts").all<{ hostname: string }>();
  expect(own.results.map(({ hostname }) => hostname)).toEqual(expect.arrayContaining(hosts.results));
});

test("without a passphrase, an import makes new webhook secrets and returns them", async () => {
  const path = `${FILE}.3`;
  const { manifest: open } = await exportTo(path, workerEnv, workspace.slug, null);
  expect(open.passphraseCheck).toBeNull();
  for (const read of [() => readArchive(path), () => readArchive(FILE)]) {
    const other = createInstallation();
    const { newSecrets } = await importInto(other, { passphrase: null }, read);
    expect(newSecrets).toHaveLength(1);
    expect(newSecrets[0]?.secret).toBe(await readSecret(other));
    expect(newSecrets[0]?.secret).not.toBe(await readSecret(workerEnv));
  }
});

/** Returns the number of rows of each table that isn't empty, by database. */
async function countAll(env: Env): Promise<Record<string, number>[]> {
  const databases = [env.DIRECTORY, env.SHARD_0, getShard(env, 1)];
  return Promise.all(
    databases.map(async (d1) => {
      const { results } = await d1
        .prepare(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND sql NOT LIKE '%VIRTUAL%'",
        )
        .all<{ name: string }>();
      // The change feed and the search index keep what was there.
      const names = results.map(({ name }) => name).filter((name) => !/_changes$|^link_search/.test(name));
      const counts = names.map((name) => `nullif((SELECT count(*) FROM ${name}), 0) AS ${name}`);
      const row = await d1.prepare(`SELECT ${counts.join(", ")}`).first<Record<string, number | null>>();
      return Object.fromEntries(
        Object.entries(row ?? {}).flatMap(([name, rows]) => (rows === null ? [] : [[name, rows]])),
      );
    }),
  );
}

/** Adds rows to the directory of an installation, for the workspace `x` if they don't name another one. */
const occupy = (env: Env, ...statements: string[]) =>
  env.DIRECTORY.batch(
    [
      "INSERT INTO workspaces (id, slug, name, plan, shard, created_at) VALUES ('x', 'x', 'X', 'pro', 0, 1)",
      ...statements,
    ].map((statement) => env.DIRECTORY.prepare(statement)),
  );

test.each<[string, (slug: string, id: string) => string, RegExp]>([
  ["the same workspace", (_, id) => `UPDATE workspaces SET id = '${id}'`, /exists already, as x; delete it/],
  [
    "the same workspace while it is erased",
    (slug, id) => `UPDATE workspaces SET id = '${id}', slug = 'deleted:${slug}:1'`,
    /was deleted here and is still being erased/,
  ],
  ["another workspace with the slug", (slug) => `UPDATE workspaces SET slug = '${slug}'`, /is another one/],
  [
    "one of the hosts",
    (slug) =>
      `INSERT INTO domains (hostname, workspace_id, created_at) VALUES ('go.${slug}.example', 'x', 1)`,
    /\n {2}go\.\S+\.example \(of workspace x\)\n/,
  ],
  [
    "a host that is kept for another workspace",
    (slug) => `INSERT INTO held_names (name, rule, workspace_id) VALUES ('${slug}.localhost', 'used', 'y')`,
    /\.localhost \(reserved, or kept for the workspace that used it last\)/,
  ],
])("an import fails without changes if the target has %s", async (_, occupied, message) => {
  const other = createInstallation();
  await occupy(other, occupied(workspace.slug, workspace.id));
  const before = await countAll(other);
  await expect(importInto(other)).rejects.toThrow(message);
  expect(await countAll(other)).toEqual(before);
});

test("an import fails without changes if the target has a bio page's slug, or the passphrase is wrong", async () => {
  const other = createInstallation();
  const { slug } = (await workerEnv.DIRECTORY.prepare("SELECT slug FROM bio_slugs WHERE workspace_id = ?")
    .bind(workspace.id)
    .first<{ slug: string }>()) ?? { slug: "" };
  await occupy(other, `INSERT INTO bio_slugs (slug, workspace_id, page_id) VALUES ('${slug}', 'x', 'p')`);
  const before = await countAll(other);
  await expect(importInto(other)).rejects.toThrow(`/${slug} (of workspace x)`);
  await expect(importInto(other, { passphrase: "wrong" })).rejects.toThrow(
    "SIGNPOST_EXPORT_KEY: is not the passphrase of this archive",
  );
  expect(await countAll(other)).toEqual(before);
});

test("an import that fails halfway deletes what it has written", async () => {
  const other = createInstallation();
  const before = await countAll(other);
  const read = async function* () {
    for await (const entry of readArchive(FILE)) {
      yield entry;
      if (entry.type === "file") throw new Error("the disk is full");
    }
  };
  await expect(importInto(other, {}, read)).rejects.toThrow("the disk is full");
  expect(await countAll(other)).toEqual(before);
  expect((await other.PRIVATE_FILES.list()).objects).toEqual([]);
  const foreign = async function* () {
    for await (const entry of readArchive(FILE)) {
      yield entry.type === "rows" && entry.table === "trash"
        ? { ...entry, lines: entry.lines.map((line) => line.replace(workspace.id, crypto.randomUUID())) }
        : entry;
    }
  };
  await expect(importInto(other, {}, foreign)).rejects.toThrow("rows of another workspace in trash");
  expect(await countAll(other)).toEqual(before);
});

type ArchivedRow = Record<string, unknown>;

test("JSON of an archive can have 100 levels", async () => {
  const read = craft("bio_pages", (row) => ({ ...row, page_data: nest(100) }));
  await expect(importInto(createInstallation(), {}, read)).resolves.toMatchObject({
    counts: { bio_pages: 1 },
  });
});

test("an import that fails when the workspace opens leaves no host behind on the shards", async () => {
  const other = createInstallation();
  const before = await countAll(other);
  const read = craft("domains", (row) => ({ ...row, hostname: "go.twice.example" }));
  await expect(importInto(other, {}, read)).rejects.toThrow(/invalid rows: .*domains.hostname/);
  expect((await countAll(other))[1]).toEqual({ own_hosts: 1 });
  await sweep(other, Date.now() + HOUR_MS);
  const [{ sweep_runs: _, ...directory } = {}, ...shards] = await countAll(other);
  expect([directory, ...shards]).toEqual(before);
});

/** Reads the archive with changed rows of a table. */
function craft(table: string, change: (row: ArchivedRow) => ArchivedRow) {
  return async function* () {
    for await (const entry of readArchive(FILE)) {
      if (entry.type === "file" || entry.table !== table) {
        yield entry;
        continue;
      }
      const { columns } = entry;
      const lines = entry.lines.map((line) => {
        const values: unknown[] = JSON.parse(line);
        const row = change(Object.fromEntries(columns.map((name, index) => [name, values[index]])));
        return JSON.stringify(columns.map((name) => row[name]));
      });
      yield { ...entry, lines };
    }
  };
}

const OTHER_ID = "01900000-0000-7000-8000-00000000000a";
const OTHER_FILE = "01900000-0000-7000-8000-00000000000b";

/** Returns an installation with a workspace that has a published file on another shard than the imported workspace. */
async function createOccupied() {
  const other = createInstallation();
  await occupy(other, `UPDATE workspaces SET id = '${OTHER_ID}'`);
  await other.SHARD_0.batch([
    other.SHARD_0.prepare(`INSERT INTO tenants (id, number) VALUES ('${OTHER_ID}', 1)`),
    other.SHARD_0.prepare(
      `INSERT INTO assets (id, workspace_id, filename, mime_type, file_size, status, is_public, tags, created_at, updated_at)
       VALUES ('${OTHER_FILE}', '${OTHER_ID}', 'logo.png', 'image/png', 1, 'ready', 1, '[]', 1, 1)`,
    ),
  ]);
  await other.PUBLIC_FILES.put(`${OTHER_FILE}/logo.png`, "theirs");
  return other;
}

/** Returns JSON of an object with lists in each other. */
const nest = (depth: number) => `{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;

const FOREIGN = /rows of another workspace/;
const INVALID = /invalid values/;

test.each<[string, string, ArchivedRow, RegExp]>([
  ["positions of another workspace", "links", { position: 2 ** 45 }, FOREIGN],
  ["lanes of another workspace", "webhook_lanes", { id: 2 ** 25 }, FOREIGN],
  ["deliveries in another lane", "event_deliveries", { lane: 2 ** 25 }, FOREIGN],
  ["events for another lane", "webhook_events", { recipients: `[${2 ** 25}]` }, FOREIGN],
  ["attempts of unknown deliveries", "delivery_attempts", { delivery_id: "0".repeat(36) }, FOREIGN],
  ["counts of another workspace", "scan_months", { owner: toBlob(OTHER_ID) }, FOREIGN],
  [
    "another workspace's counts as deleted",
    "deleted_series",
    { owner: toBlob(OTHER_ID) },
    /rows of another workspace in deleted_series/,
  ],
  ["the id of another workspace's file", "assets", { id: OTHER_FILE }, FOREIGN],
  ["another workspace's file as deleted", "deleted_assets", { asset_id: OTHER_FILE }, FOREIGN],
  ["the row of another workspace", "tenants", { id: OTHER_ID }, FOREIGN],
  ["another item in an item's place", "trash", { item: JSON.stringify({ id: OTHER_FILE }) }, INVALID],
  ["a use below zero", "usage_counters", { used: -1_000_000 }, INVALID],
  ["a budget below zero", "audit_log", { day_bytes: -1_000_000 }, INVALID],
  ["a number that is none", "links", { scan_count: { real: "9e999" } }, INVALID],
  ["JSON that is none", "links", { routing_rules: "[" }, INVALID],
  ["JSON in hexadecimal digits", "links", { routing_rules: { text: "5b" } }, INVALID],
  ["ids that are none", "links", { id: "../x" }, INVALID],
  ["JSON of another shape", "links", { routing_rules: '{"0":{}}' }, INVALID],
  ["labels that are no texts", "links", { labels: "[1]" }, INVALID],
  ["no item in the trash", "trash", { item: "null" }, INVALID],
  ["replaced secrets that are none", "webhooks", { previous_secrets: "[null]" }, INVALID],
  ["JSON that is nested too deeply", "bio_pages", { page_data: nest(101) }, INVALID],
  ["bytes that are a number", "scan_months", { owner: { blob: 5 } }, INVALID],
  ["bytes that are no digits", "scan_months", { owner: { blob: "zz" } }, INVALID],
  ["an integer of more than 64 bits", "links", { scan_count: 2 ** 63 }, INVALID],
  ["a missing value", "links", { destination: null }, /invalid rows: .*links.destination/],
  ["an unknown role", "members", { role: "root" }, INVALID],
  ["a property of all objects as role", "members", { own_role: "constructor" }, INVALID],
  ["a secret that is not encrypted", "webhooks", { secret: "AAAA" }, /invalid secret of a webhook/],
  ["a secret that is not Base64", "webhooks", { secret: "%" }, /invalid secret of a webhook/],
  ["an unknown plan", "workspaces", { plan: "root" }, /plan root is unknown/],
  [
    "a host of the service",
    "domains",
    { hostname: "app.localhost" },
    /app.localhost is a host of this service/,
  ],
  ["a host that is none", "domains", { hostname: "a.example/b\u001b[2J\n" }, /b\?\[2J\n is not a host name/],
  ["a disguised host", "domains", { hostname: "xn--ypal-43d9g.localhost" }, /must not start with xn--/],
  [
    "a claim of a reserved host",
    "domain_claims",
    { hostname: "paypal.localhost" },
    /paypal.localhost \(reserved/,
  ],
  [
    "a claim of a host of the service",
    "domain_claims",
    { hostname: "app.localhost" },
    /app.localhost is a host of this service/,
  ],
  [
    "a claim of the host of another workspace's slug",
    "domain_claims",
    { hostname: "x.localhost" },
    /x.localhost \(of workspace x\)/,
  ],
  ["a reserved host", "domains", { hostname: "paypal.localhost" }, /paypal.localhost \(reserved/],
  [
    "the host of another workspace's slug",
    "domains",
    { hostname: "x.localhost" },
    /x.localhost \(of workspace x\)/,
  ],
])("an archive with %s is rejected without changes", async (_, table, change, message) => {
  const other = await createOccupied();
  const before = await countAll(other);
  const read = craft(table, (row) => ({ ...row, ...change }));
  await expect(importInto(other, {}, read)).rejects.toThrow(message);
  expect(await countAll(other)).toEqual(before);
  const file = await other.PUBLIC_FILES.get(`${OTHER_FILE}/logo.png`);
  expect(await new Response(file?.body).text()).toBe("theirs");
});

type ArchivedEntry = ReturnType<typeof readArchive> extends AsyncGenerator<infer Entry> ? Entry : never;

const isOf = (entry: ArchivedEntry, database: string) =>
  entry.type === "rows" && entry.database === database && entry.table !== "workspaces";

test.each<[string, string, string, RegExp]>([
  ...["", "null", "{}", "[", "[]", "5", '["a"]'].flatMap((line): [string, string, string, RegExp][] => [
    [`the line ${line}`, "domains", line, INVALID],
    [`the line ${line}`, "links", line, INVALID],
  ]),
  ["columns of another version", "links", "columns", /its table links differs; update both/],
])("an archive with %s in %s is rejected without changes", async (_, table, line, message) => {
  const other = createInstallation();
  const before = await countAll(other);
  const read = async function* () {
    for await (const entry of readArchive(FILE)) {
      if (entry.type === "file" || entry.table !== table) yield entry;
      else yield line === "columns" ? { ...entry, columns: ["id"] } : { ...entry, lines: [line] };
    }
  };
  await expect(importInto(other, {}, read)).rejects.toThrow(message);
  expect(await countAll(other)).toEqual(before);
});

test.each<[string, (entries: ArchivedEntry[]) => ArchivedEntry[]]>([
  [
    "hosts after the rows of the shard",
    (entries) =>
      entries.toSorted((one, other) => Number(isOf(one, "directory")) - Number(isOf(other, "directory"))),
  ],
  [
    "no workspace",
    (entries) => entries.filter((entry) => entry.type === "file" || entry.table !== "workspaces"),
  ],
  ["the workspace at its end", ([first, ...others]) => (first === undefined ? [] : [...others, first])],
  ["no entries", () => []],
])("an archive with %s is rejected without changes", async (_, reorder) => {
  const other = createInstallation();
  const before = await countAll(other);
  const entries: ArchivedEntry[] = [];
  for await (const entry of readArchive(FILE)) {
    if (entry.type === "rows") entries.push(entry);
    else await new Response(entry.body).arrayBuffer();
  }
  const read = async function* () {
    yield* reorder(entries);
  };
  await expect(importInto(other, {}, read)).rejects.toThrow("entries in another order than every export");
  expect(await countAll(other)).toEqual(before);
});

test("the administrator of the source does not vouch for addresses on the target", async () => {
  const other = createInstallation();
  await importInto(
    other,
    {},
    craft("scim_tokens", (row) => ({ ...row, email_domains: '["example.com"]' })),
  );
  expect(await other.DIRECTORY.prepare("SELECT email_domains FROM scim_tokens").first("email_domains")).toBe(
    "[]",
  );
});

/** Returns the id of a series as an archive has it. */
function toBlob(id: string) {
  return { blob: id.replaceAll("-", "") };
}

test.each([
  ["another workspace's file", (key: string) => key.replace(/^[^/]+/, OTHER_FILE), {}],
  ["another name of a file", (key: string) => `${key}.html`, {}],
  ["files that say they belong to another workspace", (key: string) => key, { workspace: OTHER_ID }],
])("an archive with %s is rejected without changes", async (_, rename, customMetadata) => {
  const other = await createOccupied();
  const before = await countAll(other);
  const read = async function* () {
    for await (const entry of readArchive(FILE)) {
      const isPublic = entry.type === "file" && entry.bucket === "PUBLIC_FILES";
      const metadata = { ...(isPublic && entry.metadata), customMetadata };
      yield isPublic ? { ...entry, key: rename(entry.key), metadata } : entry;
    }
  };
  await expect(importInto(other, {}, read)).rejects.toThrow("files of another workspace");
  expect(await countAll(other)).toEqual(before);
  expect((await other.PUBLIC_FILES.list()).objects.map(({ key }) => key)).toEqual([`${OTHER_FILE}/logo.png`]);
});

test.each([
  ["id", { id: "x' OR 1=1 --", slug: "acme" }],
  ["slug", { id: OTHER_ID, slug: "a.b" }],
])("an archive whose workspace has an invalid %s is rejected", async (_, invalid) => {
  const archived = { workspace: { ...invalid, primaryHost: null } };
  await expect(importInto(createInstallation(), { archived })).rejects.toThrow("has an invalid id or slug");
});

test("people of other workspaces accept an imported membership themselves, and names are held for a year at most", async () => {
  const other = await createOccupied();
  const read = craft("held_names", (row) => ({ ...row, rule: "allowed", held_until: 9e15 }));
  const { email } = (await workerEnv.DIRECTORY.prepare("SELECT email FROM members WHERE workspace_id = ?")
    .bind(workspace.id)
    .first<{ email: string }>()) ?? { email: "" };
  await other.DIRECTORY.prepare(
    `INSERT INTO members (id, workspace_id, email, name, role, created_at) VALUES ('m', '${OTHER_ID}', ?, 'Ada', 'owner', 1)`,
  )
    .bind(email)
    .run();
  await importInto(other, {}, read);
  const { results } = await other.DIRECTORY.prepare(
    "SELECT is_accepted, email = ?2 AS isKnown FROM members WHERE workspace_id = ?1",
  )
    .bind(workspace.id, email)
    .all<{ is_accepted: number; isKnown: number }>();
  expect(new Set(results.map(({ is_accepted, isKnown }) => is_accepted + isKnown))).toEqual(new Set([1]));
  const held = await other.DIRECTORY.prepare("SELECT rule, held_until FROM held_names").first<ArchivedRow>();
  expect(held?.rule).toBe("used");
  expect(Number(held?.held_until)).toBeLessThan(Date.now() + 366 * DAY_MS);
});

test("after an import is killed at any step, it stays hidden, and the next import completes it", async () => {
  const count = async (env: Env, deathAt: number) => {
    let writes = 0;
    const killed = watchStatements(env, async (trip, makeTrip) => {
      if (writes >= deathAt) throw new Error("killed");
      const result = await makeTrip();
      if (isWriting(trip)) writes += 1;
      return result;
    });
    await importInto(killed).catch(() => {});
    return writes;
  };
  const steps = await count(createInstallation(), Number.POSITIVE_INFINITY);
  expect(steps).toBeGreaterThan(30);
  const other = createInstallation();
  // Each import dies later than the one before, so it also cleans up after another death.
  for (let death = 1; death < steps - 1; death += 3) {
    await count(other, death);
    expect(await findWorkspace(other, workspace.slug), `killed after step ${death}`).toBeNull();
    const hosts = other.DIRECTORY.prepare("SELECT hostname FROM domains WHERE workspace_id = ?");
    expect((await hosts.bind(workspace.id).all()).results).toEqual([]);
  }
  await sweep(other, Date.now());
  await importInto(other);
  expect((await exportTo(`${FILE}.4`, other, workspace.slug, PASSPHRASE)).entries).toEqual(exported);
});

test("deleting an interrupted import erases everything that it has written", async () => {
  const other = createInstallation();
  const dying = watchStatements(other, async (trip, makeTrip) => {
    if (
      trip.statements.some(
        ({ sql }) => sql.includes("INSERT INTO audit_log") && trip.database !== "DIRECTORY",
      )
    )
      throw new Error("killed");
    if (trip.statements.some(({ sql }) => sql.startsWith("DELETE"))) throw new Error("killed");
    return makeTrip();
  });
  await expect(importInto(dying)).rejects.toThrow("killed");
  expect(await listDeletedWorkspaces(openDatabase(other.DIRECTORY), 9, 0)).toEqual([]);
  const statements = buildDeletion(workspace.id, workspace.slug, 1);
  await other.DIRECTORY.batch(statements.map((statement) => other.DIRECTORY.prepare(statement)));
  await findShard(other).prepare(buildImportEnd(workspace.id)).run();
  for (const days of [2, 3]) await sweep(other, Date.now() + days * DAY_MS);
  const [directory, ...shards] = await countAll(other);
  expect(shards).toEqual([{}, {}]);
  // Names stay kept for a year after any deletion.
  expect(Object.keys(directory ?? {}).filter((name) => name !== "sweep_runs")).toEqual(["held_names"]);
});

test.each<[string, string[], RegExp | null]>([
  ["the same version", ["0000", "0001"], null],
  ["a newer version", ["0000", "0001", "0002"], /written by a newer version/],
  ["an earlier version", ["0000"], /written by an earlier version/],
])("an archive of %s", (_, archived, message) => {
  const check = () => requireSameVersion({ SHARD: archived }, { SHARD: ["0000", "0001"] });
  if (message === null) expect(check).not.toThrow();
  else expect(check).toThrow(message);
});

test("a damaged archive is rejected before anything is read from it", async () => {
  const bytes = readFileSync(FILE);
  const path = `${FILE}.5`;
  for (const damaged of [bytes.subarray(0, -100), Buffer.from(bytes).fill(7, 2_000, 2_010)]) {
    writeFileSync(path, damaged);
    await expect(checkArchive(path, "workspace")).rejects.toThrow(ArchiveError);
  }
});
