import { join } from "node:path";
import { build } from "esbuild";
import type { Trips } from "../../support/counting.ts";
import { type Runtime, startSignpost } from "./runtime.ts";
import { HOST } from "./seed.ts";

const COUNTING = "counting.js";

/** Starts the built Worker inside a Worker that counts the storage accesses of each request. */
export async function startCountingWorker(buildFolder: string): Promise<Runtime> {
  await build({
    entryPoints: [join(import.meta.dirname, "../counting.worker.ts")],
    outfile: join(buildFolder, COUNTING),
    ...{ bundle: true, format: "esm", target: "es2024" },
    plugins: [
      {
        name: "built",
        setup: ({ onResolve }) =>
          onResolve({ filter: /src\/index\.ts$/ }, () => ({ path: "./index.js", external: true })),
      },
    ],
  });
  return startSignpost(buildFolder, COUNTING);
}

/** Sends a request to a counting Worker and returns its storage accesses for a table. */
export async function measureTrips(
  { port }: Runtime,
  path: string,
  init: RequestInit,
): Promise<Record<string, number>> {
  const response = await fetch(`http://${HOST}:${port}${path}`, init);
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  const { d1, durableObject, depth } = JSON.parse(response.headers.get("X-Trips") ?? "{}") as Trips;
  return { sequential: depth, D1: d1, "Durable Object": durableObject };
}
