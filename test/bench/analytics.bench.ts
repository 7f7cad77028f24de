import { readBreakdown, readTimeseries } from "../../src/analytics/analytics.ts";
import { numberMonth, startMonth } from "../../src/analytics/buckets.ts";
import {
  addCount,
  addCounts,
  type Counts,
  formatCounts,
  openValues,
} from "../../src/analytics/day-counts.ts";
import { type DayTotals, formatDayKey } from "../../src/analytics/day-totals.ts";
import { ingestScans } from "../../src/analytics/ingest.ts";
import { packText } from "../../src/analytics/packed-text.ts";
import { getFirstMonthKept } from "../../src/analytics/retention.ts";
import { toHexId, WORKSPACE_SCANS } from "../../src/analytics/series.ts";
import { summarizeMonths } from "../../src/analytics/summarize.ts";
import { generateUuidv7 } from "../../src/core/id.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/time.ts";
import type { Window } from "../../src/counting/window.ts";
import { openDatabase } from "../../src/db/database.ts";
import type { DatabaseBindings } from "../../src/db/shards.ts";
import { parseSettings } from "../../src/env.ts";
import { DIMENSIONS } from "../../src/scans/dimensions.ts";
import type { ScanFacts } from "../../src/scans/scan-facts.ts";
import type { Tenant } from "../../src/tenant/tenant.ts";
import { packWindow, type Scan } from "../support/scans.ts";
import { buildZipf, drawVisitor, random } from "./support/draws.ts";
import { withLocalD1 } from "./support/local-d1.ts";

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
/**
 * Scans per day of the first link, which is read by hour and with a filter. The real consumer counts them.
 */
const LINK_SCANS_PER_DAY = 100;

const NOW_MS = Date.parse("2026-11-21T12:00:00Z");
const TODAY = Math.floor(NOW_MS / DAY_MS);
const FIRST_DAY = TODAY - DAYS + 1;

/** Number of distinct values per dimension, typical for a worldwide campaign. */
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
 * Benchmark of scan analytics on the D1 database that `npm run dev` uses. Measures the queue consumer, and
 * reads from the roll-ups of a workspace with 2,000,000 scans over two years and a workspace with ten times
 * as many in the same database. Times are medians, measured outside the database process until the result has
 * been read.
 */
export default async function run(): Promise<void> {
  await withLocalD1(async (databases) => {
    await benchReads(databases);
    await benchIngest(databases);
  });
}

interface BenchWorkspace {
  tenant: Tenant;
  linkIds: string[];
}

async function createWorkspace({ DIRECTORY, SHARD_0: shard }: DatabaseBindings): Promise<BenchWorkspace> {
  const id = generateUuidv7(NOW_MS);
  const linkIds = Array.from({ length: LINKS }, () => generateUuidv7(NOW_MS));
  const number = await DIRECTORY.prepare(
    `INSERT INTO workspaces (id, slug, name, plan, shard, created_at) VALUES (?1, ?1, 'bench', 'business', 0, 0)
     RETURNING number`,
  )
    .bind(id)
    .first<number>("number");
  await shard.batch([
    shard.prepare("INSERT INTO tenants (id, number) VALUES (?, ?)").bind(id, number),
    shard
      .prepare(
        `INSERT INTO links (id, workspace_id, short_code, code_key, is_custom, destination, destination_host,
                            rule_hosts, labels, routing_rules, created_at, updated_at)
         SELECT value, ?1, value, value, 0, 'https://example.com/', 'example.com', '[]', '[]', '[]', 0, 0
           FROM json_each(?2)`,
      )
      .bind(id, JSON.stringify(linkIds)),
  ]);
  const settings = parseSettings({
    API_URL: "http://localhost:8787",
    SHORT_DOMAIN: "localhost:8787",
    BIO_URL: "http://bio.localhost:8787",
    APP_URL: "http://app.localhost:8787",
    CDN_URL: "http://cdn.localhost:8787",
    ALLOW_LOOPBACK: "true",
  });
  const workspace = {
    id,
    name: "bench",
    description: "",
    plan: "business",
    shard: 0,
    isMoving: false,
    suspendedAt: null,
    createdAt: 0,
  } as const;
  return {
    tenant: {
      db: openDatabase(shard),
      directory: openDatabase(DIRECTORY),
      workspace: { ...workspace, hostnames: ["bench.localhost"] },
      settings,
      nowMs: NOW_MS,
      origin: { requestId: "", isRetry: false },
      actor: { type: "admin", id: "", name: "test" },
      operation: "",
      requestId: "",
      deliveryQueue: {} as Queue,
      waitUntil: () => {},
    },
    linkIds,
  };
}

