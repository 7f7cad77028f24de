import { describe, expect, test } from "vitest";
import type { VisitorCount } from "../../src/analytics/visitor-count.ts";
import {
  drawSparkline,
  moveCursor,
  pickLines,
  pickTicks,
} from "../../src/dashboard/components/chart/chart-scale.ts";
import { formatDays, formatPoint, formatTick } from "../../src/dashboard/reports/point-names.ts";
import { clearFilters, hasValues, readScanFilters } from "../../src/dashboard/reports/scan-filters.ts";
import {
  averagePerDay,
  compareCounts,
  findPeak,
  formatChange,
  formatVisitors,
  splitPoints,
  sumScans,
  sumVisitors,
  toSeriesQuery,
} from "../../src/dashboard/reports/scan-series.ts";
import {
  addDays,
  countDays,
  findDay,
  isDay,
  isLocalBreakdown,
  readRange,
  toBreakdownDays,
} from "../../src/dashboard/reports/shown-range.ts";
import { nameValue } from "../../src/dashboard/reports/value-names.ts";

const NOW = "2026-11-22T10:30:00Z";
const nowMs = Date.parse(NOW);
const read = (query: string, { zone = "Europe/Berlin", isFiltered = false, at = nowMs } = {}) =>
  readRange(query, { nowMs: at, zone, isFiltered });

