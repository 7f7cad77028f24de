import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { convertV4MiniflareOptions, Miniflare, type V4MiniflareOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";

const PROJECT = resolve(import.meta.dirname, "../../..");
const CLOCK_TICKS_PER_SECOND = 100;
const COMPATIBILITY_DATE = "2026-11-01";

/** A Worker in workerd, reached through its own socket: no proxy before it, no log of requests. */
export interface Runtime {
  port: number;
  miniflare: Miniflare;
  /** Seconds of CPU that the workerd process has used. */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

/** Builds the Worker as it is deployed and answers with the folder that holds it. */
export function buildWorker(): string {
  const folder = mkdtempSync(join(tmpdir(), "signpost-bench-"));
  const wrangler = join(PROJECT, "node_modules/wrangler/bin/wrangler.js");
  execFileSync(process.execPath, [wrangler, "deploy", "--dry-run", "--outdir", folder], {
    cwd: PROJECT,
    stdio: "ignore",
  });
  return folder;
}

/** Starts the built Worker with its local bindings on fresh state, its database migrated; or another module of the build. */
export async function startSignpost(buildFolder: string, main = "index.js"): Promise<Runtime> {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(PROJECT, "wrangler.toml"));
  const { modulesRules: _, ...options } = workerOptions;
  const runtime = await start({
    ...options,
    name: "signpost",
    modulesRoot: buildFolder,
    modules: builtModules(buildFolder, main),
    bindings: { ...(options.bindings as object), UPLOAD_SECRET: "b".repeat(48), WEBHOOK_KEY: "b".repeat(48) },
  });
  await migrate(await runtime.miniflare.getD1Database("DB"));
  return runtime;
}

/** Types of the build's modules by the end of their names, the first that fits. */
const MODULE_TYPES: Record<string, string> = {
  // What the reference page sends to browsers: wrangler.toml says the same.
  ".client.js": "Text",
  ".js": "ESModule",
  ".wasm": "CompiledWasm",
  ".txt": "Text",
  ".html": "Text",
  ".bin": "Data",
};

/** The modules that the build wrote, the one first that is started. */
function builtModules(folder: string, main = "index.js"): object[] {
  const files = readdirSync(folder).filter((file) => typeOf(file) !== undefined);
  return [main, ...files.filter((file) => file !== main)].map((file) => ({
    type: typeOf(file),
    path: join(folder, file),
  }));
}

function typeOf(file: string): string | undefined {
  return Object.entries(MODULE_TYPES).find(([ending]) => file.endsWith(ending))?.[1];
}

/** Starts a Worker that has the built one evaluated by its first request, and answers that with a 302. */
export function startUnevaluated(buildFolder: string): Promise<Runtime> {
  const contents = `export default {
    async fetch() {
      await import("./index.js");
      return new Response(null, { status: 302 });
    },
  };`;
  const entry = { type: "ESModule", path: join(buildFolder, "unevaluated.js"), contents };
  return start({
    ...{ name: "unevaluated", compatibilityDate: COMPATIBILITY_DATE },
    ...{ modulesRoot: buildFolder, modules: [entry, ...builtModules(buildFolder)] },
  });
}

/** Starts a Worker of one module without bindings, as a baseline. */
export function startBaseline(script: string): Promise<Runtime> {
  return start({ name: "baseline", modules: true, script, compatibilityDate: COMPATIBILITY_DATE });
}

async function start(worker: object): Promise<Runtime> {
  const before = new Set(workerdProcesses());
  const options = { workers: [{ ...worker, unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] }] };
  const miniflare = new Miniflare(convertV4MiniflareOptions(options as V4MiniflareOptions));
  const address = await miniflare.unsafeGetDirectURL();
  const pid = workerdProcesses().find((process) => !before.has(process));
  if (pid === undefined) throw new Error("the workerd process was not found");
  return {
    port: Number(address.port),
    miniflare,
    cpuSeconds: () => cpuSecondsOf(pid),
    stop: () => miniflare.dispose(),
  };
}

/** Ids of the workerd processes below this one, from Linux' process table. */
function workerdProcesses(): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && parentOf(pid) === process.pid);
}

function parentOf(pid: number): number | null {
  try {
    const [name = "", rest = ""] = statOf(pid);
    return name.startsWith("workerd") ? Number(rest.split(" ")[1]) : null;
  } catch {
    return null;
  }
}

/** The name of a process, and what follows it in `/proc/PID/stat` (proc(5)). */
function statOf(pid: number): [string, string] {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const nameEnd = stat.lastIndexOf(")");
  return [stat.slice(stat.indexOf("(") + 1, nameEnd), stat.slice(nameEnd + 2)];
}

function cpuSecondsOf(pid: number): number {
  const fields = statOf(pid)[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
}

async function migrate(db: Awaited<ReturnType<Miniflare["getD1Database"]>>): Promise<void> {
  const folder = join(PROJECT, "migrations");
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort()) {
    const statements = readFileSync(join(folder, file), "utf8").split("--> statement-breakpoint");
    await db.batch(statements.map((statement) => db.prepare(statement)));
  }
}

/** Deletes a build. */
export function removeBuild(buildFolder: string): void {
  rmSync(buildFolder, { recursive: true, force: true });
}
