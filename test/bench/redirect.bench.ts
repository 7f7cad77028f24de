import { writeFileSync } from "node:fs";
import { startBareBaseline, startHonoBaseline } from "./support/baselines.ts";
import { compare, type Measured, printTable, type Target } from "./support/compare.ts";
import { buildWorker, type Runtime, removeBuild, startSignpost } from "./support/runtime.ts";
import { HOST, seedLinks, seedWorkspace } from "./support/seed.ts";

/** What a redirect costs, as ratios to Workers that do nothing but answer a constant 302. */

const ROUNDS = 5;
const REQUESTS = 10_000;
const COLD_REQUESTS = 1_000;
const MANY_LINKS = 1_000_000;
const FEW_LINKS = 1_000;
/** Longer than an isolate's memory believes what it read, shorter than the data centre's cache does. */
const MEMORY_STALE_MS = 5_500;
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

/** Requests for links never asked for before, in every round anew. */
function cold(name: string, runtime: Runtime, prefix: string, status: number): Target {
  let asked = 0;
  return { name, runtime, requests: COLD_REQUESTS, make: () => get(`/${prefix}-${asked++}`), status };
}

export default async function run(): Promise<void> {
  const build = buildWorker();
  const bare = await startBareBaseline();
  const hono = await startHonoBaseline();
  const few = await startSignpost(build);
  const many = await startSignpost(build);
  try {
    const workspace = await seedWorkspace(few);
    await seedLinks(few, workspace.workspaceId, "warm", 1);
    await seedLinks(few, workspace.workspaceId, "ruled", 1, TEN_RULES);
    await seedLinks(few, workspace.workspaceId, "cached", COLD_REQUESTS);
    await seedLinks(few, workspace.workspaceId, "cold", COLD_REQUESTS * ROUNDS);
    await seedLinks(few, workspace.workspaceId, "some", FEW_LINKS);
    await seedLinks(many, (await seedWorkspace(many)).workspaceId, "cold", MANY_LINKS);

    const counted = () => untilCounted(few);
    const targets: Target[] = [
      { ...constant("constant Hono route", hono) },
      { ...constant("warm link, scan counted", few), make: () => get("/warm-0"), settle: counted },
      { ...constant("warm link, 10 rules", few), make: () => get("/ruled-0"), settle: counted },
      cachedTarget(few),
      { ...cold("only in D1, few links", few, "cold", 302), settle: counted },
      cold("only in D1, 1,000,000 links", many, "cold", 302),
      cold("unknown code", few, "unknown", 404),
      { ...constant("unknown code, again", few), make: () => get("/unknown-0"), status: 404 },
    ];
    const measured = await compare(constant("bare", bare), constant("hono", hono), targets, ROUNDS);
    printTable(measured);
    await reportCounts(few);
    reportTargets(measured);
    writeFileSync(OUTPUT, `${JSON.stringify(measured, null, 2)}\n`);
  } finally {
    await Promise.all([bare, hono, few, many].map((runtime) => runtime.stop()));
    removeBuild(build);
  }
}

/** Links that the data centre's cache holds, and no isolate remembers. */
function cachedTarget(runtime: Runtime): Target {
  let asked = 0;
  const make = () => get(`/cached-${asked++ % COLD_REQUESTS}`);
  return {
    ...{ name: "only in the data centre's cache", runtime, requests: COLD_REQUESTS, make, status: 302 },
    prepare: async () => {
      const { load } = await import("./support/load.ts");
      await load(runtime.port, COLD_REQUESTS, 4, make);
      await new Promise((resolve) => setTimeout(resolve, MEMORY_STALE_MS));
    },
  };
}

interface Counts {
  scans: number;
}

async function countsOf({ miniflare }: Runtime): Promise<number> {
  const db = await miniflare.getD1Database("DB");
  return (await db.prepare("SELECT sum(scan_count) AS scans FROM links").first<Counts>())?.scans ?? 0;
}

const COUNT_DEADLINE_MS = 30_000;
const COUNT_POLL_MS = 300;

/** Waits until the counts no longer grow: what the requests left to be done is done. */
async function untilCounted(runtime: Runtime): Promise<void> {
  const endMs = Date.now() + COUNT_DEADLINE_MS;
  let last = -1;
  for (let now = await countsOf(runtime); now !== last && Date.now() < endMs; now = await countsOf(runtime)) {
    last = now;
    await new Promise((resolve) => setTimeout(resolve, COUNT_POLL_MS + 1_500));
  }
}

async function reportCounts(runtime: Runtime): Promise<void> {
  const expected = ROUNDS * (2 * REQUESTS + 3 * COLD_REQUESTS);
  await untilCounted(runtime);
  const found = await countsOf(runtime);
  console.log(`\nscans counted: ${found} of ${expected}${found === expected ? "" : "  NOT ALL"}`);
}

function reportTargets(measured: readonly Measured[]): void {
  const of = (name: string) => measured.find((target) => target.name === name) as Measured;
  const d1Ratio = of("only in D1, 1,000,000 links").toHono / of("only in D1, few links").toHono;
  const checks: [string, number, number][] = [
    ["warm link to constant Hono route", of("warm link, scan counted").toHono, 1.5],
    ["10 rules to constant Hono route", of("warm link, 10 rules").toHono, 2.5],
    ["D1 with 1,000,000 links to D1 with few", d1Ratio, 1.2],
    ["unknown code to a link only in D1", of("unknown code").toHono / of("only in D1, few links").toHono, 1],
  ];
  for (const [what, ratio, most] of checks) {
    console.log(`${ratio <= most ? "reached" : "MISSED "}  ${what}: ${ratio.toFixed(2)} (at most ${most})`);
  }
}
