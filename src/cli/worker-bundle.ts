import { basename, join } from "node:path";
import { PROJECT } from "./state.ts";

/** Modules of a Worker, in Miniflare's format. */
export interface WorkerModules {
  mainModule: string;
  modules: Record<string, { type: "esm" | "wasm"; contents: string | Uint8Array<ArrayBuffer> }>;
}

const MAIN_MODULE = "worker.js";

/** Bundles the service's Worker with the dashboard, which must have been built before. */
export function bundleService(): Promise<WorkerModules> {
  return bundleWorker(join(PROJECT, "src/index.ts"));
}

/** Bundles a Worker as wrangler does, but in this process, which takes half a second instead of three. */
export async function bundleWorker(entry: string, external: readonly string[] = []): Promise<WorkerModules> {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: { worker: entry },
    absWorkingDir: PROJECT,
    outdir: ".",
    bundle: true,
    write: false,
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
  const modules = outputFiles.map(({ path, contents, text }) => {
    const name = basename(path);
    return name === MAIN_MODULE
      ? ([name, { type: "esm", contents: text }] as const)
      : ([name, { type: "wasm", contents: new Uint8Array(contents) }] as const);
  });
  return { mainModule: MAIN_MODULE, modules: Object.fromEntries(modules) };
}