describe("the range in the URL", () => {
  test.each([
    ["", "30d", "2026-10-24", "2026-11-22", "2026-09-24", "2026-10-23", "day", "Europe/Berlin"],
    ["range=nonsense", "30d", "2026-10-24", "2026-11-22", "2026-09-24", "2026-10-23", "day", "Europe/Berlin"],
    ["range=7d", "7d", "2026-11-16", "2026-11-22", "2026-11-09", "2026-11-15", "day", "Europe/Berlin"],
    ["range=24h", "24h", "2026-11-21", "2026-11-22", "2026-11-20", "2026-11-21", "hour", "Europe/Berlin"],
    ["range=90d", "90d", "2026-08-25", "2026-11-22", "2026-05-27", "2026-08-24", "day", "UTC"],
    [
      "range=custom&from=2026-11-03&to=2026-11-01",
      "custom",
      "2026-11-01",
      "2026-11-03",
      "2026-10-29",
      "2026-10-31",
      "day",
      "Europe/Berlin",
    ],
    [
      "range=custom&from=2026-11-20&to=2027-01-01",
      "custom",
      "2026-11-20",
      "2026-11-22",
      "2026-11-17",
      "2026-11-19",
      "day",
      "Europe/Berlin",
    ],
    [
      "range=custom&from=2026-02-30&to=2026-03-02",
      "30d",
      "2026-10-24",
      "2026-11-22",
      "2026-09-24",
      "2026-10-23",
      "day",
      "Europe/Berlin",
    ],
    ["range=custom", "30d", "2026-10-24", "2026-11-22", "2026-09-24", "2026-10-23", "day", "Europe/Berlin"],
    [
      "range=custom&from=1900-01-01&to=2026-11-22",
      "custom",
      "2016-11-25",
      "2026-11-22",
      "2006-11-28",
      "2016-11-24",
      "month",
      "UTC",
    ],
    [
      "range=custom&from=2025-11-23&to=2026-11-22",
      "custom",
      "2025-11-23",
      "2026-11-22",
      "2024-11-23",
      "2025-11-22",
      "week",
      "UTC",
    ],
  ])("%o", (query, preset, from, to, beforeFrom, beforeTo, interval, zone) => {
    expect(read(query)).toMatchObject({
      preset,
      days: { from, to },
      before: { from: beforeFrom, to: beforeTo },
      interval,
      zone,
      isShortened: false,
    });
  });

  test("today follows the time zone, and dates far back use UTC", () => {
    const at = Date.parse("2026-11-22T11:30:00Z");
    expect(read("", { zone: "Pacific/Auckland", at }).days.to).toBe("2026-11-23");
    expect(read("range=90d", { zone: "Pacific/Auckland", at }).days.to).toBe("2026-11-22");
    expect(read("", { zone: "America/Los_Angeles", at: Date.parse("2026-11-22T03:00:00Z") }).days.to).toBe(
      "2026-11-21",
    );
  });

  test.each([
    // 45 days and the 45 before reach back 90 days, which are kept in any time zone.
    ["2026-10-09", "Europe/Berlin"],
    ["2026-10-08", "UTC"],
  ])("a range from %s has days of %s", (from, zone) => {
    expect(read(`range=custom&from=${from}&to=2026-11-22`).zone).toBe(zone);
  });

  test.each([
    ["range=30d&interval=week", "week"],
    ["range=30d&interval=month", "day"],
    ["range=7d&interval=hour", "hour"],
    ["range=30d&interval=hour", "day"],
    ["range=24h&interval=day", "hour"],
    ["range=90d&interval=month", "month"],
  ])("%s has points of a %s", (query, interval) => {
    expect(read(query).interval).toBe(interval);
  });

  test.each([
    [1, ["hour", "day"]],
    [14, ["hour", "day", "week"]],
    [15, ["day", "week"]],
    [13, ["hour", "day"]],
    [59, ["day", "week"]],
    [60, ["day", "week", "month"]],
    [366, ["day", "week", "month"]],
    [367, ["week", "month"]],
  ])("%i days have points of %o", (length, intervals) => {
    const from = addDays("2026-11-22", 1 - length);
    expect(read(`range=custom&from=${from}&to=2026-11-22`).intervals).toEqual(intervals);
  });

  test.each([
    [100, "day"],
    [101, "week"],
    [730, "week"],
    [731, "month"],
  ])("%i days have points of a %s by default", (length, interval) => {
    const from = addDays("2026-11-22", 1 - length);
    expect(read(`range=custom&from=${from}&to=2026-11-22`).interval).toBe(interval);
  });

  test("filters look back 33 days", () => {
    const of = (query: string) => read(query, { isFiltered: true });
    expect(of("range=90d")).toMatchObject({
      days: { from: "2026-10-21", to: "2026-11-22" },
      before: null,
      isShortened: true,
      zone: "Europe/Berlin",
    });
    expect(of("range=30d")).toMatchObject({ days: { from: "2026-10-24" }, before: null, isShortened: false });
    expect(of("range=7d").before).toEqual({ from: "2026-11-09", to: "2026-11-15" });
    expect(of("range=custom&from=2026-10-21&to=2026-11-22").isShortened).toBe(false);
    expect(of("range=custom&from=2026-10-20&to=2026-11-22").isShortened).toBe(true);
  });

  test.each([
    ["2026-11-22", true],
    ["2026-02-29", false],
    ["2026-1-1", false],
    ["20261122", false],
    ["2026-13-01", false],
  ])("%s is a day: %o", (text, isTrue) => {
    expect(isDay(text)).toBe(isTrue);
  });

  test("days are counted correctly when clocks change", () => {
    expect(countDays({ from: "2026-03-28", to: "2026-03-30" })).toBe(3);
    expect(addDays("2026-02-28", 1)).toBe("2026-03-01");
    expect(findDay(Date.parse("2026-11-21T23:30:00Z"), "Europe/Berlin")).toBe("2026-11-22");
  });

  test.each([
    // 92 days before, with today, are kept by day.
    ["2026-08-23", "2026-11-22", false, "2026-08-23", "2026-11-22"],
    ["2026-08-22", "2026-11-22", false, "2026-08-01", "2026-11-22"],
    ["2026-02-10", "2026-02-20", false, "2026-02-01", "2026-02-28"],
    ["2026-02-10", "2026-02-20", true, "2026-02-10", "2026-02-20"],
    ["2026-05-10", "2026-08-23", false, "2026-05-01", "2026-08-23"],
  ])("a breakdown of %s to %s (exact: %o) has %s to %s", (from, to, isExact, first, last) => {
    expect(toBreakdownDays({ from, to }, "2026-11-22", isExact)).toEqual({ from: first, to: last });
  });

  test("local breakdowns reach as far back as filters", () => {
    expect(isLocalBreakdown({ from: "2026-10-21", to: "2026-11-22" }, "2026-11-22")).toBe(true);
    expect(isLocalBreakdown({ from: "2026-10-20", to: "2026-11-22" }, "2026-11-22")).toBe(false);
  });
});

