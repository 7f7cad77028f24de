import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { isUnchanged, recordBuild } from "./build-record.ts";
import { PROJECT } from "./state.ts";

/** Modules of a Worker, in Miniflare's format. */
export interface WorkerModules {
  mainModule: string;
  modules: Record<string, { type: "esm" | "wasm"; contents: string | Uint8Array<ArrayBuffer> }>;
}

const MAIN_MODULE = "worker.js";
/** Folder of the Worker that `npm start` runs, and the record of its build. */
const PREBUILT = join(PROJECT, "node_modules/.cache/signpost/start-worker");
const RECORD = `${PREBUILT}.json`;

/** Bundles the service's Worker with the dashboard, which must have been built before. */
export function bundleService(): Promise<WorkerModules> {
  return bundleWorker(join(PROJECT, "src/index.ts"));
}

/** Returns the Worker of `npm start`. Bundles it, unless no file has changed since it was bundled. */
export async function prebuildStartWorker(): Promise<WorkerModules> {
  if (!isUnchanged(RECORD)) {
    let inputs: string[] = [];
    const entry = join(PROJECT, "src/self-host/start-worker.ts");
    saveModules(PREBUILT, await bundleWorker(entry, [], (paths) => (inputs = paths)));
    const outputs = readdirSync(PREBUILT).map((name) => relative(PROJECT, join(PREBUILT, name)));
    recordBuild(RECORD, [...inputs, ...outputs]);
  }
  return readModules(PREBUILT);
}

/** Writes the modules of a Worker to a folder. */
export function saveModules(folder: string, { modules }: WorkerModules): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, { contents }] of Object.entries(modules)) writeFileSync(join(folder, name), contents);
}

/** Reads the modules of a Worker from a folder. */
export function readModules(folder: string): WorkerModules {
  const modules = readdirSync(folder).map((name) => {
    const contents = readFileSync(join(folder, name));
    return name.endsWith(".wasm")
      ? ([name, { type: "wasm", contents: new Uint8Array(contents) }] as const)
      : ([name, { type: "esm", contents: contents.toString() }] as const);
  });
  return { mainModule: MAIN_MODULE, modules: Object.fromEntries(modules) };
}

/** Bundles a Worker as wrangler does, but in this process, which takes half a second instead of three. */
export async function bundleWorker(
  entry: string,
  external: readonly string[] = [],
  reportInputs = (_paths: string[]) => {},
): Promise<WorkerModules> {
  const { build } = await import("esbuild");
  const { outputFiles, metafile } = await build({
    entryPoints: { worker: entry },
    absWorkingDir: PROJECT,
    outdir: ".",
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    target: "es2024",
    mainFields: ["browser", "module", "main"],
    conditions: ["workerd", "worker", "browser"],
    define: { "process.env.NODE_ENV": '"production"' },
    external: ["cloudflare:*", "node:*", ...external],
    loader: { ".client.js": "text", ".client.txt": "text", ".wasm": "copy" },
    logLevel: "silent",
  });
  reportInputs(Object.keys(metafile.inputs));
  const modules = outputFiles.map(({ path, contents, text }) => {
    const name = basename(path);
    return name === MAIN_MODULE
      ? ([name, { type: "esm", contents: text }] as const)
      : ([name, { type: "wasm", contents: new Uint8Array(contents) }] as const);
  });
  return { mainModule: MAIN_MODULE, modules: Object.fromEntries(modules) };
}
