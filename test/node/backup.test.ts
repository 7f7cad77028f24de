import { copyFileSync, createWriteStream, globSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import {
  ArchiveError,
  ArchiveWriter,
  checkArchive,
  readArchive,
  writeArchive,
} from "../../src/backup/archive.ts";
import { continueNightlyBackup } from "../../src/backup/nightly-backup.ts";
import {
  insertLines,
  parseTables,
  SELECT_SCHEMA,
  SELECT_TABLES,
  SEQUENCES,
  selectLines,
} from "../../src/backup/stored-tables.ts";
import {
  type BackupManifest,
  type BackupSource,
  createBackup,
  type ListedFile,
} from "../../src/cli/backup-create.ts";
import { type RestoreTarget, restoreBackup } from "../../src/cli/backup-restore.ts";
import { readDatabases, writeDatabases } from "../../src/cli/local-backup.ts";
import {
  type BoundStorage,
  fetchBackup,
  openSource as openBoundSource,
  openTarget as openBoundTarget,
} from "../../src/cli/remote-backup.ts";
import { PAUSE_WEBHOOKS } from "../../src/tenant/webhook-pause.ts";
import { anyText } from "../support/arbitrary-texts.ts";
import { IS_LONG } from "../support/long-tests.ts";
import { chooseRuns } from "../support/runs.ts";

/** Backups of installations, with databases and files in this process. */

const MIGRATIONS = resolve(import.meta.dirname, "../../migrations");
const NAMES = ["SHARD_0", "SHARD_1", "DIRECTORY"];
const BUCKETS = ["PRIVATE_FILES", "PUBLIC_FILES"];
const folder = mkdtempSync(join(tmpdir(), "backup-"));
let files = 0;
const newPath = () => join(folder, String(files++));

describe("an archive", () => {
  const workspace = { id: "w", slug: "acme", primaryHost: null };
  const manifest = {
    ...({ kind: "workspace", version: "1", createdAt: "", migrations: {} } as const),
    ...{ workspace, shortDomain: "localhost", passphraseCheck: null },
  };
  const write = async (add: (archive: ArchiveWriter) => Promise<void>) => {
    const path = newPath();
    await writeArchive(path, manifest, add);
    return path;
  };

  test("has lines that keep the type and all digits of every value of SQLite", () => {
    const value = fc.oneof(
      anyText(),
      fc.constantFrom("", "\0", "a\0b", '{"real":"1"}', "[1]", null, 0.1, 1e308, 5e-324, Infinity, -Infinity),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.double({ noNaN: true }),
      fc.uint8Array(),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value), { minLength: 1 }), (rows) => {
        const database = new DatabaseSync(":memory:");
        database.exec("CREATE TABLE old (a, b); CREATE TABLE new (a, b); INSERT INTO old VALUES (1.0, 1)");
        for (const row of rows) database.prepare("INSERT INTO old VALUES (?, ?)").run(...row);
        const old = { name: "old", columns: ["a", "b"], key: [], references: [] };
        const lines = database
          .prepare(selectLines(old))
          .all()
          .map(({ line }) => String(line));
        const { sql, params } = insertLines("new", ["a", "b"], lines);
        database.prepare(sql).run(...params);
        const dump = (table: string) =>
          database
            .prepare(`SELECT typeof(a) AS type, hex(a) AS a, quote(a) AS quoted, hex(b) AS b FROM ${table}`)
            .all();
        expect(dump("new")).toEqual(dump("old"));
      }),
      { numRuns: 30 },
    );
  });

  test("has parts of at most a mebibyte", async () => {
    const lines = Array.from({ length: 30_000 }, (_, index) => JSON.stringify([`é${index}`.padEnd(100)]));
    const path = await write(async (archive) => void (await archive.writeRows("D", "rows", ["text"], lines)));
    const read: string[] = [];
    let parts = 0;
    for await (const entry of readArchive(path)) {
      if (entry.type !== "rows") continue;
      parts += 1;
      expect(Buffer.byteLength(entry.lines.join("\n"))).toBeLessThan(1_048_576);
      read.push(...entry.lines);
    }
    expect(parts).toBe(4);
    expect(read).toEqual(lines);
  });

  test("is rejected if it is cut off, changed, another kind, or something else", async () => {
    const key = `${"ü".repeat(200)}/a b`;
    const file = { bucket: "FILES", key, size: 3, metadata: { customMetadata: { name: "ü" } } };
    const path = await write((archive) => archive.writeFile(file, stream(Buffer.from("abc"))));
    expect(await checkArchive(path, "workspace")).toMatchObject(manifest);
    for await (const entry of readArchive(path)) {
      if (entry.type === "file")
        expect([entry, await readAll(entry.body)]).toMatchObject([file, Buffer.from("abc")]);
    }
    const bytes = readFileSync(path);
    const rejects = async (content: Buffer, message: RegExp) => {
      writeFileSync(`${path}.bad`, content);
      await expect(checkArchive(`${path}.bad`, "workspace")).rejects.toThrow(message);
    };
    for (const length of [0, 20, bytes.length >> 1, bytes.length - 1]) {
      await rejects(bytes.subarray(0, length), /no backup|damaged|incomplete/);
    }
    for (let index = 12; index < bytes.length; index += 20) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      await rejects(changed, /no backup|damaged|incomplete/);
    }
    await rejects(Buffer.from("text"), /no backup/);
    await expect(checkArchive(path, "installation")).rejects.toThrow('of the kind "workspace"');
  });

  /** Writes an archive with any manifest and the right digest. */
  const forge = async (text: string, add: (archive: ArchiveWriter) => Promise<void> = async () => {}) => {
    const path = newPath();
    const archive = new ArchiveWriter();
    const storing = pipeline(
      Readable.fromWeb(archive.stream as never),
      createGzip(),
      createWriteStream(path),
    );
    await archive.writeText("manifest.json", text);
    await add(archive);
    await archive.finish();
    await storing;
    return path;
  };

  test.each([
    ["{", /invalid manifest/],
    ["null", /invalid manifest/],
    ["[]", /invalid manifest/],
    [{ format: 2 }, /newer version/],
    [{ kind: null }, /of the kind null, not "workspace"/],
    [{ migrations: [] }, /invalid manifest/],
    [{ migrations: { SHARD: "0000" } }, /invalid manifest/],
    [{ workspace: null }, /invalid manifest/],
    [{ workspace: { ...workspace, slug: 5 } }, /invalid manifest/],
    [{ workspace: { ...workspace, primaryHost: {} } }, /invalid manifest/],
    [{ shortDomain: "" }, /invalid manifest/],
    [{ passphraseCheck: undefined }, /invalid manifest/],
  ])("with the manifest %j is rejected", async (change, message) => {
    const text = typeof change === "string" ? change : JSON.stringify({ format: 1, ...manifest, ...change });
    const error = await checkArchive(await forge(text), "workspace").catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ArchiveError);
    expect(error.message).toMatch(message);
  });

  test("has entries of at most 16 MiB, except files", async () => {
    const check = (name: string, bytes: number) =>
      write((archive) => archive.writeText(name, "x".repeat(bytes)));
    const max = 16 * 1_048_576;
    expect(await checkArchive(await check("rows/D/links/0.ndjson", max), "workspace")).toMatchObject(
      manifest,
    );
    expect(await checkArchive(await check("files/B/key", max + 1), "workspace")).toMatchObject(manifest);
    const tooLarge = await check("rows/D/links/0.ndjson", max + 1);
    await expect(checkArchive(tooLarge, "workspace")).rejects.toThrow("an entry of more than 16 MiB");
  });

  test.each([
    ["columns", (archive: ArchiveWriter) => archive.writeText("rows/D/links/0.ndjson", "null\n[]\n")],
    ["columns", (archive: ArchiveWriter) => archive.writeText("rows/D/links/0.ndjson", "[1]\n[]\n")],
    [
      "metadata",
      (archive: ArchiveWriter) =>
        archive.writeFile(
          { bucket: "B", key: "k", size: 0, metadata: null as never },
          stream(Buffer.from("")),
        ),
    ],
    [
      "metadata",
      (archive: ArchiveWriter) =>
        archive.writeFile(
          { bucket: "B", key: "k", size: 0, metadata: { customMetadata: { workspace: 5 } } },
          stream(Buffer.from("")),
        ),
    ],
  ])("with %s of another shape is rejected when it is read", async (_, add) => {
    const path = await write(add);
    await expect(readArchive(path).next()).rejects.toThrow(ArchiveError);
  });
});