/** Builds points of consecutive days, with the counts given. */
const days = (from: string, ...counts: number[]) =>
  counts.map((scans, index) => ({ date: addDays(from, index), scans }));

describe("points", () => {
  test("one query covers the range and the previous period", () => {
    expect(toSeriesQuery(read("range=7d"))).toEqual({
      interval: "day",
      from_date: "2026-11-09",
      to_date: "2026-11-22",
      time_zone: "Europe/Berlin",
    });
    expect(toSeriesQuery(read("range=90d&interval=month"))).toEqual({
      interval: "day",
      from_date: "2026-05-27",
      to_date: "2026-11-22",
    });
    expect(toSeriesQuery(read("range=30d", { isFiltered: true })).from_date).toBe("2026-10-24");
  });

  test("days are split", () => {
    const range = read("range=custom&from=2026-11-21&to=2026-11-22");
    const { points, before } = splitPoints(days("2026-11-19", 1, 2, 3, 4), range, nowMs);
    expect(points).toEqual(days("2026-11-21", 3, 4));
    expect(before).toEqual(days("2026-11-19", 1, 2));
    expect(splitPoints(days("2026-11-21", 3, 4), { ...range, before: null }, nowMs).before).toBeNull();
  });

  test("hours that have not begun are omitted, also from the previous period", () => {
    const range = read("range=custom&from=2026-11-22&to=2026-11-22&interval=hour");
    const hours = ["21", "22"].flatMap((day) =>
      Array.from({ length: 24 }, (_, hour) => ({
        date: `2026-11-${day}T${String(hour).padStart(2, "0")}:00:00+01:00`,
        scans: 1,
      })),
    );
    const { points, before } = splitPoints(hours, range, nowMs);
    // It is 11:30 in Berlin.
    expect(points.at(-1)?.date).toBe("2026-11-22T11:00:00+01:00");
    expect([points.length, before?.length]).toEqual([12, 12]);
    const begins = splitPoints(hours, range, Date.parse("2026-11-22T11:00:00+01:00"));
    expect(begins.points).toHaveLength(12);
  });

  test("24 hours end now", () => {
    const range = read("range=24h");
    const hours = Array.from({ length: 72 }, (_, hour) => ({
      date: new Date(Date.parse("2026-11-20T00:00:00+01:00") + hour * 3_600_000).toISOString(),
      scans: hour,
    }));
    const { points, before } = splitPoints(hours, range, nowMs);
    expect([points.length, points.at(-1)?.date]).toEqual([24, "2026-11-22T10:00:00.000Z"]);
    expect([before?.length, before?.at(-1)?.date]).toEqual([24, "2026-11-21T10:00:00.000Z"]);
    expect(splitPoints(hours, { ...range, before: null }, nowMs).before).toBeNull();
  });

  test("weeks and months are summed from days", () => {
    // 9 November 2026 is a Monday.
    const range = read("range=custom&from=2026-11-09&to=2026-11-22&interval=week");
    const all = days("2026-10-26", ...Array.from({ length: 28 }, (_, index) => index + 1));
    expect(splitPoints(all, range, nowMs)).toEqual({
      points: [
        { date: "2026-11-09", scans: 126 },
        { date: "2026-11-16", scans: 175 },
      ],
      before: [
        { date: "2026-10-26", scans: 28 },
        { date: "2026-11-02", scans: 77 },
      ],
    });
    const { before, ...months } = splitPoints(all, { ...range, interval: "month", before: null }, nowMs);
    expect([before, months.points]).toEqual([null, [{ date: "2026-11-01", scans: 301 }]]);
  });

  test("visitors are summed from days, and are an estimate if one of the days is", () => {
    const range = read("range=custom&from=2026-11-09&to=2026-11-22&interval=week");
    const visitors = (count: number, isEstimated = false) => ({ visitors: { count, isEstimated } });
    const all = days("2026-11-16", 9, 20_000, 3).map((point, index) => ({
      ...point,
      ...[visitors(7), visitors(15_000, true), visitors(3)][index],
    }));
    const [, week] = splitPoints(all, range, nowMs).points;
    expect(week).toEqual({ date: "2026-11-16", scans: 20_012, ...visitors(15_010, true) });
    const [seven, , three] = all;
    expect(formatVisitors(sumVisitors(all) as VisitorCount)).toBe("about 15,010");
    expect(formatVisitors(sumVisitors([seven, three].flatMap((day) => day ?? [])) as VisitorCount)).toBe(
      "10",
    );
    expect(sumVisitors(days("2026-11-16", 1))).toBeNull();
  });

  test("sum, peak and average", () => {
    const points = days("2026-11-19", 1, 5, 5, 0);
    expect(sumScans(points)).toBe(11);
    expect(findPeak(points)).toEqual({ date: "2026-11-20", scans: 5 });
    expect(findPeak(days("2026-11-19", 0, 0))).toBeNull();
    expect(averagePerDay(points, { from: "2026-11-19", to: "2026-11-22" })).toBe(2.75);
  });

  test.each([
    [112, 100, "12%", "up"],
    [50, 100, "50%", "down"],
    [0, 100, "100%", "down"],
    [7, 7, "No change", "same"],
    [1001, 1000, "<1%", "up"],
    [1010, 1000, "1%", "up"],
    [31_000, 1_000, "3,000%", "up"],
  ])("%i after %i is %s, %s", (now, before, text, direction) => {
    const change = compareCounts(now, before);
    expect(change && [formatChange(change), change.direction]).toEqual([text, direction]);
  });

  test("a count is not compared with a period without scans", () => {
    expect(compareCounts(1, 0)).toBeNull();
  });
});

