import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  countBuckets,
  fillPoints,
  formatDay,
  INTERVALS,
  type Interval,
  parseRange,
  splitWholeMonths,
  startMonth,
} from "../../src/analytics/buckets.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/time.ts";
import { chooseRuns } from "../support/runs.ts";

/** Returns the start of each bucket, as its date. */
const listDates = (interval: Interval, from: string, to: string) =>
  fillPoints(interval, parseRange(from, to), []).map(({ date }) => date);

describe("fillPoints returns the buckets of a range:", () => {
  test.each<[string, Interval, string, string, string[]]>([
    ["one day", "day", "2026-11-21", "2026-11-21", ["2026-11-21"]],
    ["a leap day", "day", "2024-02-28", "2024-03-01", ["2024-02-28", "2024-02-29", "2024-03-01"]],
    ["a February without a leap day", "day", "2026-02-28", "2026-03-01", ["2026-02-28", "2026-03-01"]],
    ["a century year without a leap day", "day", "2100-02-28", "2100-03-01", ["2100-02-28", "2100-03-01"]],
    ["the end of a year", "day", "2025-12-31", "2026-01-01", ["2025-12-31", "2026-01-01"]],
    ["a week from Monday to Sunday", "week", "2026-11-16", "2026-11-22", ["2026-11-16"]],
    ["a week, dated by its Monday", "week", "2026-11-22", "2026-11-23", ["2026-11-16", "2026-11-23"]],
    ["a week over the end of a year", "week", "2026-01-01", "2026-01-04", ["2025-12-29"]],
    ["a week before 1970", "week", "1969-12-28", "1970-01-01", ["1969-12-22", "1969-12-29"]],
    ["the week of year 1, month 1, day 1", "week", "0001-01-01", "0001-01-07", ["0001-01-01"]],
    ["a month, dated by its first day", "month", "2026-01-31", "2026-02-01", ["2026-01-01", "2026-02-01"]],
    [
      "months over the end of a year",
      "month",
      "2025-11-30",
      "2026-01-01",
      ["2025-11-01", "2025-12-01", "2026-01-01"],
    ],
    ["months of the first century", "month", "0099-12-31", "0100-01-01", ["0099-12-01", "0100-01-01"]],
  ])("%s", (_, interval, from, to, expected) => {
    expect(listDates(interval, from, to)).toEqual(expected);
  });

  test("the 24 hours of a day", () => {
    const hours = listDates("hour", "2026-03-29", "2026-03-29");
    expect(hours).toHaveLength(24);
    expect(hours[0]).toBe("2026-03-29T00:00:00Z");
    expect(hours[23]).toBe("2026-03-29T23:00:00Z");
  });
});

const day = fc.integer({ min: -30_000, max: 60_000 });
const range = fc
  .tuple(day, fc.integer({ min: 1, max: 400 }))
  .map(([from, days]) => ({ fromMs: from * DAY_MS, toMs: (from + days) * DAY_MS }));
const interval = fc.constantFrom(...INTERVALS);

describe("for any range", () => {
  test("fillPoints returns distinct points in ascending order, and countBuckets their number", () => {
    fc.assert(
      fc.property(interval, range, (interval, days) => {
        const found = fillPoints(interval, days, []).map(({ date }) => date);
        expect(found).toHaveLength(countBuckets(interval, days));
        expect(found).toEqual([...new Set(found)].sort());
      }),
      { numRuns: chooseRuns(30, 100) },
    );
  });

  test("fillPoints keeps the sum of the scans at every interval", () => {
    fc.assert(
      fc.property(range, fc.array(fc.tuple(fc.nat(), fc.nat(1_000)), { maxLength: 50 }), (days, drawn) => {
        const hours = (days.toMs - days.fromMs) / HOUR_MS;
        const tallies = drawn.map(([hour, scans]) => ({
          startMs: days.fromMs + (hour % hours) * HOUR_MS,
          scans,
        }));
        const sum = tallies.reduce((total, { scans }) => total + scans, 0);
        for (const interval of INTERVALS) {
          expect(fillPoints(interval, days, tallies).reduce((total, { scans }) => total + scans, 0)).toBe(
            sum,
          );
        }
      }),
      { numRuns: chooseRuns(30, 100) },
    );
  });

  test("splitWholeMonths covers each day of the range exactly once", () => {
    fc.assert(
      fc.property(range, (days) => {
        const { fromMonth, toMonth, before, after } = splitWholeMonths(days);
        const getMonthStart = (month: number) => Date.UTC(Math.floor(month / 12), month % 12, 1);
        expect(before.fromMs).toBe(days.fromMs);
        expect(after.toMs).toBe(days.toMs);
        if (fromMonth === toMonth) expect([before.toMs, after.fromMs]).toEqual([days.toMs, days.toMs]);
        else expect([before.toMs, after.fromMs]).toEqual([getMonthStart(fromMonth), getMonthStart(toMonth)]);
      }),
    );
  });
});

test.each([
  ["2026-11-01", "2026-11-30", ["2026-11"]],
  ["2026-11-02", "2026-11-30", []],
  ["2026-11-01", "2026-11-29", []],
  ["2026-10-31", "2026-12-01", ["2026-11"]],
  ["2025-11-30", "2026-02-28", ["2025-12", "2026-01", "2026-02"]],
  ["2026-11-05", "2026-11-20", []],
])("the whole months from %s to %s are %j", (from, to, expected) => {
  const days = parseRange(from, to);
  const { fromMonth, toMonth, before, after } = splitWholeMonths(days);
  const months = Array.from({ length: toMonth - fromMonth }, (_, index) =>
    formatDay(startMonth(fromMonth + index)).slice(0, 7),
  );
  expect(months).toEqual(expected);
  expect(before.toMs).toBeLessThanOrEqual(after.fromMs);
  expect(before.toMs).toBeLessThanOrEqual(days.toMs);
});