/** Files of a bucket by key. */
type Bucket = Map<string, { body: Buffer; metadata: Record<string, unknown> }>;

interface Installation {
  databases: Map<string, DatabaseSync>;
  paths: Map<string, string>;
  buckets: Map<string, Bucket>;
}

function listMigrations(database: string): string[] {
  return globSync("*.sql", { cwd: getFolder(database) }).sort();
}

function getFolder(database: string): string {
  return join(MIGRATIONS, database === "DIRECTORY" ? "directory" : "shard");
}

/** Applies the migrations that a database doesn't have, up to `count` in total. */
function migrate(database: DatabaseSync, name: string, count = Number.POSITIVE_INFINITY): void {
  database.exec(
    "CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)",
  );
  const applied = database
    .prepare("SELECT name FROM d1_migrations")
    .all()
    .map((row) => row.name);
  for (const file of listMigrations(name).slice(0, count)) {
    if (applied.includes(file)) continue;
    database.exec(readFileSync(join(getFolder(name), file), "utf8"));
    database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").run(file);
  }
}

/** Migrated databases without rows, by folder and number of migrations. */
const templates = new Map<string, string>();

function install(count?: number): Installation {
  const paths = new Map(NAMES.map((name) => [name, newPath()]));
  const databases = new Map<string, DatabaseSync>();
  for (const [name, path] of paths) {
    const template = `${getFolder(name)} ${count}`;
    const known = templates.get(template);
    if (known !== undefined) copyFileSync(known, path);
    const database = new DatabaseSync(path);
    database.exec("PRAGMA synchronous = OFF");
    if (known === undefined) {
      migrate(database, name, count);
      templates.set(template, newPath());
      copyFileSync(path, templates.get(template) as string);
    }
    database.exec("PRAGMA journal_mode = WAL");
    databases.set(name, database);
  }
  return { databases, paths, buckets: new Map(BUCKETS.map((name) => [name, new Map()])) };
}

