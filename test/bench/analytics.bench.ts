import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getPlatformProxy } from "wrangler";
import { readBreakdown, readTimeseries } from "../../src/analytics/analytics.ts";
import { ingestScans } from "../../src/analytics/ingest.ts";
import { generateUuidv7 } from "../../src/core/id.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/time.ts";
import type { Window } from "../../src/counting/window.ts";
import { openDatabase } from "../../src/db/database.ts";
import { parseSettings } from "../../src/env.ts";
import { DIMENSIONS } from "../../src/scans/dimensions.ts";
import type { ScanFacts } from "../../src/scans/scan-facts.ts";
import type { Tenant } from "../../src/tenant/tenant.ts";
import { packWindow, type Scan } from "../support/scans.ts";

const READ_MS_MAX = 50;
const SLOWDOWN_MAX = 2;
const SCANS_PER_SECOND_MIN = 5_000;

const LINKS = 1_000;
const DAYS = 730;
const SCANS = 2_000_000;
const READS = 21;
const BATCHES = 12;
const WINDOWS_PER_BATCH = 30;
const SCANS_PER_WINDOW = 80;

const NOW_MS = Date.parse("2026-11-21T12:00:00Z");
const FIRST_DAY = NOW_MS / DAY_MS - DAYS + 0.5;

/** Wrangler configuration with only the database binding of the Worker. */
const CONFIG = {
  name: "bench-analytics",
  compatibility_date: "2026-11-01",
  d1_databases: [{ binding: "DB", database_name: "bench", database_id: "bench" }],
};

/** Number of values of each dimension, typical of a worldwide campaign. */
const VALUES = {
  country: 200,
  region: 1_500,
  device: 3,
  os: 6,
  browser: 6,
  referrer: 800,
  language: 80,
  rule: 4,
};

/**
 * Benchmark of scan analytics on the D1 that `npm run dev` uses: reads from the roll-ups of a workspace with 2,000,000
 * scans over two years and of one with ten times as many in the same database, and the queue consumer. Times are
 * medians, measured outside of the database's process until its result is read.
 */
export default async function run(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "bench-analytics-"));
  const configPath = join(directory, "wrangler.json");
  await writeFile(configPath, JSON.stringify(CONFIG));
  const { env, dispose } = await getPlatformProxy<Env>({ configPath, persist: { path: directory } });
  try {
    await migrate(env.DB);
    await benchReads(env.DB);
    await benchIngest(env.DB);
  } finally {
    await dispose();
    await rm(directory, { recursive: true, force: true });
  }
}

