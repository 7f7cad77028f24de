import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { startBareBaseline, startHonoBaseline } from "./support/baselines.ts";
import { CONNECTIONS, compare, type Measured, printTable, type Target } from "./support/compare.ts";
import { load } from "./support/load.ts";
import { buildWorker, type Runtime, removeBuild, startSignpost } from "./support/runtime.ts";
import { HOST, seedLinks, seedWorkspace } from "./support/seed.ts";

/** What a redirect costs, as ratios to Workers that do nothing but answer a constant 302. */

const ROUNDS = 5;
/** Many, since the process table counts CPU time in steps of 10 ms. */
const REQUESTS = 20_000;
const COLD_REQUESTS = 1_000;
const FEW_LINKS = 1_000;
const MANY_LINKS = 1_000_000;
/** Longer than an isolate's memory believes what it read, shorter than the data centre's cache does. */
const MEMORY_STALE_MS = 5_500;
/** A window, the queue's batch timeout, and counting: then nothing of a round is left to be done. */
const SETTLE_MS = 3_000;
const OUTPUT = "bench-redirect.json";

const HEADERS = [
  `Host: ${HOST}`,
  "User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1",
  "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "Accept-Language: en-CA,en;q=0.9,fr;q=0.6",
].join("\r\n");

/** Rules of which only the last holds, and which need the user agent and the languages to be read. */
const TEN_RULES = [
  ...["de", "es", "it", "pt", "nl"].map((language) => ({ language: [language] })),
  ...["windows", "macos", "linux", "android"].map((os) => ({ os: [os] })),
  { os: ["ios"], browser: ["safari"], device: ["mobile"], language: ["fr"] },
].map((when, index) => ({ when, destination: `https://example.com/rule-${index}` }));

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\n${HEADERS}\r\n\r\n`;
}

function constant(name: string, runtime: Runtime): Target {
  return { name, runtime, requests: REQUESTS, make: () => get("/abcdefg"), status: 302 };
}

/** Requests for codes never asked for before, in every round others. */
function cold(name: string, runtime: Runtime, status: number, requests: number): Target {
  let asked = 0;
  return { name, runtime, requests, make: () => get(`/cold-${asked++}`), status, settle };
}

export default async function run(): Promise<void> {
  const build = buildWorker();
  const bare = await startBareBaseline();
  const hono = await startHonoBaseline();
  const again = await startHonoBaseline();
  const signpost = await startSignpost(build);
  const few = await startSignpost(build);
  const many = await startSignpost(build);
  try {
    const { workspaceId } = await seedWorkspace(signpost);
    await seedLinks(signpost, workspaceId, "warm", 1);
    await seedLinks(signpost, workspaceId, "ruled", 1, TEN_RULES);
    await seedLinks(signpost, workspaceId, "cached", COLD_REQUESTS);
    await seedLinks(few, (await seedWorkspace(few)).workspaceId, "cold", FEW_LINKS);
    await seedLinks(many, (await seedWorkspace(many)).workspaceId, "cold", MANY_LINKS);

    const targets: Target[] = [
      // Equal to its baseline: how far its ratio is from 1 is how far the others can be trusted.
      constant("constant Hono route, again", again),
      { ...constant("warm link, scan counted", signpost), make: () => get("/warm-0"), settle },
      { ...constant("warm link, 10 rules", signpost), make: () => get("/ruled-0"), settle },
      cachedTarget(signpost),
      cold("only in D1, 1,000 links", few, 302, FEW_LINKS / ROUNDS),
      cold("only in D1, 1,000,000 links", many, 302, FEW_LINKS / ROUNDS),
      cold("unknown code", signpost, 404, COLD_REQUESTS),
      { ...constant("unknown code, again", signpost), make: () => get("/unknown-0"), status: 404 },
    ];
    // As the baselines are: before that its code is still being compiled.
    await load(signpost.port, REQUESTS, CONNECTIONS, () => get("/warm-0"));
    const measured = await compare(constant("bare", bare), constant("hono", hono), targets, ROUNDS);
    printTable(measured);
    await reportIdling(signpost);
    await reportCounts(signpost, REQUESTS + ROUNDS * (2 * REQUESTS + 2 * COLD_REQUESTS));
    await reportCounts(few, FEW_LINKS);
    reportTargets(measured);
    writeFileSync(OUTPUT, `${JSON.stringify(measured, null, 2)}\n`);
  } finally {
    await Promise.all([bare, hono, again, signpost, few, many].map((runtime) => runtime.stop()));
    removeBuild(build);
  }
}

/** Links that the data centre's cache holds, and no isolate remembers. */
function cachedTarget(runtime: Runtime): Target {
  let asked = 0;
  const make = () => get(`/cached-${asked++ % COLD_REQUESTS}`);
  return {
    name: "only in the data centre's cache",
    runtime,
    requests: COLD_REQUESTS,
    make,
    status: 302,
    prepare: async () => {
      await load(runtime.port, COLD_REQUESTS, CONNECTIONS, make);
      await sleep(MEMORY_STALE_MS);
    },
    settle,
  };
}

/** Long enough for what a round of scans has left to be done; its CPU time belongs to the round, idle or not. */
async function settle(): Promise<void> {
  await sleep(SETTLE_MS);
}

/** What the process uses by itself, and the table above therefore holds with each round. */
async function reportIdling(runtime: Runtime): Promise<void> {
  const before = runtime.cpuSeconds();
  await settle();
  const idleMs = (runtime.cpuSeconds() - before) * 1_000;
  console.log(`\nidle: ${idleMs.toFixed(0)} ms of CPU time in ${SETTLE_MS} ms`);
}

async function countsOf({ miniflare }: Runtime): Promise<number> {
  const db = await miniflare.getD1Database("DB");
  return (await db.prepare("SELECT sum(scan_count) AS scans FROM links").first<number>("scans")) ?? 0;
}

async function reportCounts(runtime: Runtime, expected: number): Promise<void> {
  const found = await countsOf(runtime);
  console.log(`scans counted: ${found} of ${expected}${found === expected ? "" : "  NOT ALL"}`);
}

function reportTargets(measured: readonly Measured[]): void {
  const of = (name: string) => measured.find((target) => target.name === name) as Measured;
  const d1Ratio = of("only in D1, 1,000,000 links").toHono / of("only in D1, 1,000 links").toHono;
  const checks: [string, number, number][] = [
    ["warm link to constant Hono route", of("warm link, scan counted").toHono, 1.5],
    ["10 rules to constant Hono route", of("warm link, 10 rules").toHono, 2.5],
    ["D1 with 1,000,000 links to D1 with few", d1Ratio, 1.2],
    [
      "unknown code to a link only in D1",
      of("unknown code").toHono / of("only in D1, 1,000 links").toHono,
      1,
    ],
  ];
  for (const [what, ratio, most] of checks) {
    console.log(`${ratio <= most ? "reached" : "MISSED "}  ${what}: ${ratio.toFixed(2)} (at most ${most})`);
  }
}
