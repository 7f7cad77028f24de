import { describe, expect, test, vi } from "vitest";
import { timeseriesQuery } from "../../src/analytics/analytics.schema.ts";
import { parseQuery, readPoints } from "../../src/analytics/analytics.ts";
import { formatDay } from "../../src/analytics/buckets.ts";
import type { ScanCounts, ScanFilter } from "../../src/analytics/counts.ts";
import { type FactQuery, readFacts } from "../../src/analytics/facts-reader.ts";
import {
  DAYS_KEPT,
  getFirstFactsMs,
  getFirstMonthKept,
  requireDays,
  requireFacts,
  requireWholeMonths,
} from "../../src/analytics/retention.ts";
import { CostRecorder } from "../../src/analytics/scan-costs.ts";
import { buildScanDeliveries } from "../../src/analytics/scan-deliveries.ts";
import { ApiError } from "../../src/core/error.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../src/core/time.ts";
import type { Database } from "../../src/db/database.ts";

/** Limits of analytics, each just inside and just outside, with a fixed clock. */

const NOW_MS = Date.UTC(2026, 10, 22, 12, 34);
const TODAY_MS = Date.UTC(2026, 10, 22);

/** Returns the message of the `VALIDATION_ERROR` that a call throws, or null. */
function findFault(call: () => unknown): string | null {
  try {
    call();
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

test("a time zone is looked up by a name of at most 64 characters", () => {
  const findFaults = (length: number) =>
    timeseriesQuery
      .safeParse({ interval: "day", time_zone: "x".repeat(length) })
      .error?.issues.map(({ code }) => code);
  expect([findFaults(64), findFaults(65)]).toEqual([["custom"], ["too_big"]]);
});

describe("a timeseries", () => {
  /** Reads a timeseries of a range without scans. Returns the number of its points, or the error. */
  async function read(interval: "hour" | "day" | "week" | "month", from_date: string, to_date: string) {
    const count = async <Result>(_: ScanFilter, query: (counts: ScanCounts) => Promise<Result>) =>
      query({ byTime: async () => [], byValue: async () => ({ items: [] }) });
    try {
      const parsed = parseQuery(NOW_MS, { from_date, to_date }, "human");
      return (await readPoints(count, parsed, interval)).points.length;
    } catch (error) {
      return (error as Error).message;
    }
  }

  const tooMany = "interval: must divide the range into at most 10000 points";

  test("has at most 10,000 points", async () => {
    const daysAfter = (days: number) => formatDay(Date.UTC(2000, 0, 3) + days * DAY_MS);
    expect(await read("day", daysAfter(0), daysAfter(9_999))).toBe(10_000);
    expect(await read("day", daysAfter(0), daysAfter(10_000))).toBe(tooMany);
    expect(await read("week", daysAfter(0), daysAfter(70_000 - 1))).toBe(10_000);
    expect(await read("week", daysAfter(0), daysAfter(70_000))).toBe(tooMany);
    // 416 days are 9,984 hours.
    expect(await read("hour", daysAfter(0), daysAfter(415))).toBe(9_984);
    expect(await read("hour", daysAfter(0), daysAfter(416))).toBe(tooMany);
  });

  test("covers the last 30 days and today by default, and at least one day", () => {
    const { days } = parseQuery(NOW_MS, {}, "human");
    expect(days).toEqual({ fromMs: TODAY_MS - 30 * DAY_MS, toMs: TODAY_MS + DAY_MS });
    const range = (from_date: string, to_date: string) =>
      findFault(() => parseQuery(NOW_MS, { from_date, to_date }, "human"));
    expect(range("2026-01-02", "2026-01-02")).toBeNull();
    expect(range("2026-01-02", "2026-01-01")).toBe("from_date: must not be after to_date");
  });
});

describe("retention", () => {
  const filterFrom = (fromMs: number, isLocal = false) => ({ fromMs, isLocal }) as ScanFilter;

  test("keeps the months of 92 days by day, and the facts of 35 days including today", () => {
    expect(DAYS_KEPT).toBe(92);
    expect(getFirstFactsMs(NOW_MS)).toBe(TODAY_MS - 34 * DAY_MS);
    expect(getFirstFactsMs(TODAY_MS)).toBe(TODAY_MS - 34 * DAY_MS);
    expect(getFirstFactsMs(TODAY_MS - 1)).toBe(TODAY_MS - 35 * DAY_MS);
    // 91 days before 1 December are 1 September.
    const months = (timeMs: number) => getFirstMonthKept(timeMs) - 2026 * 12 + 1;
    expect(months(Date.UTC(2026, 11, 1))).toBe(9);
    expect(months(Date.UTC(2026, 11, 1) - 1)).toBe(8);
  });

  test("allows queries by day from the first day of the oldest month", () => {
    const firstMs = Date.UTC(2026, 7, 1);
    expect(findFault(() => requireDays("interval", filterFrom(firstMs), NOW_MS))).toBeNull();
    expect(findFault(() => requireDays("interval", filterFrom(firstMs - 1), NOW_MS))).toBe(
      "interval: is possible from 2026-08-01; earlier data is only available by UTC day",
    );
    expect(findFault(() => requireDays("interval", filterFrom(firstMs - 1, true), NOW_MS))).toContain(
      "2026-08-02",
    );
  });

  test("allows filters from the day of the oldest facts", () => {
    const firstMs = TODAY_MS - 34 * DAY_MS;
    expect(findFault(() => requireFacts("country", filterFrom(firstMs), NOW_MS))).toBeNull();
    expect(findFault(() => requireFacts("country", filterFrom(firstMs - 1), NOW_MS))).toContain(
      "country: needs a from_date of 2026-10-19 or later, because filters only cover the last 35 days",
    );
  });

  test("only allows whole months before that", () => {
    const fault = (from: string, to: string) =>
      findFault(() => requireWholeMonths({ fromMs: Date.parse(from), toMs: Date.parse(to) }, NOW_MS));
    expect(fault("2026-08-01", "2026-08-02")).toBeNull();
    expect(fault("2026-07-31", "2026-09-02")).toMatch(
      /^from_date: must be 2026-08-01 or later, or the first day/,
    );
    expect(fault("2026-07-01", "2026-07-31")).toMatch(
      /^to_date: must be 2026-08-01 or later, or the last day/,
    );
    expect(fault("2026-07-01", "2026-08-01")).toBeNull();
  });
});

test("costs are written every 10 seconds, and again after a failure", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const written: number[] = [];
  let fails = false;
  const run = async (scans: number) => {
    written.push(scans);
    if (fails) throw new Error("down");
    return { meta: { rows_written: 1 } };
  };
  const d1 = {
    prepare: () => ({ bind: (_day: number, scans: number) => ({ run: () => run(scans) }) }),
  } as unknown as D1Database;
  const recorder = new CostRecorder();
  await recorder.record(d1, { scans: 1 }, NOW_MS);
  await recorder.record(d1, { scans: 2 }, NOW_MS + 10 * SECOND_MS - 1);
  expect(written).toEqual([1]);
  fails = true;
  await recorder.record(d1, { scans: 4 }, NOW_MS + 10 * SECOND_MS);
  expect(String(log.mock.calls[0]?.[0])).toContain("the costs of scans could not be written");
  fails = false;
  await recorder.record(d1, {}, NOW_MS + HOUR_MS);
  expect(written).toEqual([1, 6, 6]);
  vi.restoreAllMocks();
});

test.each([
  [{ bytes: 4_000_000, count: 20_000 }, null],
  [{ bytes: 4_000_001, count: 1 }, "days: matches too many scans "],
  [{ bytes: 1, count: 20_001 }, "days: matches too many scans "],
])("facts of the size %j are read or rejected: %s", async (size, expected) => {
  let reads = 0;
  const db = { all: async () => (reads++ === 0 ? [size] : []) } as unknown as Database;
  const query = {
    series: { owner: "00", item: "00" },
    filter: { fromMs: NOW_MS, toMs: NOW_MS + DAY_MS },
    dimensions: [],
    field: "days",
    take() {},
  } as unknown as FactQuery;
  const fault = await readFacts(db, query).then(
    () => null,
    (error: Error) => error.message,
  );
  expect(fault?.slice(0, 29) ?? null).toBe(expected);
});

test("a statement writes the events of at most 1,000 scans, and all windows' events are written", async () => {
  const workspaceId = "01a1fd70-f1c0-7c3b-9f6e-2b8f3c1d4e5f";
  const prepare = (text: string) => ({
    bind: (...params: unknown[]) => ({ text, params, raw: async () => [[workspaceId]] }),
  });
  /** Returns the numbers of the scans in each statement for events. */
  const listSteps = async (...counts: number[]) => {
    const slices = counts.map((count, index) => ({
      id: `part-${index}`,
      location: { shard: 0, plan: "pro" },
      groups: [{ facts: { workspaceId }, timesMs: Array<number>(count).fill(NOW_MS) }],
    }));
    const d1 = { prepare } as unknown as D1Database;
    const statements = (await buildScanDeliveries(d1, slices as never, NOW_MS)) as unknown as {
      text: string;
      params: unknown[];
    }[];
    return statements
      .filter(({ text }) => /^insert into "webhook_events"/i.test(text.trim()))
      .map(({ params }) => {
        const groups = params.find((param) => String(param).startsWith('[{"partId"'));
        return (JSON.parse(String(groups)) as { times: string[] }[]).map(({ times }) => times.length);
      });
  };
  expect(await listSteps(400, 600)).toEqual([[400, 600]]);
  expect(await listSteps(400, 601)).toEqual([[400], [601]]);
});
