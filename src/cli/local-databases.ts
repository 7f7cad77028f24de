import { createHash, createHmac, randomBytes } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Miniflare, MiniflareOptions } from "miniflare";
import { MINUTE_MS } from "../core/time.ts";
import { sleep } from "../core/timeout.ts";
import { CONTROL_HEADER } from "../self-host/control-header.ts";
import { loadMiniflare } from "./load-tools.ts";
import { bindBuckets, bindDatabases, type LocalConfig, readLocalConfig } from "./local-config.ts";
import { holdsLock, lockFolder, unlockFolder } from "./lock.ts";
import { PROJECT, type StateFolder } from "./state.ts";

/** Creates the table in which wrangler records applied migrations. */
const CREATE_MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations
  (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;
/** Separator that drizzle-kit writes between statements. */
const BREAKPOINT = "--> statement-breakpoint";

/** Name of the Worker that handles control requests. */
const NAME = "control";
/**
 * Secret of control requests to this process's workerd. Without it, anyone could call the Worker by its name through
 * the port that another Worker listens on.
 */
const SECRET = randomBytes(32).toString("hex");
/** Headers of control requests to this process's workerd. */
export const CONTROL = { headers: { "MF-Route-Override": NAME, [CONTROL_HEADER]: SECRET } };
/** Time to wait for another command, or for a service that is starting. */
const TURN_DEADLINE_MS = MINUTE_MS;
const TURN_POLL_MS = 100;

/** Statement with the values of its parameters. */
export interface BoundStatement {
  sql: string;
  values: readonly unknown[];
}

/** Result of a statement, in D1's format. */
export interface StatementResult {
  results: Record<string, string | number | null>[];
  meta?: { size_after?: number };
}

/** Storage folder that this process has open. */
interface Opened {
  miniflare: Miniflare;
  /** True if the service itself runs there, false if only commands use the databases. */
  isService: boolean;
  /** Folder whose lock is released when the storage is closed. Null if it stays locked. */
  lockedFolder: string | null;
}

/**
 * Storage folders that this process has open. They stay open, because opening takes half a second, but a
 * statement takes only a millisecond.
 */
const opened = new Map<string, Opened>();

/**
 * Runs statements in one transaction of a local database: through the running service, or otherwise in a workerd
 * of this process. Two processes that open the same files would make each other's statements fail. The process can't
 * exit until {@link closeDatabases} is called. Throws with the database's error message.
 */
export async function runLocalBatch(
  state: StateFolder,
  binding: string,
  statements: readonly (string | BoundStatement)[],
): Promise<StatementResult[]> {
  const response = await sendControlRequest(state, "", JSON.stringify({ binding, statements }));
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as StatementResult[];
}

/** Operation on a bucket, with its binding. */
export type BucketOperation = { bucket: string } & (
  | { action: "list"; cursor?: string | undefined; prefix?: string }
  | { action: "get"; key: string; etag: string }
  | { action: "put"; key: string; size: number; metadata: Record<string, unknown> }
  | { action: "delete"; keys: readonly string[] }
);

/** Performs an operation on a local bucket, through the running service or otherwise in a workerd of this process. */
export async function callLocalBucket(
  state: StateFolder,
  operation: BucketOperation,
  body?: ReadableStream<Uint8Array>,
): Promise<Response> {
  const query = new URLSearchParams({ bucket: JSON.stringify(operation) });
  const response = await sendControlRequest(state, `?${query}`, body ?? null);
  if (!response.ok && response.status !== 404) throw new Error(await response.text());
  return response as unknown as Response;
}

/**
 * Sends a control request to the workerd that uses a state folder. Starts one if no service runs. Waits for another
 * command to end, and for a service that is starting.
 */
async function sendControlRequest(
  state: StateFolder,
  query: string,
  body: string | ReadableStream<Uint8Array> | null,
) {
  const init = { method: "POST", body, duplex: "half" } as const;
  const deadlineMs = Date.now() + TURN_DEADLINE_MS;
  for (;;) {
    const own = opened.get(state.storage);
    if (own !== undefined) {
      return own.miniflare.dispatchFetch(`http://control.example/${query}`, { ...CONTROL, ...init } as never);
    }
    const isOurs = holdsLock(state.path);
    const { control } = state.saved;
    if (isOurs ? control === undefined : lockFolder(state.path, 0)) {
      const lockedFolder = isOurs ? null : state.path;
      openMiniflare(state, { workers: [] }, { isService: false, lockedFolder });
      continue;
    }
    if (control !== undefined) {
      try {
        return await fetch(new URL(query, control.url), { headers: control.headers, ...init });
      } catch (error) {
        if (!isRefused(error)) throw error;
      }
    }
    if (Date.now() > deadlineMs) throw new Error(`${state.path} is in use, but its service does not respond`);
    await sleep(TURN_POLL_MS);
  }
}

/** Returns true if nothing listens on the port, so that the request had no effect. */
function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
}

