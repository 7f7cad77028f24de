import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { startBareBaseline, startHonoBaseline } from "./support/baselines.ts";
import { CONNECTIONS, compareTargets, type Measurement, printTable, type Target } from "./support/compare.ts";
import { runLoad } from "./support/load.ts";
import { buildWorker, openShard, type Runtime, removeBuild, startSignpost } from "./support/runtime.ts";
import { HOST, SHARD, seedLinks, seedWorkspace } from "./support/seed.ts";

/** Benchmark of redirects. Costs are ratios to Workers that only return a constant 302. */

const ROUNDS = 5;
/** A large number, because Linux counts CPU time in steps of 10 ms. */
const REQUESTS = 20_000;
const COLD_REQUESTS = 1_000;
const FEW_LINKS = 1_000;
const MANY_LINKS = 1_000_000;
/** Longer than an isolate keeps a target in memory, but shorter than the data centre's cache keeps it. */
const MEMORY_STALE_MS = 5_500;
/**
 * Time until a round's scans have been counted: the counting window, the queue's batch timeout and the
 * consumer.
 */
const SETTLE_MS = 3_000;
const OUTPUT = "bench-redirect.json";

const HEADERS = [
  `Host: ${HOST}`,
  "User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1",
  "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "Accept-Language: en-CA,en;q=0.9,fr;q=0.6",
].join("\r\n");

/** Ten rules. Only the last one matches. They require parsing the user agent and the languages. */
const TEN_RULES = [
  ...["de", "es", "it", "pt", "nl"].map((language) => ({ language: [language] })),
  ...["windows", "macos", "linux", "android"].map((os) => ({ os: [os] })),
  { os: ["ios"], browser: ["safari"], device: ["mobile"], language: ["fr"] },
].map((when, index) => ({ when, destination: `https://example.com/rule-${index}` }));

function formatRequest(path: string): string {
  return `GET ${path} HTTP/1.1\r\n${HEADERS}\r\n\r\n`;
}

function buildConstantTarget(name: string, runtime: Runtime): Target {
  return { name, runtime, requests: REQUESTS, makeRequest: () => formatRequest("/abcdefg"), status: 302 };
}

/** Builds a target whose requests each use a code that hasn't been requested before. */
function buildColdTarget(name: string, runtime: Runtime, status: number, requests: number): Target {
  let requestCount = 0;
  return {
    name,
    runtime,
    requests,
    makeRequest: () => formatRequest(`/cold-${requestCount++}`),
    status,
    settle,
  };
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
      // Identical to its baseline. The deviation of its ratio from 1 is the measurement error.
      buildConstantTarget("constant Hono route, again", again),
      {
        ...buildConstantTarget("warm link, scan counted", signpost),
        makeRequest: () => formatRequest("/warm-0"),
        settle,
      },
      {
        ...buildConstantTarget("warm link, 10 rules", signpost),
        makeRequest: () => formatRequest("/ruled-0"),
        settle,
      },
      buildCachedTarget(signpost),
      buildColdTarget("only in D1, 1,000 links", few, 302, FEW_LINKS / ROUNDS),
      buildColdTarget("only in D1, 1,000,000 links", many, 302, FEW_LINKS / ROUNDS),
      buildColdTarget("unknown code", signpost, 404, COLD_REQUESTS),
      {
        ...buildConstantTarget("unknown code, again", signpost),
        makeRequest: () => formatRequest("/unknown-0"),
        status: 404,
      },
    ];
    // Warms up like the baselines, until the code is compiled.
    await runLoad(signpost.port, REQUESTS, CONNECTIONS, () => formatRequest("/warm-0"));
    const measured = await compareTargets(
      buildConstantTarget("bare", bare),
      buildConstantTarget("hono", hono),
      targets,
      ROUNDS,
    );
    printTable(measured);
    await reportIdleTime(signpost);
    await reportCounts(signpost, REQUESTS + ROUNDS * (2 * REQUESTS + 2 * COLD_REQUESTS));
    await reportCounts(few, FEW_LINKS);
    reportTargets(measured);
    writeFileSync(OUTPUT, `${JSON.stringify(measured, null, 2)}\n`);
  } finally {
    await Promise.all([bare, hono, again, signpost, few, many].map((runtime) => runtime.stop()));
    removeBuild(build);
  }
}

/** Builds a target whose links are in the data centre's cache but not in the isolate's memory. */
function buildCachedTarget(runtime: Runtime): Target {
  let requestCount = 0;
  const make = () => formatRequest(`/cached-${requestCount++ % COLD_REQUESTS}`);
  return {
    name: "only in the data centre's cache",
    runtime,
    requests: COLD_REQUESTS,
    makeRequest: make,
    status: 302,
    prepare: async () => {
      await runLoad(runtime.port, COLD_REQUESTS, CONNECTIONS, make);
      await sleep(MEMORY_STALE_MS);
    },
    settle,
  };
}

/** Waits until a round's scans have been counted. The CPU time of the wait is part of the round. */
async function settle(): Promise<void> {
  await sleep(SETTLE_MS);
}

/** Prints the CPU time of an idle process, which is included in each round of the table above. */
async function reportIdleTime(runtime: Runtime): Promise<void> {
  const before = runtime.readCpuSeconds();
  await settle();
  const idleMs = (runtime.readCpuSeconds() - before) * 1_000;
  console.log(`\nidle: ${idleMs.toFixed(0)} ms of CPU time in ${SETTLE_MS} ms`);
}

async function readScanCount(runtime: Runtime): Promise<number> {
  const db = await openShard(runtime, SHARD);
  return (await db.prepare("SELECT sum(scan_count) AS scans FROM links").first<number>("scans")) ?? 0;
}

async function reportCounts(runtime: Runtime, expected: number): Promise<void> {
  const counted = await readScanCount(runtime);
  console.log(`scans counted: ${counted} of ${expected}${counted === expected ? "" : "  NOT ALL"}`);
}

function reportTargets(measured: readonly Measurement[]): void {
  const getResult = (name: string) => measured.find((target) => target.name === name) as Measurement;
  const d1Ratio =
    getResult("only in D1, 1,000,000 links").toHono / getResult("only in D1, 1,000 links").toHono;
  const checks: [string, number, number][] = [
    ["warm link to constant Hono route", getResult("warm link, scan counted").toHono, 1.5],
    ["10 rules to constant Hono route", getResult("warm link, 10 rules").toHono, 2.5],
    ["D1 with 1,000,000 links to D1 with few", d1Ratio, 1.2],
    [
      "unknown code to a link only in D1",
      getResult("unknown code").toHono / getResult("only in D1, 1,000 links").toHono,
      1,
    ],
  ];
  for (const [name, ratio, ratioMax] of checks) {
    console.log(
      `${ratio <= ratioMax ? "reached" : "MISSED "}  ${name}: ${ratio.toFixed(2)} (at most ${ratioMax})`,
    );
  }
}
