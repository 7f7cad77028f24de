import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKey } from "../../src/cli/records.ts";
import { StateFolder } from "../../src/cli/state.ts";
import { createWorkspace } from "../../src/cli/workspace-creation.ts";
import { ALL_SCOPES } from "../../src/permissions/scopes.ts";
import { findFreePort } from "../support/free-port.ts";
import { runLoad } from "./support/load.ts";

/**
 * Benchmark of `npm start` beside `npm run dev` in the same run: time until ready, warm redirects a second with their
 * scans counted, and the memory of workerd. `SIGNPOST_BENCH_MINUTES` sets how long the memory is watched.
 */

const CONNECTIONS = 10;
const ROUNDS = 3;
const DEV_REQUESTS = 1_000;
const START_REQUESTS = 20_000;
const TARGET = 10;
const MINUTES = Number(process.env.SIGNPOST_BENCH_MINUTES ?? 1);

interface Running {
  child: ChildProcess;
  port: number;
  stateFolder: string;
  readyMs: number;
}

async function launch(command: "dev" | "start", stateFolder: string, ...options: string[]): Promise<Running> {
  const port = await findFreePort();
  const args = [`src/cli/${command}.ts`, "--port", String(port), "--persist-to", stateFolder, ...options];
  const startMs = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const mark = command === "dev" ? "Content-Type: application/json" : '"ready"';
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.once("exit", () => reject(new Error(output)));
    child.stdout.on("data", (chunk) => {
      output += chunk;
      if (output.includes(mark)) resolve();
    });
  });
  return { child, port, stateFolder, readyMs: performance.now() - startMs };
}

async function stop({ child }: Running): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}

/** Creates a link on a service and returns a function that sends requests for it. */
async function createLoad({ port, stateFolder }: Running, apiHost: string) {
  const deployment = { state: StateFolder.open(stateFolder), environment: undefined, shards: [0, 1] };
  const hostname = `bench.${apiHost}`;
  await createWorkspace(deployment, {
    ...{ slug: "bench", name: "Bench", plan: "enterprise", description: "", hostname, shard: 0 },
  } as const);
  const newKey = { name: "bench", scopes: [ALL_SCOPES], expiresAtMs: null };
  const { key } = await createKey(deployment, "bench", newKey);
  const body = JSON.stringify({ url: "https://example.com/", custom_slug: "bench" });
  const head = `Host: ${apiHost}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json`;
  const creation = `POST /v1/links HTTP/1.1\r\n${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const { statuses } = await runLoad(port, 1, 1, () => creation);
  if (!statuses.has(201)) throw new Error(`the link was not created: ${[...statuses.keys()]}`);
  const visit = `GET /bench HTTP/1.1\r\nHost: ${hostname}\r\nUser-Agent: Mozilla/5.0 Chrome/130.0\r\n\r\n`;
  return async (count: number, signal?: AbortSignal) => {
    const result = await runLoad(port, count, CONNECTIONS, () => visit, signal);
    const others = [...result.statuses.keys()].filter((status) => status !== 302);
    if (others.length > 0) throw new Error(`unexpected responses: ${others}`);
    return result;
  };
}

function readMemoryMb({ stateFolder }: Running): number {
  const pid = readFileSync(join(stateFolder, "workerd.pid"), "utf8").trim();
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  return Math.round(kilobytes / 1_024);
}

export default async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "one-machine-"));
  const envFile = join(folder, "signpost.env");
  const hosts = ["API_URL=http://bench.test", "BIO_URL=http://bio.test", "CDN_URL=http://cdn.test"];
  writeFileSync(envFile, [...hosts, "APP_URL=http://app.test", "SHORT_DOMAIN=bench.test"].join("\n"));
  const dev = await launch("dev", join(folder, "dev"), "--empty");
  const first = await launch("start", join(folder, "start"), "--env-file", envFile);
  await stop(first);
  const own = await launch("start", join(folder, "start"), "--env-file", envFile);
  try {
    const [visitDev, visitOwn] = [await createLoad(dev, "localhost"), await createLoad(own, "bench.test")];
    const rates = { dev: [] as number[], start: [] as number[] };
    const measure = async (visit: typeof visitDev, count: number) => count / (await visit(count)).seconds;
    for (let round = 0; round < ROUNDS; round++) {
      rates.dev.push(Math.round(await measure(visitDev, DEV_REQUESTS)));
      rates.start.push(Math.round(await measure(visitOwn, START_REQUESTS)));
    }
    const memoryMb = [readMemoryMb(own)];
    for (let minute = 0; minute < MINUTES; minute++) {
      await visitOwn(Number.MAX_SAFE_INTEGER, AbortSignal.timeout(60_000));
      memoryMb.push(readMemoryMb(own));
    }
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    const ratio = sum(rates.start) / sum(rates.dev);
    console.table({
      "npm run dev": { "ready, ms": Math.round(dev.readyMs), "redirects a second": rates.dev.join(", ") },
      "npm start, first": { "ready, ms": Math.round(first.readyMs) },
      "npm start": { "ready, ms": Math.round(own.readyMs), "redirects a second": rates.start.join(", ") },
    });
    console.log(`Ratio of redirects: ${ratio.toFixed(1)} (target: at least ${TARGET}).`);
    console.log(`Memory of workerd in MB, each minute of load: ${memoryMb.join(", ")}`);
  } finally {
    await stop(own);
    await stop(dev);
  }
}
