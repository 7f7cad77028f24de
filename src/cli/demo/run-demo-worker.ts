import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readLocalConfig } from "../local-config.ts";
import type { DemoRequest } from "./demo-world.ts";

const ENTRY = join(import.meta.dirname, "demo-worker.ts");
const FILES = join(import.meta.dirname, "files");

/** Fills the demo workspace in workerd, on the databases and buckets of a folder. Throws with the Worker's error. */
export async function runDemoWorker(storagePath: string, request: Omit<DemoRequest, "files">): Promise<void> {
  const [{ Miniflare }, contents] = await Promise.all([import("miniflare"), bundleWorker()]);
  const { compatibility_date, d1_databases, r2_buckets } = readLocalConfig();
  const databases = d1_databases.map(
    ({ binding, database_id: id }) => [binding, { type: "d1", id }] as const,
  );
  const buckets = r2_buckets.map(
    ({ binding, bucket_name: name }) => [binding, { type: "r2", name }] as const,
  );
  const config = {
    name: "demo",
    compatibilityDate: compatibility_date,
    manifest: { mainModule: "demo.js", modules: { "demo.js": { type: "esm" as const, contents } } },
    env: Object.fromEntries([...databases, ...buckets]),
  };
  const miniflare = new Miniflare({ resourcePersistencePath: storagePath, workers: [{ config }] });
  try {
    const body = JSON.stringify({ ...request, files: readFiles() } satisfies DemoRequest);
    const response = await miniflare.dispatchFetch("http://demo.example", { method: "POST", body });
    if (!response.ok) throw new Error(`the demo data could not be created:\n${await response.text()}`);
  } finally {
    await miniflare.dispose();
  }
}

/** Bundles the Worker as one module. What renders pictures stays out: nothing is rendered here. */
async function bundleWorker(): Promise<string> {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "import"],
    external: ["cloudflare:*", "@cf-wasm/*", "@jsquash/*", "*.wasm"],
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

/** Reads the pictures of the workspace as Base64, by their names. */
function readFiles(): Record<string, string> {
  const names = readdirSync(FILES);
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(FILES, name), "base64")]));
}
