import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "./settings.ts";
import { PROJECT, type StateFolder } from "./state.ts";

/** Table in which wrangler lists the migrations that it has applied. */
const CREATE_MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations
  (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;
/** Text that drizzle-kit writes between two statements. */
const BREAKPOINT = "--> statement-breakpoint";

/** Databases of a state folder. */
interface LocalDatabases {
  databases: Record<string, D1Database>;
  close(): Promise<void>;
}

/** Databases that this process has opened, by their folder. Opening takes a second, a statement then a millisecond. */
const opened = new Map<string, Promise<LocalDatabases>>();

/** Returns a database of a state folder. {@link closeDatabases} must be called before the process can end. */
export async function openLocalDatabase(state: StateFolder, binding: string): Promise<D1Database> {
  let opening = opened.get(state.storage);
  if (opening === undefined) {
    opening = openAll(state);
    opened.set(state.storage, opening);
  }
  const database = (await opening).databases[binding];
  if (database === undefined) throw new Error(`wrangler.toml has no local database ${binding}`);
  return database;
}

/** Closes all databases that this process opened. */
export async function closeDatabases(): Promise<void> {
  const openings = [...opened.values()];
  opened.clear();
  await Promise.all(openings.map(async (opening) => (await opening).close()));
}

/** Opens the databases in workerd as `wrangler dev` does. A running service may use them at the same time. */
async function openAll(state: StateFolder): Promise<LocalDatabases> {
  const { getPlatformProxy } = await import("wrangler");
  const { compatibility_date, d1_databases } = await readConfig(undefined);
  const folder = mkdtempSync(join(tmpdir(), "signpost-admin-"));
  const configPath = join(folder, "wrangler.json");
  writeFileSync(configPath, JSON.stringify({ name: "signpost-admin", compatibility_date, d1_databases }));
  const { env, dispose } = await getPlatformProxy<Record<string, D1Database>>({
    configPath,
    persist: { path: state.storage },
  });
  const close = async () => {
    await dispose();
    rmSync(folder, { recursive: true, force: true });
  };
  return { databases: env, close };
}

/** Applies the pending migrations of a local database, each in a transaction, as wrangler does. */
export async function migrateLocalDatabase(state: StateFolder, binding: string): Promise<void> {
  const d1 = await openLocalDatabase(state, binding);
  const { d1_databases: databases } = await readConfig(undefined);
  const { migrations_dir: name = "" } =
    databases.find((database: { binding: string }) => database.binding === binding) ?? {};
  const folder = join(PROJECT, name);
  await d1.prepare(CREATE_MIGRATIONS_TABLE).run();
  const { results } = await d1.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  for (const file of globSync("*.sql", { cwd: folder }).sort()) {
    if (applied.has(file)) continue;
    const statements = readFileSync(join(folder, file), "utf8").split(BREAKPOINT);
    await d1.batch([
      ...statements.map((statement) => d1.prepare(statement)),
      d1.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(file),
    ]);
  }
}
