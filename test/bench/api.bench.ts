import { writeFileSync } from "node:fs";
import { startBareBaseline, startHonoBaseline } from "./support/baselines.ts";
import { compare, printTable, type Target } from "./support/compare.ts";
import { buildWorker, removeBuild, startSignpost } from "./support/runtime.ts";
import { HOST, seedLinks, seedWorkspace } from "./support/seed.ts";

/** What calls of the API cost, in a workspace of 100,000 links. Their round trips to storage are pinned by tests. */

const ROUNDS = 3;
const REQUESTS = 300;
const BULK_REQUESTS = 20;
const LINKS = 100_000;
const OUTPUT = "bench-api.json";

export default async function run(): Promise<void> {
  const build = buildWorker();
  const bare = await startBareBaseline();
  const hono = await startHonoBaseline();
  const signpost = await startSignpost(build);
  try {
    const { workspaceId, keys } = await seedWorkspace(signpost);
    await seedLinks(signpost, workspaceId, "link", LINKS);
    const db = await signpost.miniflare.getD1Database("DB");
    const id = await db.prepare("SELECT id FROM links WHERE code_key = 'link-777'").first<string>("id");
    const links = Array.from({ length: 100 }, (_, index) => ({ url: `https://example.com/bulk/${index}` }));

    const target = (name: string, method: string, path: string, status: number, body?: object): Target => ({
      ...{ name, runtime: signpost, requests: REQUESTS, status },
      make: (n) => call(method, path, keys[n % keys.length] ?? "", body),
    });
    const targets: Target[] = [
      target("GET /v1/links/{id}", "GET", `/v1/links/${id}`, 200),
      target("POST /v1/links", "POST", "/v1/links", 201, { url: "https://example.com/new" }),
      target("list of 50 of 100,000", "GET", "/v1/links", 200),
      target("list of 50 with a label, 1 in 10", "GET", "/v1/links?label=label-3", 200),
      target("list of 50 with a label, 1 in 100", "GET", "/v1/links?label=rare", 200),
      { ...target("bulk create of 100", "POST", "/v1/links/bulk", 201, { links }), requests: BULK_REQUESTS },
    ];
    const baseline = (name: string, runtime: Target["runtime"]): Target => ({
      ...{ name, runtime, requests: 10 * REQUESTS, status: 302 },
      make: () => `GET /abcdefg HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`,
    });
    const measured = await compare(baseline("bare", bare), baseline("hono", hono), targets, ROUNDS);
    printTable(measured);
    writeFileSync(OUTPUT, `${JSON.stringify(measured, null, 2)}\n`);
  } finally {
    await Promise.all([bare, hono, signpost].map((runtime) => runtime.stop()));
    removeBuild(build);
  }
}

function call(method: string, path: string, key: string, body?: object): string {
  const text = body === undefined ? "" : JSON.stringify(body);
  const type =
    body === undefined ? "" : `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: ${HOST}\r\nAuthorization: Bearer ${key}\r\n${type}\r\n${text}`;
}
