import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PROJECT } from "./state.ts";

/** File that shows the result of all migrations. Wrangler doesn't read it, only the folders next to it. */
export const SCHEMA_FILE = "migrations/schema.sql";

const HEAD = `-- Tables, indexes and triggers after all migrations. Written by \`npm run schema\`; nothing reads this file.\n`;

/** Kinds of database objects, in the order shown. */
const KINDS = ["table", "view", "index", "trigger"];

interface SchemaObject {
  type: string;
  name: string;
  /** Table that an index or trigger belongs to. */
  tbl_name: string;
  sql: string;
}

/** Creates a database in memory and applies all migrations of the directory or of a shard. */
export function migrateInMemory(database: "directory" | "shard"): DatabaseSync {
  const sqlite = new DatabaseSync(":memory:");
  const folder = join(PROJECT, "migrations", database);
  for (const file of globSync("*.sql", { cwd: folder }).sort()) {
    sqlite.exec(readFileSync(join(folder, file), "utf8"));
  }
  return sqlite;
}

/** Returns the text of {@link SCHEMA_FILE}: the objects of the directory and of a shard, grouped by table. */
export function generateSchema(): string {
  const parts = (["directory", "shard"] as const).map((database) => {
    const objects = listObjects(migrateInMemory(database));
    return `-- Database: ${database}\n\n${objects.map(({ sql }) => `${sql.replaceAll("\t", "  ")};`).join("\n\n")}\n`;
  });
  return `${HEAD}\n${parts.join("\n")}`;
}

function listObjects(sqlite: DatabaseSync): SchemaObject[] {
  // Leaves out the internal tables of full-text indexes. Their names start with the name of the index.
  const all = sqlite
    .prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    .all() as unknown as SchemaObject[];
  const virtual = all.filter(({ sql }) => sql.startsWith("CREATE VIRTUAL")).map(({ name }) => name);
  const isShadow = ({ name, type }: SchemaObject) =>
    type === "table" &&
    virtual.some(
      (table) =>
        /^_(?:config|content|data|docsize|idx)$/.test(name.slice(table.length)) && name.startsWith(table),
    );
  return all
    .filter((object) => !isShadow(object))
    .sort(
      (one, other) =>
        one.tbl_name.localeCompare(other.tbl_name) ||
        KINDS.indexOf(one.type) - KINDS.indexOf(other.type) ||
        one.name.localeCompare(other.name),
    );
}
