import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { convertV4MiniflareOptions, Miniflare, type V4MiniflareOptions } from "miniflare";
import { type Unstable_MiniflareWorkerOptions, unstable_getMiniflareWorkerOptions } from "wrangler";
import { listShards } from "../../../src/db/shards.ts";
import { migrate } from "./migrate.ts";
import { bindRemoteDatabases, startDatabases } from "./remote-databases.ts";

// Secrets that wrangler.toml requires. Wrangler reads them from the environment.
process.env.UPLOAD_SECRET = "upload secret that only benchmarks use";
process.env.WEBHOOK_KEY = "webhook key that only benchmarks use";

const PROJECT = resolve(import.meta.dirname, "../../..");
const CLOCK_TICKS_PER_SECOND = 100;
export const COMPATIBILITY_DATE = "2026-11-01";

/** Worker in workerd with its own socket, without Miniflare's proxy and request log. */
export interface Runtime {
  port: number;
  miniflare: Miniflare;
  /** Miniflare with the databases. */
  databases: Miniflare;
  /** Returns the CPU time used by the workerd process, in seconds. */
  readCpuSeconds(): number;
  stop(): Promise<void>;
}

/** Builds the Worker as for a deployment. Returns the build folder. */
export function buildWorker(): string {
  const folder = mkdtempSync(join(tmpdir(), "signpost-bench-"));
  const wrangler = join(PROJECT, "node_modules/wrangler/bin/wrangler.js");
  execFileSync(process.execPath, [wrangler, "deploy", "--dry-run", "--outdir", folder], {
    cwd: PROJECT,
    // Captures the output, so that the error of a failed build includes it.
    stdio: "pipe",
  });
  return folder;
}

let workerOptions: Unstable_MiniflareWorkerOptions["workerOptions"] | undefined;

/**
 * Starts the built Worker, or another module of the build, with local bindings and migrated databases, which run in
 * the same process.
 */
export async function startSignpost(buildFolder: string, main = "index.js"): Promise<Runtime> {
  const runtime = await startRuntime({
    ...readWorkerOptions(),
    modulesRoot: buildFolder,
    modules: listModules(buildFolder, main),
  });
  await migrateAll(runtime);
  return runtime;
}

/**
 * Starts the built Worker with its databases in another process, as in a deployment. A round trip to a database takes
 * `roundTripMs` longer than the work there.
 */
export async function startSignpostApart(buildFolder: string, roundTripMs: number): Promise<Runtime> {
  const options = readWorkerOptions();
  const databases = await startDatabases(options.d1Databases ?? {}, roundTripMs);
  const runtime = await startRuntime({
    ...options,
    modulesRoot: buildFolder,
    ...bindRemoteDatabases(buildFolder, options.d1Databases ?? {}, databases),
  });
  await migrateAll(databases);
  return {
    ...runtime,
    databases: databases.miniflare,
    stop: async () => {
      await runtime.stop();
      await databases.stop();
    },
  };
}

function readWorkerOptions(): Unstable_MiniflareWorkerOptions["workerOptions"] {
  // Wrangler prints a line about the secrets each time, so this runs only once.
  workerOptions ??= unstable_getMiniflareWorkerOptions(join(PROJECT, "wrangler.toml")).workerOptions;
  const { modulesRules: _, ...options } = workerOptions;
  return { ...options, name: "signpost" };
}

async function migrateAll(runtime: Runtime): Promise<void> {
  await migrate(await runtime.databases.getD1Database("DIRECTORY"), "directory");
  for (const shard of listShards(await runtime.databases.getBindings())) {
    await migrate(await openShard(runtime, shard), "shard");
  }
}

/** Module types of the build by suffix. The first matching suffix applies. */
const MODULE_TYPES: Record<string, string> = {
  // Browser scripts are text modules, as in wrangler.toml.
  ".client.js": "Text",
  ".js": "ESModule",
  ".wasm": "CompiledWasm",
  ".txt": "Text",
  ".html": "Text",
  ".bin": "Data",
};

/** Lists the modules of a build, starting with the entry module. */
export function listModules(folder: string, main = "index.js"): { type: string; path: string }[] {
  const files = readdirSync(folder);
  return [main, ...files.filter((file) => file !== main)].flatMap((file) => {
    const type = getModuleType(file);
    return type === undefined ? [] : [{ type, path: join(folder, file) }];
  });
}

function getModuleType(file: string): string | undefined {
  return Object.entries(MODULE_TYPES).find(([ending]) => file.endsWith(ending))?.[1];
}

/** Starts a Worker that evaluates the built Worker on its first request. It responds with a constant 302. */
export function startLazySignpost(buildFolder: string): Promise<Runtime> {
  const contents = `export default {
    async fetch() {
      await import("./index.js");
      return new Response(null, { status: 302 });
    },
  };`;
  const entry = { type: "ESModule", path: join(buildFolder, "lazy.js"), contents };
  return startRuntime({
    ...{ name: "lazy", compatibilityDate: COMPATIBILITY_DATE },
    ...{ modulesRoot: buildFolder, modules: [entry, ...listModules(buildFolder)] },
  });
}

/** Starts a Worker with one module and no bindings. */
export function startBaseline(script: string): Promise<Runtime> {
  return startRuntime({ name: "baseline", modules: true, script, compatibilityDate: COMPATIBILITY_DATE });
}

/** Starts a Worker with these options. */
export async function startRuntime(worker: object): Promise<Runtime> {
  const before = new Set(listWorkerdProcesses());
  const options = { workers: [{ ...worker, unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] }] };
  const miniflare = new Miniflare(convertV4MiniflareOptions(options as V4MiniflareOptions));
  const address = await miniflare.unsafeGetDirectURL();
  const pid = listWorkerdProcesses().find((process) => !before.has(process));
  if (pid === undefined) throw new Error("the workerd process was not found");
  return {
    port: Number(address.port),
    miniflare,
    databases: miniflare,
    readCpuSeconds: () => readProcessCpuSeconds(pid),
    stop: () => miniflare.dispose(),
  };
}

/** Returns the ids of this process's workerd child processes. Reads /proc, which only Linux has. */
function listWorkerdProcesses(): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && readWorkerdParent(pid) === process.pid);
}

/** Returns the parent of a workerd process, or null if the process has ended or is another program. */
function readWorkerdParent(pid: number): number | null {
  try {
    const [name = "", rest = ""] = readStat(pid);
    return name.startsWith("workerd") ? Number(rest.split(" ")[1]) : null;
  } catch {
    return null;
  }
}

/** Returns the name of a process and the fields after it in `/proc/PID/stat`: see proc_pid_stat(5). */
function readStat(pid: number): [string, string] {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const nameEnd = stat.lastIndexOf(")");
  return [stat.slice(stat.indexOf("(") + 1, nameEnd), stat.slice(nameEnd + 2)];
}

function readProcessCpuSeconds(pid: number): number {
  const fields = readStat(pid)[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
}

/** Returns the database of a shard. */
export function openShard(
  { databases }: Pick<Runtime, "databases">,
  shard: number,
): ReturnType<Miniflare["getD1Database"]> {
  return databases.getD1Database(`SHARD_${shard}`);
}

/** Deletes the folder of a build. */
export function removeBuild(buildFolder: string): void {
  rmSync(buildFolder, { recursive: true, force: true });
}