describe("filters", () => {
  test.each([
    ["", { traffic: "human", values: {} }, false],
    ["traffic=bot", { traffic: "bot", values: {} }, false],
    ["traffic=none&country=DE", { traffic: "human", values: { country: "DE" } }, true],
    ["rule=%231&device=+mobile+&os=", { traffic: "human", values: { rule: "#1", device: "mobile" } }, true],
    ["search=x", { traffic: "human", values: {} }, false],
  ])("%o", (query, filters, isSet) => {
    expect(readScanFilters(query)).toEqual(filters);
    expect(hasValues(readScanFilters(query))).toBe(isSet);
  });

  test("all can be removed", () => {
    expect(Object.keys(clearFilters())).toHaveLength(14);
    expect(clearFilters()).toMatchObject({ country: null, rule: null, traffic: null });
  });
});

describe("names", () => {
  test.each([
    ["country", "DE", "Germany", "DE"],
    ["country", "unknown", "Unknown", null],
    ["country", "other", "Other", null],
    ["region", "US-CA", "United States, CA", "US"],
    ["region", "unknown", "Unknown", null],
    ["language", "fr-CA", "Canadian French", null],
    ["language", "unknown", "Unknown", null],
    ["language", "x-nonsense", "x-nonsense", null],
    ["device", "mobile", "Phone", null],
    ["device", "unknown", "Unknown", null],
    ["os", "macos", "macOS", null],
    ["browser", "samsung", "Samsung Internet", null],
    ["referrer", "direct", "Direct (no referrer)", null],
    ["referrer", "unknown", "unknown", null],
    ["referrer", "other", "Other", null],
    ["source", "qr", "QR code", null],
    ["utm_source", "none", "None", null],
    ["utm_campaign", "unknown", "unknown", null],
    ["utm_campaign", "other", "Other", null],
    ["rule", "default", "Default destination", null],
    ["rule", "#1", "#1", null],
    ["traffic", "preview", "Link previews", null],
  ] as const)("%s %s is %s", (dimension, value, text, country) => {
    expect(nameValue(dimension, value)).toEqual({ text, country });
  });

  test.each([
    ["2026-11-22", "day", "Sun, 22 Nov 2026", "22 Nov"],
    ["2026-11-16", "week", "Week of 16 Nov 2026", "16 Nov"],
    ["2026-11-01", "month", "November 2026", "Nov 26"],
    ["2026-11-22T09:00:00+01:00", "hour", "Sun, 22 Nov 2026, 09:00", "22 Nov"],
  ] as const)("%s of a %s", (date, interval, full, short) => {
    expect(formatPoint(date, interval)).toBe(full);
    expect(formatTick(date, interval, false)).toBe(short);
  });

  test("hours of a day are distinguished by their time", () => {
    expect(formatTick("2026-11-22T09:00:00+01:00", "hour", true)).toBe("09:00");
    expect(formatTick("2026-11-22", "day", true)).toBe("22 Nov");
  });

  test.each([
    ["2026-11-22", "2026-11-22", "22 Nov 2026"],
    ["2026-11-03", "2026-11-22", "3–22 Nov 2026"],
    ["2026-10-03", "2026-11-22", "3 Oct – 22 Nov 2026"],
    ["2025-12-30", "2026-01-02", "30 Dec 2025 – 2 Jan 2026"],
    ["2025-11-30", "2026-11-02", "30 Nov 2025 – 2 Nov 2026"],
  ])("%s to %s is %s", (from, to, text) => {
    expect(formatDays({ from, to })).toBe(text);
  });
});

