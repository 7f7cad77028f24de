import { writeFileSync } from "node:fs";
import { startBareBaseline, startHonoBaseline } from "./support/baselines.ts";
import { compareTargets, printTable, type Target } from "./support/compare.ts";
import { buildWorker, openShard, type Runtime, removeBuild, startSignpost } from "./support/runtime.ts";
import { HOST, SHARD, seedLinks, seedWorkspace } from "./support/seed.ts";
import { measureTrips, startCountingWorker } from "./support/trips.ts";

/**
 * Benchmark of API calls in a workspace with 100,000 links. Also counts the storage accesses of each call.
 */

const ROUNDS = 3;
const REQUESTS = 300;
const BULK_REQUESTS = 100;
const LINKS = 100_000;
const OUTPUT = "bench-api.json";

interface Call {
  name: string;
  method: "GET" | "POST" | "PATCH";
  path: string;
  body?: object;
}

export default async function run(): Promise<void> {
  const build = buildWorker();
  const bare = await startBareBaseline();
  const hono = await startHonoBaseline();
  const signpost = await startSignpost(build);
  const counting = await startCountingWorker(build);
  try {
    const { calls, keys } = await seedCalls(signpost, LINKS);
    const targets = calls.map((call): Target => {
      const requests = call.name.startsWith("bulk") ? BULK_REQUESTS : REQUESTS;
      const make = (n: number) => formatRequest(call, keys[n % keys.length] ?? "");
      return {
        name: call.name,
        runtime: signpost,
        requests,
        status: call.method === "POST" ? 201 : 200,
        makeRequest: make,
      };
    });
    const baseline = (name: string, runtime: Runtime): Target => ({
      ...{ name, runtime, requests: 10 * REQUESTS, status: 302 },
      makeRequest: () => `GET /abcdefg HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`,
    });
    const trips = await measureAllTrips(counting);
    const measured = await compareTargets(baseline("bare", bare), baseline("hono", hono), targets, ROUNDS);
    printTable(measured);
    console.log(
      "\nround trips to storage of a key that the isolate knows: levels one after another, and all",
    );
    console.table(trips);
    const results = measured.map((result) => ({ ...result, trips: trips[result.name] }));
    writeFileSync(OUTPUT, `${JSON.stringify(results, null, 2)}\n`);
  } finally {
    await Promise.all([bare, hono, signpost, counting].map((runtime) => runtime.stop()));
    removeBuild(build);
  }
}

/** Creates a workspace with links. Returns its keys and the calls to measure. */
async function seedCalls(runtime: Runtime, linkCount: number): Promise<{ calls: Call[]; keys: string[] }> {
  const { workspaceId, keys } = await seedWorkspace(runtime);
  await seedLinks(runtime, workspaceId, "link", linkCount);
  const db = await openShard(runtime, SHARD);
  const id = await db.prepare("SELECT id FROM links WHERE code_key = 'link-77'").first<string>("id");
  const links = Array.from({ length: 100 }, (_, index) => ({ url: `https://example.com/bulk/${index}` }));
  const calls: Call[] = [
    { name: "GET /v1/links/{id}", method: "GET", path: `/v1/links/${id}` },
    { name: "POST /v1/links", method: "POST", path: "/v1/links", body: { url: "https://example.com/new" } },
    { name: "PATCH /v1/links/{id}", method: "PATCH", path: `/v1/links/${id}`, body: { labels: ["print"] } },
    { name: "list of 50 of 100,000", method: "GET", path: "/v1/links" },
    { name: "list of 50 with a label, 1 in 10", method: "GET", path: "/v1/links?label=label-3" },
    { name: "list of 50 with a label, 1 in 100", method: "GET", path: "/v1/links?label=rare" },
    { name: "bulk create of 100", method: "POST", path: "/v1/links/bulk", body: { links } },
  ];
  return { calls, keys };
}

/** Counts the storage accesses of each call, with the same build and a key that the isolate has cached. */
async function measureAllTrips(counting: Runtime): Promise<Record<string, Record<string, number>>> {
  const { calls, keys } = await seedCalls(counting, 100);
  const trips: Record<string, Record<string, number>> = {};
  await measureTrips(counting, "/v1/links", { headers: { Authorization: `Bearer ${keys[0]}` } });
  for (const { name, method, path, body } of calls) {
    const headers = { Authorization: `Bearer ${keys[0]}`, "Content-Type": "application/json" };
    trips[name] = await measureTrips(counting, path, {
      ...{ method, headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  }
  return trips;
}

function formatRequest({ method, path, body }: Call, key: string): string {
  const head = `${method} ${path} HTTP/1.1\r\nHost: ${HOST}\r\nAuthorization: Bearer ${key}\r\n`;
  if (body === undefined) return `${head}\r\n`;
  const text = JSON.stringify(body);
  return `${head}Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
}
