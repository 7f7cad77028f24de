import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadMiniflare } from "../load-tools.ts";
import { bindBuckets, bindDatabases, readLocalConfig } from "../local-config.ts";
import { bundleWorker } from "../worker-bundle.ts";
import type { DemoRequest } from "./demo-world.ts";

const ENTRY = join(import.meta.dirname, "demo-worker.ts");
const FILES = join(import.meta.dirname, "files");

/**
 * Fills the demo workspace in workerd (the Workers runtime), with the databases and buckets of a folder.
 * Throws an error with the Worker's error message.
 */
export async function runDemoWorker(storagePath: string, request: Omit<DemoRequest, "files">): Promise<void> {
  // Leaves out the libraries and the font that render images, because nothing is rendered here.
  const bundling = bundleWorker(ENTRY, ["@cf-wasm/*", "@jsquash/*", "*.wasm", "*/dist/font/outlines.js"]);
  const { Miniflare } = loadMiniflare();
  const manifest = await bundling;
  const local = readLocalConfig();
  const config = {
    name: "demo",
    compatibilityDate: local.compatibility_date,
    manifest,
    env: { ...bindDatabases(local), ...bindBuckets(local) },
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

/** Reads the workspace's images as Base64, by name. */
function readFiles(): Record<string, string> {
  const names = readdirSync(FILES);
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(FILES, name), "base64")]));
}
