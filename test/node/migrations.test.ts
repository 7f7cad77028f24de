import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { describe, expect, test } from "vitest";
import { generateSchema, migrateInMemory, SCHEMA_FILE } from "../../src/cli/schema.ts";
import { TARGET_COLUMNS } from "../../src/resolving/target.ts";

const SRC = resolve(import.meta.dirname, "../../src");
const MIGRATIONS = resolve(import.meta.dirname, "../../migrations");
const isOfDirectory = (file: string) => file.endsWith(".directory.table.ts");

describe.each(["directory", "shard"])("the migrations of the %s", (database) => {
  const folder = join(MIGRATIONS, database);
  const files = globSync("*.sql", { cwd: folder }).sort();
  const readJson = (path: string) => JSON.parse(readFileSync(join(folder, path), "utf8"));

  test.each(files)("%s neither drops nor rebuilds a table", (file) => {
    const text = readFileSync(join(folder, file), "utf8");
    // Drizzle rebuilds a table as __new_…. Its DROP TABLE also deletes triggers and referencing rows.
    expect(text).not.toMatch(/\bDROP\s+TABLE\b|__new_/i);
  });

  test("are listed by the journal in order, without a gap", () => {
    const { entries } = readJson("meta/_journal.json") as { entries: { idx: number; tag: string }[] };
    expect(entries.map(({ tag }) => `${tag}.sql`)).toEqual(files);
    expect(files.map((file) => Number.parseInt(file, 10))).toEqual(files.map((_, index) => index));
    expect(entries.map(({ idx }) => idx)).toEqual(files.map((_, index) => index));
  });

  test("have a latest snapshot that matches the tables in the source", async () => {
    const newest = `${(files.length - 1).toString().padStart(4, "0")}_snapshot.json`;
    const tables = globSync("**/*.table.ts", { cwd: SRC })
      .filter((file) => isOfDirectory(file) === (database === "directory"))
      .map((file) => import(join(SRC, file)));
    const current = await generateSQLiteDrizzleJson(Object.assign({}, ...(await Promise.all(tables))));
    expect(await generateSQLiteMigration(readJson(`meta/${newest}`), current)).toEqual([]);
  });
});

test("migrations/schema.sql matches the migrations (npm run schema updates it)", () => {
  const text = readFileSync(resolve(MIGRATIONS, "..", SCHEMA_FILE), "utf8");
  expect(text).toBe(generateSchema());
});

/** Columns of redirects that the trigger ignores, with the reason. */
const UNWATCHED = new Map([
  ["id", "never changes"],
  ["scan_count", "changes with every scan; the gate of a limited link has the exact count"],
  ["updated_at", "changes only together with another column"],
]);

test("the trigger that reports changed links watches each column that redirects read", () => {
  const { sql } = migrateInMemory("shard")
    .prepare("SELECT sql FROM sqlite_schema WHERE name = 'links_target_update'")
    .get() as { sql: string };
  const [, watched = ""] = /AFTER UPDATE OF ([^;]+?) ON `links`/.exec(sql) ?? [];
  const columns = [...watched.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  const compared = [...sql.matchAll(/NEW\.`(\w+)` (?:<>|IS NOT) OLD\.`(\w+)`/g)];
  const expected = Object.values(TARGET_COLUMNS)
    .map(({ sql: name }) => name)
    .filter((name) => !UNWATCHED.has(name));
  // Includes the key by which redirects find a link.
  expect(columns.toSorted()).toEqual([...expected, "code_key"].sort());
  expect(compared.map(([, name]) => name).sort()).toEqual(columns.toSorted());
  expect(compared.every(([, name, other]) => name === other)).toBe(true);
});
