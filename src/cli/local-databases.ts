import { randomBytes } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Miniflare, MiniflareOptions } from "miniflare";
import { bindDatabases, type LocalConfig, readLocalConfig } from "./local-config.ts";
import { PROJECT, type StateFolder } from "./state.ts";

/** Table in which wrangler lists the migrations that it has applied. */
const CREATE_MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations
  (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;
/** Text that drizzle-kit writes between two statements. */
const BREAKPOINT = "--> statement-breakpoint";

/** Name of the Worker that runs statements. */
const NAME = "databases";
/** Value that a call of this Worker must carry. Beside a Worker that listens on a port, its name alone would be enough. */
const SECRET = randomBytes(32).toString("hex");

/** Worker that runs statements in one transaction of a database. One request carries them all. */
const WORKER = `export default {
  async fetch(request, env) {
    const { secret, binding, statements } = await request.json();
    if (secret !== env.SECRET) return new Response(null, { status: 404 });
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

/** Storage folders that this process has opened. Opening takes half a second, a statement then a millisecond. */
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
  const miniflare =
    opened.get(state.storage) ??
    openMiniflare(state, { workers: [createDatabasesWorker(readLocalConfig())] });
  const response = await miniflare.dispatchFetch("http://databases.example", {
    method: "POST",
    headers: { "MF-Route-Override": NAME },
    body: JSON.stringify({ secret: SECRET, binding, statements }),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as StatementResult[];
}

/** Closes all databases that this process opened. */
export async function closeDatabases(): Promise<void> {
  await Promise.all([...opened.keys()].map(closeStorage));
}

/** Closes what {@link openMiniflare} opened. Its workerd is killed. */
export async function closeStorage(storage: string): Promise<void> {
  const miniflare = opened.get(storage);
  opened.delete(storage);
  await miniflare?.dispose();
}

/** Opens the storage of a state folder for Workers. {@link closeStorage} closes it. */
export function openMiniflare(state: StateFolder, options: MiniflareOptions): Miniflare {
  // An import would read the package twice, to find out that it is a CommonJS module.
  const { Miniflare } = createRequire(import.meta.url)("miniflare") as typeof import("miniflare");
  const common = { resourcePersistencePath: state.storage, enableDevRegistry: false };
  const miniflare = new Miniflare({ ...common, ...options });
  opened.set(state.storage, miniflare);
  return miniflare;
}

/** Returns the Worker that {@link runLocalBatch} calls. */
export function createDatabasesWorker(config: LocalConfig): MiniflareOptions["workers"][number] {
  return {
    config: {
      name: NAME,
      compatibilityDate: config.compatibility_date,
      manifest: { mainModule: "worker.js", modules: { "worker.js": { type: "esm", contents: WORKER } } },
      env: { ...bindDatabases(config), SECRET: { type: "text", value: SECRET } },
    },
  };
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