async function migrate(d1: D1Database): Promise<void> {
  const folder = join(import.meta.dirname, "../../migrations");
  for (const file of (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort()) {
    const statements = (await readFile(join(folder, file), "utf8")).split("--> statement-breakpoint");
    await d1.batch(statements.map((statement) => d1.prepare(statement)));
  }
}

interface BenchWorkspace {
  tenant: Tenant;
  linkIds: string[];
}

async function createWorkspace(d1: D1Database): Promise<BenchWorkspace> {
  const id = generateUuidv7(NOW_MS);
  const linkIds = Array.from({ length: LINKS }, () => generateUuidv7(NOW_MS));
  await d1.batch([
    d1
      .prepare(
        "INSERT INTO workspaces (id, slug, name, plan, created_at) VALUES (?1, ?1, 'bench', 'business', 0)",
      )
      .bind(id),
    d1
      .prepare(
        `INSERT INTO links (id, workspace_id, short_code, code_key, is_custom, destination, destination_host,
                            rule_hosts, labels, routing_rules, created_at, updated_at)
         SELECT value, ?1, value, value, 0, 'https://example.com/', 'example.com', '[]', '[]', '[]', 0, 0
           FROM json_each(?2)`,
      )
      .bind(id, JSON.stringify(linkIds)),
    d1
      .prepare(
        `INSERT INTO scan_series (workspace_id, link_id)
         SELECT ?1, '' UNION ALL SELECT ?1, value FROM json_each(?2)`,
      )
      .bind(id, JSON.stringify(linkIds)),
  ]);
  const settings = parseSettings({
    API_URL: "http://localhost:8787",
    SHORT_DOMAIN: "localhost:8787",
    BIO_URL: "http://bio.localhost:8787",
    CDN_URL: "http://cdn.localhost:8787",
    ALLOW_LOOPBACK: "true",
  });
  const workspace = { id, name: "bench", description: "", plan: "business", createdAt: 0 } as const;
  return {
    tenant: {
      db: openDatabase(d1),
      workspace: { ...workspace, hostnames: ["bench.localhost"] },
      settings,
      nowMs: NOW_MS,
      origin: { requestId: "", isRetry: false },
      deliveryQueue: {} as Queue,
      waitUntil: () => {},
    },
    linkIds,
  };
}

async function benchReads(d1: D1Database): Promise<void> {
  const small = await createWorkspace(d1);
  const large = await createWorkspace(d1);
  console.log("analytics: writing the roll-ups of 22,000,000 scans (takes a minute or two) …");
  await writeRollups(d1, small, SCANS);
  await writeRollups(d1, large, 10 * SCANS);

  const year = { from_date: "2025-11-22", to_date: "2026-11-21" };
  const month = { from_date: "2026-10-23", to_date: "2026-11-21" };
  const reads: [string, (workspace: BenchWorkspace) => Promise<unknown>][] = [
    ["year by day", ({ tenant }) => readTimeseries(tenant, { interval: "day", ...year })],
    [
      "one link by hour, 30 days",
      ({ tenant, linkIds }) =>
        readTimeseries(tenant, { interval: "hour", ...month, link_id: linkIds[0] as string }),
    ],
    ...(["country", "region", "referrer", "link"] as const).map(
      (by): [string, (workspace: BenchWorkspace) => Promise<unknown>] => [
        `year by ${by}`,
        ({ tenant }) => readBreakdown(tenant, { by, ...year, limit: 100 }),
      ],
    ),
  ];
  const rows: Record<string, unknown>[] = [];
  for (const [name, read] of reads) {
    const smallMs = await measureMedianMs(() => read(small));
    const largeMs = await measureMedianMs(() => read(large));
    const slowdown = largeMs / smallMs;
    rows.push({
      read: name,
      "2M scans, ms": smallMs.toFixed(1),
      "20M scans, ms": largeMs.toFixed(1),
      slowdown: slowdown.toFixed(2),
      [`< ${READ_MS_MAX} ms, ≤ ${SLOWDOWN_MAX}×`]: formatVerdict(
        smallMs < READ_MS_MAX && slowdown <= SLOWDOWN_MAX,
      ),
    });
  }
  console.table(rows);
}

/** Writes the roll-ups of `scans` scans over two years, except those of single links by dimension. */
async function writeRollups(
  d1: D1Database,
  { tenant, linkIds }: BenchWorkspace,
  scans: number,
): Promise<void> {
  const { id: totalId } = (await d1
    .prepare("SELECT id FROM scan_series WHERE workspace_id = ? AND link_id = ''")
    .bind(tenant.workspace.id)
    .first()) as { id: number };
  const drawLink = buildZipf(LINKS);
  const hours = new Uint32Array((LINKS + 1) * 24);
  const dimensions = Object.entries({ ...VALUES, link: LINKS }).map(([name, values]) => ({
    number: DIMENSIONS[name as keyof typeof DIMENSIONS],
    drawValue: buildZipf(values),
    counts: new Uint32Array(values),
    getValue:
      name === "link" ? (index: number) => linkIds[index] as string : (index: number) => `${name}-${index}`,
  }));
  for (let day = FIRST_DAY; day < FIRST_DAY + DAYS; day++) {
    hours.fill(0);
    for (const { counts } of dimensions) counts.fill(0);
    for (let scan = 0; scan < scans / DAYS; scan++) {
      const hour = Math.floor(random() * 24);
      const link = drawLink();
      increment(hours, hour);
      increment(hours, 24 * (link + 1) + hour);
      for (const { number, counts, drawValue } of dimensions)
        increment(counts, number === DIMENSIONS.link ? link : drawValue());
    }
    // The ids of the links' series follow that of the workspace.
    const hourRows = [...hours].flatMap((n, i) =>
      n ? [[totalId + Math.floor(i / 24), day * 24 + (i % 24), n]] : [],
    );
    const valueRows = dimensions.flatMap(({ number, counts, getValue }) =>
      [...counts].flatMap((n, i) => (n ? [[totalId, number, day, getValue(i), n]] : [])),
    );
    await insertRows(d1, "scan_hours", hourRows);
    await insertRows(d1, "scan_values", valueRows);
  }
  await d1
    .prepare(
      `INSERT INTO scan_month_values
       SELECT series_id, dimension, strftime('%Y', day * 86400, 'unixepoch') * 12 +
              strftime('%m', day * 86400, 'unixepoch') - 1 AS month, value, sum(scans)
         FROM scan_values WHERE series_id = ? GROUP BY 1, 2, month, value`,
    )
    .bind(totalId)
    .run();
}

async function insertRows(d1: D1Database, table: string, rows: readonly unknown[][]): Promise<void> {
  const columns = (rows[0] as unknown[]).map((_, index) => `value ->> ${index}`);
  await d1
    .prepare(`INSERT INTO ${table} SELECT ${columns} FROM json_each(?)`)
    .bind(JSON.stringify(rows))
    .run();
}

async function benchIngest(d1: D1Database): Promise<void> {
  const { tenant, linkIds } = await createWorkspace(d1);
  const drawScan = buildScanSource(tenant.workspace.id, linkIds);
  let statementCount = 0;
  const countingD1 = new Proxy(d1, {
    get: (target, property) => {
      if (property === "batch") {
        return (batch: D1PreparedStatement[]) => {
          statementCount = batch.length;
          return target.batch(batch);
        };
      }
      return Reflect.get(target, property).bind(target);
    },
  });
  const times: number[] = [];
  for (let i = 0; i < BATCHES; i++) {
    const batch = buildBatch(WINDOWS_PER_BATCH, drawScan);
    const startMs = performance.now();
    await ingestScans(batch, countingD1, NOW_MS);
    times.push(performance.now() - startMs);
  }
  const statementsOfLargest = statementCount;
  await ingestScans(buildBatch(1, drawScan), countingD1, NOW_MS);

  const scansPerBatch = WINDOWS_PER_BATCH * SCANS_PER_WINDOW;
  const elapsedMs = times.reduce((sum, ms) => sum + ms, 0);
  const perSecond = (BATCHES * scansPerBatch * 1_000) / elapsedMs;
  const rows = (await d1.prepare("SELECT count(*) AS n FROM scan_values").first<{ n: number }>())?.n;
  console.table([
    {
      ingest: `${BATCHES} batches of ${scansPerBatch}`,
      "scans/s": Math.round(perSecond),
      "batch, ms": (elapsedMs / BATCHES).toFixed(0),
      [`statements, 1 and ${WINDOWS_PER_BATCH} messages`]: `${statementCount} and ${statementsOfLargest}`,
      "total value rows": rows,
      [`≥ ${SCANS_PER_SECOND_MIN}/s, constant`]: formatVerdict(
        perSecond >= SCANS_PER_SECOND_MIN && statementCount === statementsOfLargest,
      ),
    },
  ]);
}

function buildBatch(windows: number, drawScan: () => Scan): MessageBatch<Window<ScanFacts>> {
  const failOnRetry = () => {
    throw new Error("the batch was not counted");
  };
  const messages = Array.from({ length: windows }, () => ({
    body: packWindow(Array.from({ length: SCANS_PER_WINDOW }, drawScan)),
    retry: failOnRetry,
  }));
  return { queue: "scans", messages, ackAll() {} } as unknown as MessageBatch<Window<ScanFacts>>;
}

function buildScanSource(workspaceId: string, linkIds: readonly string[]): () => Scan {
  const drawLink = buildZipf(LINKS);
  const draw = Object.fromEntries(
    Object.entries(VALUES).map(([name, values]) => {
      const drawIndex = buildZipf(values);
      return [name, () => `${name}-${drawIndex()}`];
    }),
  ) as Record<keyof typeof VALUES, () => string>;
  return () => ({
    workspaceId,
    linkId: linkIds[drawLink()] as string,
    shortCode: "abcdefg",
    destination: "https://example.com/some/page",
    scannedAtMs: NOW_MS - Math.floor(random() * HOUR_MS),
    country: draw.country(),
    region: draw.region(),
    device: draw.device(),
    os: draw.os(),
    browser: draw.browser(),
    referrer: draw.referrer(),
    language: draw.language(),
    rule: draw.rule(),
  });
}

function formatVerdict(isReached: boolean): string {
  return isReached ? "reached" : "MISSED";
}

async function measureMedianMs(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < READS; i++) {
    const startMs = performance.now();
    await run();
    times.push(performance.now() - startMs);
  }
  return times.sort((a, b) => a - b)[READS >> 1] as number;
}

function increment(counts: Uint32Array, index: number): void {
  counts[index] = (counts[index] as number) + 1;
}

let seed = 1;

/** Returns a pseudo-random number from 0 to 1 (Mulberry32), with the same sequence in every run. */
function random(): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

/** Returns a function that draws from 0 to n - 1, with k in proportion to 1/(k + 1) (Zipf's law). */
function buildZipf(n: number): () => number {
  const table = new Uint16Array(65_536);
  const total = Array.from({ length: n }, (_, k) => 1 / (k + 1)).reduce((sum, share) => sum + share, 0);
  let filled = 0;
  for (let k = 0, sum = 0; k < n; k++) {
    sum += 1 / (k + 1) / total;
    const end = k === n - 1 ? table.length : Math.round(sum * table.length);
    table.fill(k, filled, end);
    filled = Math.max(filled, end);
  }
  return () => table[Math.floor(random() * table.length)] as number;
}
