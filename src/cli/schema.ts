import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PROJECT } from "./state.ts";

/** File that shows what all migrations together create. Wrangler reads only the folders beside it. */
export const SCHEMA_FILE = "migrations/schema.sql";

const HEAD = `-- Tables, indexes and triggers after all migrations. Written by \`npm run schema\`; nothing reads this file.\n`;

/** Kinds of database objects in the order in which they are shown. */
const KINDS = ["table", "view", "index", "trigger"];

interface SchemaObject {
  type: string;
  name: string;
  /** Table that an index or trigger belongs to. */
  tbl_name: string;
  sql: string;
}

/** Opens an empty database in memory and applies all migrations of the directory or of a shard. */
export function migrateInMemory(database: "directory" | "shard"): DatabaseSync {
  const sqlite = new DatabaseSync(":memory:");
  const folder = join(PROJECT, "migrations", database);
  for (const file of globSync("*.sql", { cwd: folder }).sort()) {
    sqlite.exec(readFileSync(join(folder, file), "utf8"));
  }
  return sqlite;
}

/** Returns the text of {@link SCHEMA_FILE}: the objects of both kinds of databases, each table with its own. */
export function generateSchema(): string {
  const parts = (["directory", "shard"] as const).map((database) => {
    const objects = listObjects(migrateInMemory(database));
    return `-- Database: ${database}\n\n${objects.map(({ sql }) => `${sql.replaceAll("\t", "  ")};`).join("\n\n")}\n`;
  });
  return `${HEAD}\n${parts.join("\n")}`;
}

function listObjects(sqlite: DatabaseSync): SchemaObject[] {
  // A full-text index keeps its data in tables of its own, which its name begins.
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
