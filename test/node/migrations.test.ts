import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { describe, expect, test } from "vitest";

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

  test("have a newest snapshot that matches the tables in the source", async () => {
    const newest = `${(files.length - 1).toString().padStart(4, "0")}_snapshot.json`;
    const tables = globSync("**/*.table.ts", { cwd: SRC })
      .filter((file) => isOfDirectory(file) === (database === "directory"))
      .map((file) => import(join(SRC, file)));
    const current = await generateSQLiteDrizzleJson(Object.assign({}, ...(await Promise.all(tables))));
    expect(await generateSQLiteMigration(readJson(`meta/${newest}`), current)).toEqual([]);
  });
});