async function benchReads(databases: DatabaseBindings): Promise<void> {
  const small = await createWorkspace(databases);
  const large = await createWorkspace(databases);
  console.log("analytics: writing the roll-ups of 22,000,000 scans (takes a minute or two) …");
  await writeRollups(databases, small, SCANS);
  await writeRollups(databases, large, 10 * SCANS);

  const year = { from_date: "2025-12-01", to_date: "2026-11-21" };
  const month = { from_date: "2026-10-22", to_date: "2026-11-21" };
  const reads: [string, (workspace: BenchWorkspace) => Promise<unknown>][] = [
    ["year by day", ({ tenant }) => readTimeseries(tenant, { interval: "day", ...year })],
    [
      "one link by hour, 30 days",
      ({ tenant, linkIds }) =>
        readTimeseries(tenant, { interval: "hour", ...month, link_id: linkIds[0] as string }),
    ],
    ["workspace by hour, 30 days", ({ tenant }) => readTimeseries(tenant, { interval: "hour", ...month })],
    ...(["country", "region", "referrer", "link"] as const).map(
      (by): [string, (workspace: BenchWorkspace) => Promise<unknown>] => [
        `year by ${by}`,
        ({ tenant }) => readBreakdown(tenant, { by, ...year, limit: 100 }),
      ],
    ),
    [
      "browsers within a country, one link, 31 days",
      ({ tenant, linkIds }) =>
        readBreakdown(tenant, {
          by: "browser",
          country: "AA",
          ...month,
          link_id: linkIds[0] as string,
          limit: 100,
        }),
    ],
    [
      "browsers within a country, workspace, 31 days",
      ({ tenant }) => readBreakdown(tenant, { by: "browser", country: "AA", ...month, limit: 100 }),
    ],
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
      [`< ${READ_MS_MAX} ms, ≤ ${SLOWDOWN_MAX}×`]: name.includes("within")
        ? "no target"
        : formatVerdict(smallMs < READ_MS_MAX && largeMs < READ_MS_MAX && slowdown <= SLOWDOWN_MAX),
    });
  }
  console.table(rows);
}

/** Counts of a month while its days are generated. */
interface MonthDraft {
  days: DayTotals;
  total: number;
  links: { total: number; days: DayTotals }[];
  counts: Counts;
}

/**
 * Writes roll-ups of `scans` scans over two years, as the consumer and the sweep would leave them. Leaves out
 * the values of single links, except for the first link in the last 31 days: the consumer counts those scans.
 */
async function writeRollups(
  databases: DatabaseBindings,
  { tenant, linkIds }: BenchWorkspace,
  scans: number,
): Promise<void> {
  const { SHARD_0: d1 } = databases;
  const owner = toHexId(tenant.workspace.id);
  const drawLink = buildZipf(LINKS);
  const dimensions = Object.entries(VALUES).map(([name, values]) => ({
    number: DIMENSIONS[name as keyof typeof DIMENSIONS],
    drawValue: buildZipf(values),
    name,
  }));
  const firstKept = getFirstMonthKept(NOW_MS);
  let draft: MonthDraft = createDraft();
  for (let day = FIRST_DAY; day <= TODAY; day++) {
    const month = numberMonth(day * DAY_MS);
    const counts: Counts = new Map();
    for (let scan = 0; scan < scans / DAYS; scan++) {
      const link = draft.links[drawLink()] as MonthDraft["links"][number];
      const key = formatDayKey(day, 0);
      link.total += 1;
      link.days[key] = (link.days[key] ?? 0) + 1;
      draft.days[key] = (draft.days[key] ?? 0) + 1;
      draft.total += 1;
      addCount(openValues(counts, 0), String(Math.floor(random() * 96)), 0, 1);
      for (const { number, name, drawValue } of dimensions) {
        const values = openValues(counts, number);
        const value = `${name}-${drawValue()}`;
        addCount(values, values.has(value) || values.size < 200 ? value : "other", 0, 1);
      }
    }
    if (month >= firstKept) {
      await insertRows(
        d1,
        "scan_days (owner, item, day, counts)",
        "unhex(value ->> 0), unhex(value ->> 1), value ->> 2, unhex(value ->> 3)",
        [[owner, WORKSPACE_SCANS, day, await packText(formatCounts(counts))]],
      );
    }
    addCounts(draft.counts, counts);
    if (day !== TODAY && (day + 1) * DAY_MS !== startMonth(month + 1)) continue;
    await writeMonth(d1, owner, month, draft, linkIds, month < firstKept);
    draft = createDraft();
  }
  // The real consumer sums a month when it moves a log of the next month.
  const months = Array.from({ length: numberMonth(NOW_MS) - firstKept }, (_, index) => firstKept + index);
  for (let day = TODAY - 30; day <= TODAY; day++) {
    const drawn = Array.from({ length: LINK_SCANS_PER_DAY }, () =>
      buildScan(tenant, linkIds[0] as string, day * DAY_MS),
    );
    for (let start = 0; start < drawn.length; start += 20) {
      await ingestScans(asBatch([packWindow(drawn.slice(start, start + 20))]), databases, NOW_MS);
    }
  }
  await summarizeMonths(
    d1,
    months.map((month) => ({ owner, item: WORKSPACE_SCANS, month })),
  );
}