describe("scales of charts", () => {
  test.each([
    [0, [0, 1, 2]],
    [1, [0, 1, 2]],
    [3, [0, 1, 2, 3]],
    [4, [0, 1, 2, 3, 4]],
    [5, [0, 2, 4, 6]],
    [8, [0, 2, 4, 6, 8]],
    [9, [0, 5, 10]],
    [41, [0, 20, 40, 60]],
    [150, [0, 50, 100, 150]],
    [1_000_000, [0, 500_000, 1_000_000]],
  ])("a count of %i has the lines %o", (max, lines) => {
    expect(pickLines(max)).toEqual(lines);
  });

  test.each([
    [1, 800, [0]],
    [7, 800, [0, 1, 2, 3, 4, 5, 6]],
    [30, 760, [2, 5, 8, 11, 14, 17, 20, 23, 26, 29]],
    [24, 300, [7, 15, 23]],
    [10, 10, [9]],
    [0, 800, []],
    [4_000, 76, [3_999]],
  ])("%i points in %i pixels have dates at %o", (count, width, ticks) => {
    expect(pickTicks(count, width, 76)).toEqual(ticks);
  });

  test.each([
    ["ArrowRight", null, 9],
    ["ArrowLeft", null, 9],
    ["ArrowRight", 3, 4],
    ["ArrowUp", 9, 9],
    ["ArrowLeft", 3, 2],
    ["ArrowDown", 0, 0],
    ["Home", 5, 0],
    ["End", 5, 9],
    ["PageUp", 1, 8],
    ["PageUp", 5, 9],
    ["PageDown", 8, 1],
    ["PageDown", 5, 0],
    ["x", 5, null],
  ])("%s at %o selects %o of 10", (key, index, next) => {
    expect(moveCursor(key, index, 10)).toBe(next);
  });

  test("a sparkline uses the full width, and its peak the full height", () => {
    expect(drawSparkline([0, 2, 1], 100, 50)).toBe("M0 50L50 0L100 25");
    expect(drawSparkline([0, 0], 100, 50)).toBe("M0 50L100 50");
    expect(drawSparkline([4], 100, 50)).toBe("M0 0");
  });
});
