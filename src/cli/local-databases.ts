import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Miniflare } from "miniflare";
import { readLocalConfig } from "./local-config.ts";
import { PROJECT, type StateFolder } from "./state.ts";

/** Table in which wrangler lists the migrations that it has applied. */
const CREATE_MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations
  (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;
/** Text that drizzle-kit writes between two statements. */
const BREAKPOINT = "--> statement-breakpoint";

/** Worker that runs statements in one transaction of a database. One request carries them all. */
const WORKER = `export default {
  async fetch(request, env) {
    const { binding, statements } = await request.json();
    const database = env[binding];
    try {
      return Response.json(await database.batch(statements.map((statement) => database.prepare(statement))));
    } catch (error) {
      return new Response(error.message, { status: 500 });
    }
  },
};`;

/** Result of a statement, as D1 returns it. */
export interface StatementResult {
  results: Record<string, string | number | null>[];
  meta?: { size_after?: number };
}

/** State folders whose databases this process has opened. Opening takes half a second, a statement then a millisecond. */
const opened = new Map<string, Miniflare>();

/**
 * Runs statements in one transaction of a local database, as `wrangler dev` would. A running service may use it at the same
 * time. {@link closeDatabases} must be called before the process can end. Throws with the message of the database.
 */
export async function runLocalBatch(
  state: StateFolder,
  binding: string,
  statements: readonly string[],
): Promise<StatementResult[]> {
  const miniflare = opened.get(state.storage) ?? openDatabases(state);
  opened.set(state.storage, miniflare);
  const body = JSON.stringify({ binding, statements });
  const response = await miniflare.dispatchFetch("http://databases.example", { method: "POST", body });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as StatementResult[];
}

/** Closes all databases that this process opened. */
export async function closeDatabases(): Promise<void> {
  const all = [...opened.values()];
  opened.clear();
  await Promise.all(all.map((miniflare) => miniflare.dispose()));
}

function openDatabases(state: StateFolder): Miniflare {
  // An import would read the package twice, to find out that it is a CommonJS module.
  const miniflare = createRequire(import.meta.url)("miniflare") as typeof import("miniflare");
  const { compatibility_date, d1_databases } = readLocalConfig();
  const config = {
    name: "databases",
    compatibilityDate: compatibility_date,
    manifest: {
      mainModule: "worker.js",
      modules: { "worker.js": { type: "esm" as const, contents: WORKER } },
    },
    env: Object.fromEntries(
      d1_databases.map(({ binding, database_id: id }) => [binding, { type: "d1" as const, id }]),
    ),
  };
  return new miniflare.Miniflare({ resourcePersistencePath: state.storage, workers: [{ config }] });
}

/** Applies the pending migrations of a local database, each in a transaction, as wrangler does. */
export async function migrateLocalDatabase(state: StateFolder, binding: string): Promise<void> {
  const database = readLocalConfig().d1_databases.find((each) => each.binding === binding);
  if (database === undefined) throw new Error(`wrangler.toml has no local database ${binding}`);
  const folder = join(PROJECT, database.migrations_dir);
  const [, listed] = await runLocalBatch(state, binding, [
    CREATE_MIGRATIONS_TABLE,
    "SELECT name FROM d1_migrations",
  ]);
  const applied = new Set(listed?.results.map(({ name }) => name));
  for (const file of globSync("*.sql", { cwd: folder }).sort()) {
    if (applied.has(file)) continue;
    const statements = readFileSync(join(folder, file), "utf8").split(BREAKPOINT);
    const record = `INSERT INTO d1_migrations (name) VALUES ('${file}')`;
    await runLocalBatch(state, binding, [...statements, record]);
  }
}