function openSource({ databases, buckets }: Installation): BackupSource {
  return {
    ...readDatabases(databases),
    buckets: BUCKETS,
    async *listFiles(bucket) {
      for (const [key, { body, metadata }] of [...(buckets.get(bucket) ?? [])]) {
        yield { bucket, key, size: body.length, metadata, etag: String(body) } satisfies ListedFile;
      }
    },
    async readFile({ bucket, key }) {
      const file = buckets.get(bucket)?.get(key);
      return file === undefined ? null : stream(file.body);
    },
  };
}

function openTarget({ databases, buckets }: Installation): RestoreTarget {
  return {
    ...writeDatabases(databases),
    buckets: BUCKETS,
    listMigrations,
    hasFiles: async (bucket) => buckets.get(bucket)?.size !== 0,
    async writeFile({ bucket, key, metadata, body }) {
      buckets.get(bucket)?.set(key, { body: await readAll(body), metadata });
    },
    async migrate() {
      for (const [name, database] of databases) migrate(database, name);
    },
  };
}

async function* stream(bytes: Uint8Array) {
  yield bytes;
}

async function readAll(body: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Returns everything in an installation: schema, rows, search index and files. */
function dump({ databases, buckets }: Installation) {
  const contents = [...databases].map(([name, database]) => {
    const schema = database
      .prepare(SELECT_SCHEMA)
      .all()
      .map(({ sql }) => String(sql));
    const tables = [...parseTables(database.prepare(SELECT_TABLES).all()), SEQUENCES];
    const rows = tables.map((table) => {
      const lines = database
        .prepare(selectLines(table))
        .all()
        .map(({ line }) => String(line));
      return [table.name, lines.filter((line) => !line.startsWith('["*",0,"pausing"')).sort()];
    });
    return [name, schema.sort(), rows, name === "DIRECTORY" ? [] : search(database)];
  });
  return { contents, buckets };
}

/** Returns the positions of the links whose search terms contain a prefix of a workspace. */
function search(database: DatabaseSync) {
  return database.prepare("SELECT rowid FROM link_search WHERE link_search MATCH ?").all(`${TERM}*`);
}

/** Number of all tenants in hexadecimal digits and the letter that ends it: the beginning of every search term. */
const TERM = "7z";

/** Fills every table with random rows of all types. Triggers don't run, because rows needn't make sense to them. */
function fill({ databases, buckets }: Installation, random: (below: number) => number): void {
  for (const [name, database] of databases) {
    const triggers = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all();
    for (const trigger of triggers) {
      if (trigger.name !== "links_search_insert") database.exec(`DROP TRIGGER ${trigger.name}`);
    }
    const tables = parseTables(database.prepare(SELECT_TABLES).all()).filter(
      ({ name }) => name !== "d1_migrations",
    );
    for (const table of tables.toSorted((one, other) => one.references.length - other.references.length)) {
      insertRandom(database, table.name, random);
      const { count } = database.prepare(`SELECT count(*) AS count FROM ${table.name}`).get() as {
        count: number;
      };
      expect([name, table.name, count]).not.toEqual([name, table.name, 0]);
    }
    for (const trigger of triggers) {
      if (trigger.name !== "links_search_insert") database.exec(String(trigger.sql));
    }
  }
  for (const [name, bucket] of buckets) {
    for (let index = 0; index < 5; index++) {
      const body = Buffer.from(Array.from({ length: random(2_000) }, () => random(256)));
      bucket.set(`${name}/é ${index}.pdf`, { body, metadata: { customMetadata: { n: String(random(9)) } } });
    }
  }
}

/** Values that columns must have, for the CHECK constraints, the search index and its terms. */
const FIXED: Record<string, (random: (below: number) => number) => SQLInputValue> = {
  "links.position": (random) => random(1e9),
  "links.aliases": () => '["Ümlaut"]',
  "people_totals.members": () => 1,
  "people_totals.groups": () => 1,
  "people_totals.group_members": () => 1,
  "tenants.number": () => 7,
  "tenants.lane_count": () => 1,
  "usage_counters.used": () => 1,
  "usage_counters.cap": () => 5n,
  "delivery_backlogs.waiting": () => 1,
  "delivery_backlogs.cap": () => 5,
};

/** Inserts eight random rows. */
function insertRandom(database: DatabaseSync, table: string, random: (below: number) => number): void {
  const columns = database
    .prepare(`SELECT name, pk, "notnull", type FROM pragma_table_xinfo(?) WHERE hidden = 0`)
    .all(table);
  const keys = database.prepare(`SELECT "table", "from", "to" FROM pragma_foreign_key_list(?)`).all(table);
  const isRowid = columns.filter(({ pk }) => Number(pk) > 0).length === 1;
  const integer = () => BigInt(random(2 ** 31)) * 2n ** 31n + BigInt(random(2 ** 31));
  const ids = new Map(
    keys.map(({ from, to, table: other }) => [
      from,
      database.prepare(`SELECT "${to}" AS id FROM ${other}`).all(),
    ]),
  );
  const choose = ({ name, pk, notnull, type }: (typeof columns)[number]): SQLInputValue => {
    const known = ids.get(name ?? null);
    if (known !== undefined) return known[random(known.length)]?.id ?? null;
    const fixed = FIXED[`${table}.${name}`];
    if (fixed !== undefined) return fixed(random);
    if (pk === 1 && isRowid && /^integer$/i.test(String(type))) return integer();
    const values = [
      integer,
      () => random(1_000_000) / 7,
      () => `it's "é" \0 ${random(1_000_000)}`,
      () => JSON.stringify([random(1_000_000)]),
      () => Buffer.from([random(256), 0, random(256)]),
      () => null,
    ];
    return values[random(notnull === 1 || pk !== 0 ? 5 : 6)]?.() ?? null;
  };
  const places = columns.map(() => "?").join(", ");
  const insert = database.prepare(`INSERT OR IGNORE INTO ${table} VALUES (${places})`);
  for (let row = 0; row < 8; row++) insert.run(...columns.map(choose));
}

/** Returns a generator of random integers. */
function seed(start: number) {
  let state = start;
  return (below: number) => {
    state = (Math.imul(state ^ (state >>> 15), state | 1) + 0x6d2b79f5) | 0;
    return (state >>> 0) % below;
  };
}

/** Restores a backup although the process dies after more and more statements, before or after their transaction. */
async function restoreWithKills(installation: Installation, path: string): Promise<number> {
  for (let attempt = 0; ; attempt++) {
    const target = openTarget(installation);
    let left = 3 + attempt * (IS_LONG ? 5 : 15);
    const die = () => {
      left -= 1;
      if (left === 0) throw new Error("killed");
    };
    try {
      await restoreBackup(
        {
          ...target,
          async run(name, statements) {
            if (attempt % 2 === 0) die();
            const rows = await target.run(name, statements);
            if (attempt % 2 === 1) die();
            return rows;
          },
        },
        path,
      );
      return attempt;
    } catch (error) {
      expect(String(error)).toContain("killed");
    }
  }
}

describe("a backup of an installation", () => {
  test.each([1, 2].slice(0, chooseRuns(1, 2)))(
    "has everything as it was at one moment, and a killed restore continues (seed %i)",
    async (start) => {
      const random = seed(start);
      const installation = install();
      fill(installation, random);
      const source = openSource(installation);
      const writers = new Map([...installation.paths].map(([name, path]) => [name, new DatabaseSync(path)]));
      let atBegin: ReturnType<typeof dump> | undefined;
      const path = newPath();
      await createBackup(
        {
          ...source,
          begin() {
            const isPrivate = (key: string) => installation.buckets.get("PRIVATE_FILES")?.delete(key);
            isPrivate("PRIVATE_FILES/é 0.pdf");
            installation.buckets.get("PUBLIC_FILES")?.set("new", { body: Buffer.from("new"), metadata: {} });
            source.begin();
            atBegin = dump(installation);
          },
          async *readLines(name, table) {
            writers.get(name)?.exec("DELETE FROM audit_log; UPDATE sqlite_sequence SET seq = seq + 1");
            yield* source.readLines(name, table);
          },
        },
        path,
      );
      const restored = install();
      expect(await restoreWithKills(restored, path)).toBeGreaterThan(5);
      const { contents, buckets } = dump(restored);
      expect(contents).toEqual(atBegin?.contents);
      expect(contents.slice(0, 2).map(([, , , found]) => (found as unknown[]).length > 0)).toEqual([
        true,
        true,
      ]);
      // The deleted file had been copied before. The service's sweep deletes it.
      expect(buckets.get("PRIVATE_FILES")?.delete("PRIVATE_FILES/é 0.pdf")).toBe(true);
      expect(buckets).toEqual(installation.buckets);

      const again = newPath();
      await createBackup(openSource(restored), again);
      const third = install();
      await restoreBackup(openTarget(third), again);
      expect(dump(third)).toEqual(dump(restored));
    },
  );

  test("of an older version is migrated, and stays paused", async () => {
    const old = install(8);
    fill(old, seed(4));
    const path = newPath();
    await createBackup(openSource(old), path);
    const restored = install();
    await restoreBackup(openTarget(restored), path);
    for (const [name, database] of old.databases) migrate(database, name);
    const [expected, actual] = [dump(old), dump(restored)];
    expect(actual.buckets).toEqual(expected.buckets);
    expect(JSON.stringify(actual.contents)).toBe(JSON.stringify(expected.contents));
    const paused = restored.databases.get("SHARD_1")?.prepare(`${PAUSE_WEBHOOKS} RETURNING 1`).all();
    expect(paused).toEqual([]);
  });

  test("is refused by an older version, without its databases, and by an installation that isn't empty", async () => {
    const path = newPath();
    const installation = install();
    await createBackup(openSource(installation), path);
    for (const database of installation.databases.values()) database.exec("ROLLBACK");
    const fresh = () => openTarget(install());
    const rejects = (target: RestoreTarget, message: string | RegExp) =>
      expect(restoreBackup({ ...target, run: refuseWrites(target.run) }, path)).rejects.toThrow(message);
    const listOld = (name: string) => listMigrations(name).slice(0, -1);
    await rejects({ ...fresh(), listMigrations: listOld }, /made by a newer version .*SHARD_0: 00\d\d_/);
    await rejects({ ...fresh(), databases: ["SHARD_0", "DIRECTORY"] }, "the backup has the database SHARD_1");
    await rejects({ ...fresh(), hasFiles: async () => true }, "isn't empty");
    fill(installation, seed(5));
    await rejects(openTarget(installation), "isn't empty");
    const manifest = await checkArchive<BackupManifest>(path, "installation");
    expect(Object.keys(manifest.migrations)).toEqual(NAMES);
  });
});

function refuseWrites(run: RestoreTarget["run"]): RestoreTarget["run"] {
  return (name, statements) => {
    for (const { sql } of statements) expect(sql).toMatch(/^SELECT/);
    return run(name, statements);
  };
}

/** Returns a D1 binding of a database. */
function bindDatabase(database: DatabaseSync): D1Database {
  interface Prepared {
    run(): Record<string, unknown>[];
  }
  const prepare = (sql: string, params: SQLInputValue[] = []) => {
    const run = () => database.prepare(sql).all(...params);
    return {
      bind: (...values: SQLInputValue[]) => prepare(sql, values),
      all: async () => ({ results: run() }),
      run,
    };
  };
  const batch = async (statements: Prepared[]) => {
    database.exec("BEGIN");
    try {
      const results = statements.map((statement) => ({ results: statement.run() }));
      database.exec("COMMIT");
      return results;
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  };
  return { prepare, batch } as unknown as D1Database;
}

/** Returns an R2 binding of files. */
function bindBucket(stored: Bucket, pageKeys = 2): R2Bucket {
  let version = 0;
  const etags = new Map<string, string>();
  const describe = (key: string) => {
    const file = stored.get(key);
    if (file === undefined) return null;
    const { body, metadata } = file;
    const [text, size] = [String(body), body.length];
    const fields = { key, size, etag: etags.get(key) ?? "first", ...metadata };
    return {
      ...fields,
      body: new Blob([body]).stream(),
      text: async () => text,
      json: async () => JSON.parse(text),
    };
  };
  const bucket = {
    get: async (key: string) => describe(key),
    async put(key: string, body: string | Buffer, { onlyIf, ...metadata }: R2PutOptions = {}) {
      const isExpected =
        onlyIf === undefined ||
        (onlyIf instanceof Headers ? !stored.has(key) : onlyIf.etagMatches === etags.get(key));
      if (!isExpected) return null;
      version += 1;
      etags.set(key, String(version));
      stored.set(key, { body: Buffer.from(body), metadata: metadata as Record<string, unknown> });
      return describe(key);
    },
    async delete(keys: string[]) {
      for (const key of keys) stored.delete(key);
    },
    async list({ prefix = "", delimiter, cursor = "" }: R2ListOptions = {}) {
      const keys = [...stored.keys()].filter((key) => key.startsWith(prefix)).toSorted();
      const folders = keys.filter((key) => key.includes("/")).map((key) => `${key.split("/")[0]}/`);
      if (delimiter !== undefined) return { objects: [], delimitedPrefixes: [...new Set(folders)] };
      const left = keys.filter((key) => key > cursor);
      const objects = left.slice(0, pageKeys).map(describe);
      return { objects, truncated: left.length > pageKeys, cursor: left[pageKeys - 1] };
    },
  };
  return bucket as unknown as R2Bucket;
}

function bindStorage({ databases, buckets }: Installation, backups?: R2Bucket): BoundStorage {
  return {
    databases: Object.fromEntries([...databases].map(([name, database]) => [name, bindDatabase(database)])),
    buckets: Object.fromEntries([...buckets].map(([name, bucket]) => [name, bindBucket(bucket)])),
    backups,
  };
}

describe("a deployment", () => {
  test("is copied each night in steps, keeps the last seven copies, and is restored from a copy", async () => {
    const installation = install();
    fill(installation, seed(6));
    const rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)";
    const entry =
      "INSERT INTO audit_log SELECT 'w', i, i, 't', 'a', 'n', 'o', 'link', 'r', 'q', '[]', 0 FROM n";
    const columns = installation.databases
      .get("SHARD_0")
      ?.prepare("PRAGMA table_info(audit_log)")
      .all().length;
    expect(columns).toBe(12);
    installation.databases.get("SHARD_0")?.exec(`${rows} ${entry}`);
    const copies: Bucket = new Map();
    const backups = bindBucket(copies, 1_000);
    const storage = bindStorage(installation, backups);
    const env = { ...storage.databases, BACKUPS: backups } as never;
    const earlier = Array.from({ length: 8 }, (_, day) => `2026-11-0${day + 1}`);
    for (const day of earlier) await backups.put(`${day}/manifest.json`, "{}");
    const put = vi.spyOn(backups, "put");
    for (let minute = 0; minute < 20; minute++) {
      await continueNightlyBackup(env, Date.parse("2026-11-20T02:00:00Z") + minute * 60_000);
    }
    const count = (end: string) => put.mock.calls.filter(([key]) => key.endsWith(end)).length;
    expect([count("/audit_log/2.ndjson"), count("2026-11-20/manifest.json")]).toEqual([1, 1]);
    expect(count("state.json")).toBeGreaterThan(2);
    const { delimitedPrefixes } = await backups.list({ delimiter: "/" });
    expect(delimitedPrefixes).toEqual([...earlier.slice(2), "2026-11-20"].map((day) => `${day}/`));

    const path = newPath();
    await fetchBackup(storage, "2026-11-20", path);
    const restored = install();
    const target = openBoundTarget(bindStorage(restored));
    const complete = { listMigrations, migrate: openTarget(restored).migrate };
    await restoreBackup({ ...target, ...complete }, path);
    expect(dump(restored)).toEqual(dump(installation));
    await expect(fetchBackup(storage, "2026-11-01", path)).rejects.toThrow("no complete backup");
    // A backup that is read directly is the same.
    const direct = newPath();
    await createBackup(openBoundSource(bindStorage(restored)), direct);
    const copy = install();
    await restoreBackup(openTarget(copy), direct);
    expect(dump(copy)).toEqual(dump(installation));
  });

  test("continues an interrupted copy once its lease has ended", async () => {
    const copies: Bucket = new Map();
    const backups = bindBucket(copies, 1_000);
    const env = { ...bindStorage(install()).databases, BACKUPS: backups } as never;
    const atMs = Date.parse("2026-11-20T03:00:00Z");
    const isDone = () => (JSON.parse(String(copies.get("state.json")?.body)) as { isDone: boolean }).isDone;
    const { put } = backups;
    const failing = vi.spyOn(backups, "put").mockImplementation(async (key, value, options) => {
      if (key === "state.json") return put(key, value, options);
      throw new Error("R2 is down");
    });
    await expect(continueNightlyBackup(env, atMs)).rejects.toThrow("R2 is down");
    failing.mockRestore();
    await continueNightlyBackup(env, atMs + 60_000);
    expect(copies.size).toBe(1);
    for (let minute = 5; minute < 15; minute++) await continueNightlyBackup(env, atMs + minute * 60_000);
    expect(isDone()).toBe(true);
    expect(copies.has("2026-11-20/manifest.json")).toBe(true);
  });
});
