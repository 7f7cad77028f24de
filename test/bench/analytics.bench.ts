import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getPlatformProxy } from "wrangler";
import { readBreakdown, readTimeseries } from "../../src/analytics/analytics.ts";
import { ingestScans } from "../../src/analytics/ingest.ts";
import { uuidv7 } from "../../src/core/id.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/time.ts";
import type { Window } from "../../src/counting/window.ts";
import { openDatabase } from "../../src/db/database.ts";
import { parseSettings } from "../../src/env.ts";
import { DIMENSIONS, type ScanFacts } from "../../src/scans/scan.ts";
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

/** Of the Worker's bindings only the database. */
const CONFIG = {
  name: "bench-analytics",
  compatibility_date: "2026-11-01",
  d1_databases: [{ binding: "DB", database_name: "bench", database_id: "bench" }],
};

/** How many values each dimension has, as a worldwide campaign shows them. */
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
 * Scan analytics on the D1 that `npm run dev` has: reads from the roll-ups of a workspace with 2,000,000 scans over two
 * years and of one with ten times as many in the same database, and the queue's consumer. Times are medians taken
 * outside of the database's process, its answer read.
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

interface Workspace {
  tenant: Tenant;
  linkIds: string[];
}

async function newWorkspace(d1: D1Database): Promise<Workspace> {
  const id = uuidv7(NOW_MS);
  const linkIds = Array.from({ length: LINKS }, () => uuidv7(NOW_MS));
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
      queueDeliveries: () => {},
    },
    linkIds,
  };
}

async function benchReads(d1: D1Database): Promise<void> {
  const small = await newWorkspace(d1);
  const large = await newWorkspace(d1);
  console.log("analytics: writing the roll-ups of 22,000,000 scans, which takes a minute or two …");
  await fill(d1, small, SCANS);
  await fill(d1, large, 10 * SCANS);

  const year = { from_date: "2025-11-22", to_date: "2026-11-21" };
  const month = { from_date: "2026-10-23", to_date: "2026-11-21" };
  const reads: [string, (workspace: Workspace) => Promise<unknown>][] = [
    ["year by day", ({ tenant }) => readTimeseries(tenant, { interval: "day", ...year })],
    [
      "one link by hour, 30 days",
      ({ tenant, linkIds }) =>
        readTimeseries(tenant, { interval: "hour", ...month, link_id: linkIds[0] as string }),
    ],
    ...(["country", "region", "referrer", "link"] as const).map(
      (by): [string, (workspace: Workspace) => Promise<unknown>] => [
        `year by ${by}`,
        ({ tenant }) => readBreakdown(tenant, { by, ...year, limit: 100 }),
      ],
    ),
  ];
  const rows: Record<string, unknown>[] = [];
  for (const [name, read] of reads) {
    const smallMs = await medianMs(() => read(small));
    const largeMs = await medianMs(() => read(large));
    const slowdown = largeMs / smallMs;
    rows.push({
      read: name,
      "2M scans, ms": smallMs.toFixed(1),
      "20M scans, ms": largeMs.toFixed(1),
      slowdown: slowdown.toFixed(2),
      [`< ${READ_MS_MAX} ms, ≤ ${SLOWDOWN_MAX}×`]: verdict(smallMs < READ_MS_MAX && slowdown <= SLOWDOWN_MAX),
    });
  }
  console.table(rows);
}

