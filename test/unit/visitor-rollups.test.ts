import { createHmac } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { ScanFilter } from "../../src/analytics/counts.ts";
import { sweepScans } from "../../src/analytics/fold-months.ts";
import { ingestScans } from "../../src/analytics/ingest.ts";
import { DAYS_KEPT } from "../../src/analytics/retention.ts";
import { createWorkspaceRollups } from "../../src/analytics/rollups.ts";
import { changeUuidTime, generateUuidv7 } from "../../src/core/id.ts";
import { DAY_MS } from "../../src/core/time.ts";
import { openDatabase } from "../../src/db/database.ts";
import type { DatabaseBindings } from "../../src/db/shards.ts";
import { formatMark } from "../../src/scans/visitor-mark.ts";
import { buildQueueBatch, buildScan, packWindow, type Scan } from "../support/scans.ts";
import { createSqliteD1 } from "../support/sqlite-d1.ts";

/** Visitors of a workspace, from the queue to the roll-ups, compared with a count of all scans. */

const WORKSPACE = "019aa5a8-5d2c-7000-9f6e-000000000001";
const BUSY = "019aa5a8-5d2c-7001-9f6e-000000000001";
const QUIET = "019aa5a8-5d2c-7001-9f6e-000000000002";
/** The last days of October and the first of November. */
const START_MS = Date.UTC(2026, 9, 26);
const DAYS = 12;
const END_MS = START_MS + DAYS * DAY_MS;

const bindings = {
  DIRECTORY: createSqliteD1("migrations/directory"),
  SHARD_0: createSqliteD1("migrations/shard"),
} as unknown as DatabaseBindings;

let seed = 1;
/** Returns the same sequence of random integers below `end` in every run. */
function draw(end: number): number {
  seed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
  return ((seed ^ (seed >>> 13)) >>> 0) % end;
}

interface VisitorScan extends Scan {
  visitor: string;
}

function drawScan(linkId: string, dayMs: number): VisitorScan {
  const scannedAtMs = dayMs + draw(DAY_MS);
  const person = draw(60);
  const country = ["DE", "FR", "IT"][person % 3] as string;
  const hash = createHmac("sha256", `${dayMs}`).update(`${person}`).digest();
  const traffic = draw(10) === 0 ? "bot" : "human";
  const visitor = traffic === "human" ? formatMark(hash) : "";
  const referrer = [null, "a.example", "b.example"][draw(3)] as string | null;
  // Long values fill the log several times a day.
  const rule = `rule ${person} of many for this link`;
  const scan = buildScan({ workspaceId: WORKSPACE, linkId, scannedAtMs, traffic, country, referrer, rule });
  return { ...scan, visitor };
}

const scans: VisitorScan[] = [];

beforeAll(async () => {
  await bindings.DIRECTORY.prepare(
    "INSERT INTO workspaces (id, slug, name, plan, shard, created_at) VALUES (?1, 'acme', 'Acme', 'free', 0, 0)",
  )
    .bind(WORKSPACE)
    .run();
  for (const id of [BUSY, QUIET]) {
    await bindings.SHARD_0.prepare(
      "INSERT INTO link_labels (workspace_id, label, link_id) VALUES (?1, 'both', ?2)",
    )
      .bind(WORKSPACE, id)
      .run();
  }
  for (let dayMs = START_MS; dayMs < END_MS; dayMs += DAY_MS) {
    const day = [
      ...Array.from({ length: 74 }, () => drawScan(BUSY, dayMs)),
      ...Array.from({ length: 6 }, () => drawScan(QUIET, dayMs)),
    ].sort((one, other) => one.scannedAtMs - other.scannedAtMs);
    scans.push(...day);
    for (let start = 0; start < day.length; start += 23) {
      const part = day.slice(start, start + 23);
      const window = packWindow(part);
      const timeMs = part.at(-1)?.scannedAtMs ?? dayMs;
      window.id = changeUuidTime(generateUuidv7(timeMs), timeMs);
      await ingestScans(buildQueueBatch(window), bindings, timeMs);
      // Every fourth window is delivered again.
      if (start === 0) await ingestScans(buildQueueBatch(window), bindings, timeMs);
    }
  }
  // Long, for a busy machine.
}, 60_000);

const filter = (overrides: Partial<ScanFilter> = {}): ScanFilter => ({
  fromMs: START_MS,
  toMs: END_MS,
  linkId: null,
  label: null,
  isLocal: false,
  traffic: "human",
  hasVisitors: true,
  values: new Map(),
  ...overrides,
});

const open = (nowMs = END_MS) =>
  createWorkspaceRollups({ db: openDatabase(bindings.SHARD_0), nowMs }, WORKSPACE);

/** Returns the visitors of scans by a key, each once per day and key. */
function countVisitors<Key>(
  selected: readonly VisitorScan[],
  getKey: (scan: VisitorScan) => Key,
): Map<Key, number> {
  const groups = Map.groupBy(
    selected.filter(({ traffic }) => traffic === "human"),
    getKey,
  );
  const dayOf = ({ scannedAtMs }: Scan) => Math.floor(scannedAtMs / DAY_MS);
  return new Map(
    [...groups].map(([key, group]) => [
      key,
      new Set(group.map((scan) => `${dayOf(scan)} ${scan.visitor}`)).size,
    ]),
  );
}

const ofLink = (linkId: string | null) => scans.filter((scan) => linkId === null || scan.linkId === linkId);
const startOfDay = ({ scannedAtMs }: Scan) => scannedAtMs - (scannedAtMs % DAY_MS);

