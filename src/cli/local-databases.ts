import { randomBytes } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Miniflare, MiniflareOptions } from "miniflare";
import { bindDatabases, type LocalConfig, readLocalConfig } from "./local-config.ts";
import { PROJECT, type StateFolder } from "./state.ts";

/** Creates the table in which wrangler records applied migrations. */
const CREATE_MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations
  (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;
/** Separator that drizzle-kit writes between statements. */
const BREAKPOINT = "--> statement-breakpoint";

/** Name of the Worker that runs SQL statements. */
const NAME = "databases";
/**
 * Secret required to call this Worker. Without the secret, anyone could call the Worker by its name through
 * the port that another Worker listens on.
 */
const SECRET = randomBytes(32).toString("hex");

/** Source of a Worker that runs all statements of a request in one transaction of a database. */
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

/** Result of a statement, in D1's format. */
export interface StatementResult {
  results: Record<string, string | number | null>[];
  meta?: { size_after?: number };
}

/**
 * Storage folders that this process has open. They stay open, because opening takes half a second, but a
 * statement takes only a millisecond.
 */
const opened = new Map<string, Miniflare>();

/**
 * Runs statements in one transaction of a local database, which a running service may use at the same
 * time. The process can't exit until {@link closeDatabases} is called. Throws with the database's error
 * message.
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

/** Closes all databases that this process has open. */
export async function closeDatabases(): Promise<void> {
  await Promise.all([...opened.keys()].map(closeStorage));
}

/** Closes a storage folder opened by {@link openMiniflare}, and kills the workerd process that uses it. */
export async function closeStorage(storage: string): Promise<void> {
  const miniflare = opened.get(storage);
  opened.delete(storage);
  await miniflare?.dispose();
}

/** Runs Workers with the storage of a state folder. {@link closeStorage} stops them. */
export function openMiniflare(state: StateFolder, options: MiniflareOptions): Miniflare {
  // Miniflare is a CommonJS package. An `import` would read it twice to find that out.
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

/** Applies the pending migrations of a local database, each in one transaction, as wrangler does. */
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