function createDraft(): MonthDraft {
  const links = Array.from({ length: LINKS }, () => ({ total: 0, days: {} }));
  return { days: {}, total: 0, links, counts: new Map() };
}

async function writeMonth(
  d1: D1Database,
  owner: string,
  month: number,
  { days, total, links, counts }: MonthDraft,
  linkIds: readonly string[],
  isFolded: boolean,
): Promise<void> {
  const rows = [
    [month, owner, WORKSPACE_SCANS, total, days],
    ...links.map((link, index) => [month, owner, toHexId(linkIds[index] as string), link.total, link.days]),
  ];
  const table = isFolded ? "scan_history" : "scan_months";
  const extra = isFolded ? ["", ""] : [", moves, log", ", 0, ''"];
  await insertRows(
    d1,
    `${table} (month, owner, item, human, bot, preview, prefetch, days${extra[0]})`,
    `value ->> 0, unhex(value ->> 1), unhex(value ->> 2), value ->> 3, 0, 0, 0, value -> 4${extra[1]}`,
    rows,
  );
  if (!isFolded) return;
  await insertRows(
    d1,
    "scan_history_counts (month, owner, item, total, counts)",
    "value ->> 0, unhex(value ->> 1), unhex(value ->> 2), value ->> 3, unhex(value ->> 4)",
    [[month, owner, WORKSPACE_SCANS, total, await packText(formatCounts(counts))]],
  );
}

async function insertRows(
  d1: D1Database,
  table: string,
  columns: string,
  rows: readonly unknown[][],
): Promise<void> {
  await d1
    .prepare(`INSERT INTO ${table} SELECT ${columns} FROM json_each(?)`)
    .bind(JSON.stringify(rows))
    .run();
}

async function benchIngest(databases: DatabaseBindings): Promise<void> {
  const { tenant, linkIds } = await createWorkspace(databases);
  const drawLink = buildZipf(LINKS);
  const drawScan = () => buildScan(tenant, linkIds[drawLink()] as string, NOW_MS - HOUR_MS);
  let statementsMax = 0;
  const countingShard = new Proxy(databases.SHARD_0, {
    get: (target, property) => {
      if (property === "batch") {
        return (batch: D1PreparedStatement[]) => {
          statementsMax = Math.max(statementsMax, batch.length);
          return target.batch(batch);
        };
      }
      return Reflect.get(target, property).bind(target);
    },
  });
  const bindings = { ...databases, SHARD_0: countingShard };
  const times: number[] = [];
  for (let i = 0; i < BATCHES; i++) {
    const batch = buildBatch(WINDOWS_PER_BATCH, drawScan);
    const startMs = performance.now();
    await ingestScans(batch, bindings, NOW_MS);
    times.push(performance.now() - startMs);
  }
  const statementsOfLargest = statementsMax;
  statementsMax = 0;
  await ingestScans(buildBatch(1, drawScan), bindings, NOW_MS);

  const scansPerBatch = WINDOWS_PER_BATCH * SCANS_PER_WINDOW;
  const elapsedMs = times.reduce((sum, ms) => sum + ms, 0);
  const perSecond = (BATCHES * scansPerBatch * 1_000) / elapsedMs;
  console.table([
    {
      ingest: `${BATCHES} batches of ${scansPerBatch}`,
      "scans/s": Math.round(perSecond),
      "batch, ms": (elapsedMs / BATCHES).toFixed(0),
      [`statements, 1 and ${WINDOWS_PER_BATCH} messages`]: `${statementsMax} and ${statementsOfLargest}`,
      [`≥ ${SCANS_PER_SECOND_MIN}/s`]: formatVerdict(perSecond >= SCANS_PER_SECOND_MIN),
    },
  ]);
}

function buildBatch(windows: number, drawScan: () => Scan): MessageBatch<Window<ScanFacts>> {
  return asBatch(
    Array.from({ length: windows }, () => packWindow(Array.from({ length: SCANS_PER_WINDOW }, drawScan))),
  );
}

function asBatch(windows: readonly Window<ScanFacts>[]): MessageBatch<Window<ScanFacts>> {
  const retry = () => {
    throw new Error("the batch was not counted");
  };
  const messages = windows.map((body) => ({ body, attempts: 1, retry }));
  return { queue: "scans", messages, ackAll() {} } as unknown as MessageBatch<Window<ScanFacts>>;
}

/** Builds a scan at a random time within an hour, or within a day if `fromMs` is the start of a day. */
function buildScan({ workspace }: Tenant, linkId: string, fromMs: number): Scan {
  const lengthMs = fromMs % DAY_MS === 0 ? DAY_MS : HOUR_MS;
  return {
    workspaceId: workspace.id,
    linkId,
    shortCode: "abcdefg",
    destination: "https://example.com/some/page",
    scannedAtMs: Math.floor(fromMs + random() * lengthMs),
    rule: null,
    ...drawVisitor(),
  };
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