describe.each([null, BUSY, QUIET])("visitors of link %s", (linkId) => {
  test("are unique by day", async () => {
    const tallies = await open().byTime("day", filter({ linkId }));
    const counted = new Map(tallies.map(({ startMs, visitors }) => [startMs, visitors?.count]));
    expect(counted).toEqual(countVisitors(ofLink(linkId), startOfDay));
  });

  test("are unique by value and in total", async () => {
    for (const by of ["country", "referrer"] as const) {
      const { items, visitors } = await open().byValue(by, 100, filter({ linkId }));
      const counted = new Map(items.map((item) => [item.value || null, item.visitors?.count]));
      expect(counted).toEqual(countVisitors(ofLink(linkId), (scan) => scan[by]));
      expect(visitors).toEqual({ count: countVisitors(ofLink(linkId), () => 0).get(0), isEstimated: false });
    }
  });

  test("are unique among the scans that a filter selects", async () => {
    const selected = ofLink(linkId).filter(({ country }) => country === "FR");
    const values = new Map([["country", "FR"]] as const);
    const tallies = await open().byTime("day", filter({ linkId, values }));
    const counted = new Map(tallies.map(({ startMs, visitors }) => [startMs, visitors?.count]));
    expect(counted).toEqual(countVisitors(selected, startOfDay));
    const { items } = await open().byValue("referrer", 100, filter({ linkId, values }));
    const byReferrer = new Map(items.map((item) => [item.value || null, item.visitors?.count]));
    expect(byReferrer).toEqual(countVisitors(selected, ({ referrer }) => referrer));
  });

  test("count at their first scan of a UTC day, for days in other time zones", async () => {
    const tallies = await open().byTime("quarter", filter({ linkId, isLocal: true }));
    const firsts = new Map<string, number>();
    for (const scan of ofLink(linkId).filter(({ traffic }) => traffic === "human")) {
      const id = `${startOfDay(scan)} ${scan.visitor}`;
      firsts.set(id, Math.min(firsts.get(id) ?? Infinity, scan.scannedAtMs - (scan.scannedAtMs % 900_000)));
    }
    const expected = new Map<number, number>();
    for (const quarter of firsts.values()) expected.set(quarter, (expected.get(quarter) ?? 0) + 1);
    const counted = tallies.map(({ startMs, visitors }) => [startMs, visitors?.count] as const);
    expect(new Map(counted.filter(([, count]) => count !== 0))).toEqual(expected);
  });
});

test("visitors of several links with a label count once a day", async () => {
  const tallies = await open().byTime("day", filter({ label: "both" }));
  const counted = new Map(tallies.map(({ startMs, visitors }) => [startMs, visitors]));
  const expected = [...countVisitors(scans, startOfDay)].map(([startMs, count]) => [
    startMs,
    { count, isEstimated: false },
  ]);
  expect(counted).toEqual(new Map(expected as [number, object][]));
  const { items, visitors } = await open().byValue("link", 100, filter({ label: "both" }));
  expect(visitors).toEqual({ count: countVisitors(scans, () => 0).get(0), isEstimated: false });
  const byLink = new Map(items.map((item) => [item.value, item.visitors?.count]));
  expect(byLink).toEqual(countVisitors(scans, ({ linkId }) => linkId));
  // Values are added up, so visitors of both links count twice.
  const { items: countries } = await open().byValue("country", 100, filter({ label: "both" }));
  expect(countries.map((item) => item.visitors?.isEstimated)).toEqual([true, true, true]);
});

test("a breakdown by link has the visitors of each link", async () => {
  const { items } = await open().byValue("link", 100, filter());
  const counted = new Map(items.map(({ value, visitors }) => [value, visitors?.count]));
  expect(counted).toEqual(countVisitors(scans, ({ linkId }) => linkId));
});

test("only the marks of the last days and of quiet links are stored, and not the values of their visitors", async () => {
  const { results } = await bindings.SHARD_0.prepare(
    "SELECT length(item) AS size, count(*) AS days FROM scan_days WHERE octet_length(visitors) > 0 GROUP BY size",
  ).all<{ size: number; days: number }>();
  const bySize = new Map(results.map(({ size, days }) => [size, days]));
  expect(bySize.get(16)).toBe(DAYS);
  expect(bySize.get(1)).toBeLessThanOrEqual(3);
});

test("the logs of a finished month are empty after the first moves of the next month", async () => {
  const { results } = await bindings.SHARD_0.prepare(
    "SELECT month, sum(log = '') AS empty, count(*) AS count FROM scan_months GROUP BY month ORDER BY month",
  ).all<{ empty: number; count: number }>();
  expect(results[0]).toMatchObject({ empty: 3, count: 3 });
});

test("folded months keep the visitors by day and by value", async () => {
  const nowMs = END_MS + (DAYS_KEPT + 40) * DAY_MS;
  await sweepScans(bindings.SHARD_0, nowMs);
  const left = await bindings.SHARD_0.prepare("SELECT count(*) AS count FROM scan_months").first("count");
  expect(left).toBe(0);
  const tallies = await open(nowMs).byTime("day", filter());
  const counted = new Map(tallies.map(({ startMs, visitors }) => [startMs, visitors?.count]));
  expect(counted).toEqual(countVisitors(scans, startOfDay));
  const months = { fromMs: Date.UTC(2026, 9, 1), toMs: Date.UTC(2026, 11, 1) };
  const { items } = await open(nowMs).byValue("country", 100, filter(months));
  expect(new Map(items.map(({ value, visitors }) => [value, visitors?.count]))).toEqual(
    countVisitors(scans, ({ country }) => country),
  );
});