/** Closes all databases that this process opened for commands, so that other processes can use them. */
export async function closeDatabases(): Promise<void> {
  const storages = [...opened].filter(([, { isService }]) => !isService).map(([storage]) => storage);
  await Promise.all(storages.map(closeStorage));
}

/**
 * Closes a storage folder opened by {@link openMiniflare}, kills the workerd process that uses it, and releases the
 * folder's lock.
 */
export async function closeStorage(storage: string): Promise<void> {
  const own = opened.get(storage);
  opened.delete(storage);
  await own?.miniflare.dispose();
  if (own?.lockedFolder) unlockFolder(own.lockedFolder);
}

/**
 * Runs Workers with the storage of a locked state folder, and adds the Worker that handles control requests.
 * {@link closeStorage} stops them.
 */
export function openMiniflare(
  state: StateFolder,
  { workers, ...options }: MiniflareOptions,
  use: Pick<Opened, "isService" | "lockedFolder">,
): Miniflare {
  const { Miniflare } = loadMiniflare();
  const common = { resourcePersistencePath: state.storage, enableDevRegistry: false };
  const miniflare = new Miniflare({ ...common, ...options, workers: [...workers, createControlWorker()] });
  opened.set(state.storage, { miniflare, ...use });
  return miniflare;
}

/** Returns the Worker that handles control requests. */
function createControlWorker(): MiniflareOptions["workers"][number] {
  const config = readLocalConfig();
  const contents = readFileSync(join(import.meta.dirname, "../self-host/control-worker.js"), "utf8");
  return {
    config: {
      name: NAME,
      compatibilityDate: config.compatibility_date,
      manifest: { mainModule: "worker.js", modules: { "worker.js": { type: "esm", contents } } },
      env: {
        ...bindDatabases(config),
        ...bindBuckets(config),
        HEADER: { type: "text", value: CONTROL_HEADER },
        SECRET: { type: "text", value: SECRET },
      },
    },
  };
}

/** Applies the pending migrations of a local database, each in one transaction, as wrangler does. */
export async function migrateLocalDatabase(state: StateFolder, binding: string): Promise<void> {
  const [, listed] = await runLocalBatch(state, binding, [
    CREATE_MIGRATIONS_TABLE,
    "SELECT name FROM d1_migrations",
  ]);
  const applied = new Set(listed?.results.map(({ name }) => name));
  const { migrations_dir: folder } = findDatabase(binding);
  for (const file of listMigrations(binding)) {
    if (applied.has(file)) continue;
    const statements = readFileSync(join(PROJECT, folder, file), "utf8").split(BREAKPOINT);
    const record = `INSERT INTO d1_migrations (name) VALUES ('${file}')`;
    await runLocalBatch(state, binding, [...statements, record]);
  }
}

/** Returns the names of the migrations that this version has for a local database, in their order. */
export function listMigrations(binding: string): string[] {
  return globSync("*.sql", { cwd: join(PROJECT, findDatabase(binding).migrations_dir) }).sort();
}

/** Returns the path of a local database's file. Workerd derives its name from the ID of the database. */
export function findDatabaseFile(state: StateFolder, binding: string): string {
  const namespace = "miniflare-D1DatabaseObject";
  const key = createHash("sha256").update(namespace).digest();
  const sign = (data: string | Buffer) => createHmac("sha256", key).update(data).digest().subarray(0, 16);
  const name = sign(findDatabase(binding).database_id);
  return join(state.storage, "d1", namespace, `${Buffer.concat([name, sign(name)]).toString("hex")}.sqlite`);
}

function findDatabase(binding: string): LocalConfig["d1_databases"][number] {
  const database = readLocalConfig().d1_databases.find((each) => each.binding === binding);
  if (database === undefined) throw new Error(`wrangler.toml has no local database ${binding}`);
  return database;
}
