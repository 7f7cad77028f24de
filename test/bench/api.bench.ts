import { writeFileSync } from "node:fs";
import { startBareBaseline, startHonoBaseline } from "./support/baselines.ts";
import { compare, printTable, type Target } from "./support/compare.ts";
import { buildWorker, type Runtime, removeBuild, startSignpost } from "./support/runtime.ts";
import { HOST, seedLinks, seedWorkspace } from "./support/seed.ts";
import { measureTrips, startCounting } from "./support/trips.ts";

/** What calls of the API cost in a workspace of 100,000 links, and how often each asks storage, which tests pin. */

const ROUNDS = 3;
const REQUESTS = 300;
const BULK_REQUESTS = 20;
const LINKS = 100_000;
const OUTPUT = "bench-api.json";

interface Call {
  name: string;
  path: string;
  /** Sent by POST, where there is one. */
  body?: object;
}

export default async function run(): Promise<void> {
  const build = buildWorker();
  const bare = await startBareBaseline();
  const hono = await startHonoBaseline();
  const signpost = await startSignpost(build);
  const counting = await startCounting(build);
  try {
    const { calls, keys } = await prepare(signpost, LINKS);
    const targets = calls.map((call): Target => {
      const requests = call.name.startsWith("bulk") ? BULK_REQUESTS : REQUESTS;
      const make = (n: number) => messageOf(call, keys[n % keys.length] ?? "");
      return { name: call.name, runtime: signpost, requests, status: call.body ? 201 : 200, make };
    });
    const baseline = (name: string, runtime: Runtime): Target => ({
      ...{ name, runtime, requests: 10 * REQUESTS, status: 302 },
      make: () => `GET /abcdefg HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`,
    });
    const trips = await countedTrips(counting);
    const measured = await compare(baseline("bare", bare), baseline("hono", hono), targets, ROUNDS);
    printTable(measured);
    console.log("\nround trips to storage");
    console.table(trips);
    const results = measured.map((result) => ({ ...result, trips: trips[result.name] }));
    writeFileSync(OUTPUT, `${JSON.stringify(results, null, 2)}\n`);
  } finally {
    await Promise.all([bare, hono, signpost, counting].map((runtime) => runtime.stop()));
    removeBuild(build);
  }
}

/** A workspace with links, its keys, and the calls to be made of it. */
async function prepare(runtime: Runtime, linkCount: number): Promise<{ calls: Call[]; keys: string[] }> {
  const { workspaceId, keys } = await seedWorkspace(runtime);
  await seedLinks(runtime, workspaceId, "link", linkCount);
  const db = await runtime.miniflare.getD1Database("DB");
  const id = await db.prepare("SELECT id FROM links WHERE code_key = 'link-77'").first<string>("id");
  const links = Array.from({ length: 100 }, (_, index) => ({ url: `https://example.com/bulk/${index}` }));
  const calls: Call[] = [
    { name: "GET /v1/links/{id}", path: `/v1/links/${id}` },
    { name: "POST /v1/links", path: "/v1/links", body: { url: "https://example.com/new" } },
    { name: "list of 50 of 100,000", path: "/v1/links" },
    { name: "list of 50 with a label, 1 in 10", path: "/v1/links?label=label-3" },
    { name: "list of 50 with a label, 1 in 100", path: "/v1/links?label=rare" },
    { name: "bulk create of 100", path: "/v1/links/bulk", body: { links } },
  ];
  return { calls, keys };
}

/** What each call asks of storage, asked of the same build. */
async function countedTrips(counting: Runtime): Promise<Record<string, string>> {
  const { calls, keys } = await prepare(counting, 100);
  const trips: Record<string, string> = {};
  for (const { name, path, body } of calls) {
    const headers = { Authorization: `Bearer ${keys[0]}`, "Content-Type": "application/json" };
    trips[name] = await measureTrips(counting, path, {
      headers,
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
  }
  return trips;
}

function messageOf({ path, body }: Call, key: string): string {
  const head = (method: string) =>
    `${method} ${path} HTTP/1.1\r\nHost: ${HOST}\r\nAuthorization: Bearer ${key}\r\n`;
  if (body === undefined) return `${head("GET")}\r\n`;
  const text = JSON.stringify(body);
  return `${head("POST")}Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
}