/** Writes the roll-ups that `scans` scans over two years leave behind, those of links by dimension apart. */
async function fill(d1: D1Database, { tenant, linkIds }: Workspace, scans: number): Promise<void> {
  const { id: totalId } = (await d1
    .prepare("SELECT id FROM scan_series WHERE workspace_id = ? AND link_id = ''")
    .bind(tenant.workspace.id)
    .first()) as { id: number };
  const linkOf = zipf(LINKS);
  const hours = new Uint32Array((LINKS + 1) * 24);
  const dimensions = Object.entries({ ...VALUES, link: LINKS }).map(([name, values]) => ({
    number: DIMENSIONS[name as keyof typeof DIMENSIONS],
    pick: zipf(values),
    counts: new Uint32Array(values),
    valueAt:
      name === "link" ? (index: number) => linkIds[index] as string : (index: number) => `${name}-${index}`,
  }));
  for (let day = FIRST_DAY; day < FIRST_DAY + DAYS; day++) {
    hours.fill(0);
    for (const { counts } of dimensions) counts.fill(0);
    for (let scan = 0; scan < scans / DAYS; scan++) {
      const hour = Math.floor(random() * 24);
      const link = linkOf();
      add(hours, hour);
      add(hours, 24 * (link + 1) + hour);
      for (const { number, counts, pick } of dimensions)
        add(counts, number === DIMENSIONS.link ? link : pick());
    }
    // The links' series have the numbers after that of the workspace.
    const hourRows = [...hours].flatMap((n, i) =>
      n ? [[totalId + Math.floor(i / 24), day * 24 + (i % 24), n]] : [],
    );
    const valueRows = dimensions.flatMap(({ number, counts, valueAt }) =>
      [...counts].flatMap((n, i) => (n ? [[totalId, number, day, valueAt(i), n]] : [])),
    );
    await insert(d1, "scan_hours", hourRows);
    await insert(d1, "scan_values", valueRows);
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

async function insert(d1: D1Database, table: string, rows: readonly unknown[][]): Promise<void> {
  const columns = (rows[0] as unknown[]).map((_, index) => `value ->> ${index}`);
  await d1
    .prepare(`INSERT INTO ${table} SELECT ${columns} FROM json_each(?)`)
    .bind(JSON.stringify(rows))
    .run();
}

async function benchIngest(d1: D1Database): Promise<void> {
  const { tenant, linkIds } = await newWorkspace(d1);
  const scanOf = scanMaker(tenant.workspace.id, linkIds);
  let statements = 0;
  const counting = new Proxy(d1, {
    get: (target, property) => {
      if (property === "batch") {
        return (batch: D1PreparedStatement[]) => {
          statements = batch.length;
          return target.batch(batch);
        };
      }
      return Reflect.get(target, property).bind(target);
    },
  });
  const times: number[] = [];
  for (let i = 0; i < BATCHES; i++) {
    const batch = batchOf(WINDOWS_PER_BATCH, scanOf);
    const startMs = performance.now();
    await ingestScans(batch, counting, NOW_MS);
    times.push(performance.now() - startMs);
  }
  const ofMany = statements;
  await ingestScans(batchOf(1, scanOf), counting, NOW_MS);

  const perBatch = WINDOWS_PER_BATCH * SCANS_PER_WINDOW;
  const elapsedMs = times.reduce((sum, ms) => sum + ms, 0);
  const perSecond = (BATCHES * perBatch * 1_000) / elapsedMs;
  const rows = (await d1.prepare("SELECT count(*) AS n FROM scan_values").first<{ n: number }>())?.n;
  console.table([
    {
      ingest: `${BATCHES} batches of ${perBatch}`,
      "scans/s": Math.round(perSecond),
      "batch, ms": (elapsedMs / BATCHES).toFixed(0),
      [`statements, 1 and ${WINDOWS_PER_BATCH} messages`]: `${statements} and ${ofMany}`,
      "value rows in all": rows,
      [`≥ ${SCANS_PER_SECOND_MIN}/s, constant`]: verdict(
        perSecond >= SCANS_PER_SECOND_MIN && statements === ofMany,
      ),
    },
  ]);
}

function batchOf(windows: number, scanOf: () => Scan): MessageBatch<Window<ScanFacts>> {
  const fail = () => {
    throw new Error("the batch was not counted");
  };
  const messages = Array.from({ length: windows }, () => ({
    body: packWindow(Array.from({ length: SCANS_PER_WINDOW }, scanOf)),
    retry: fail,
  }));
  return { queue: "scans", messages, ackAll() {} } as unknown as MessageBatch<Window<ScanFacts>>;
}

function scanMaker(workspaceId: string, linkIds: readonly string[]): () => Scan {
  const linkOf = zipf(LINKS);
  const pick = Object.fromEntries(
    Object.entries(VALUES).map(([name, values]) => {
      const of = zipf(values);
      return [name, () => `${name}-${of()}`];
    }),
  ) as Record<keyof typeof VALUES, () => string>;
  return () => ({
    workspaceId,
    linkId: linkIds[linkOf()] as string,
    shortCode: "abcdefg",
    destination: "https://example.com/some/page",
    scannedAtMs: NOW_MS - Math.floor(random() * HOUR_MS),
    country: pick.country(),
    region: pick.region(),
    device: pick.device(),
    os: pick.os(),
    browser: pick.browser(),
    referrer: pick.referrer(),
    language: pick.language(),
    rule: pick.rule(),
  });
}

function verdict(holds: boolean): string {
  return holds ? "holds" : "MISSED";
}

async function medianMs(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < READS; i++) {
    const startMs = performance.now();
    await run();
    times.push(performance.now() - startMs);
  }
  return times.sort((a, b) => a - b)[READS >> 1] as number;
}

function add(counts: Uint32Array, index: number): void {
  counts[index] = (counts[index] as number) + 1;
}

let seed = 1;

/** Mulberry32: the same numbers in every run. */
function random(): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

/** Draws from 0 to n - 1, each k with a share as 1/(k + 1): a few do most, as links and countries are. */
function zipf(n: number): () => number {
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
