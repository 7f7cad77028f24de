import { expect, test } from "vitest";
import { parseRange } from "../../src/analytics/buckets.ts";
import {
  fillLocalPoints,
  findZone,
  toUtcRange,
  UTC_CLOCK,
  type ZoneClock,
} from "../../src/analytics/time-zone.ts";

const zone = (name: string) => findZone(name) as ZoneClock;
const HOUR_MS = 3_600_000;

test.each([
  ["UTC", "2026-07-01T00:00:00Z", 0],
  ["Europe/Berlin", "2026-07-01T00:00:00Z", 2],
  ["Europe/Berlin", "2026-12-01T00:00:00Z", 1],
  ["America/St_Johns", "2026-12-01T00:00:00Z", -3.5],
  ["Asia/Kathmandu", "2026-12-01T00:00:00Z", 5.75],
  ["Pacific/Kiritimati", "2026-12-01T00:00:00Z", 14],
])("%s is ahead of UTC at %s by %d hours", (name, time, hours) => {
  expect(zone(name).getOffsetMs(Date.parse(time))).toBe(hours * HOUR_MS);
});

test.each(["UTC", "utc", "Etc/UTC", "GMT", "Etc/GMT-0", "Zulu"])("%s is UTC", (name) => {
  expect(findZone(name)).toBe(UTC_CLOCK);
});

test.each(["", "+02:07", "-00:30", "+00:00", "Berlin", "Mars/Olympus", "__proto__", "Europe/Berlin\n"])(
  "%j is no time zone",
  (name) => {
    expect(findZone(name)).toBeNull();
  },
);

test.each([
  ["Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"],
  ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"],
  ["Asia/Kolkata", "2026-11-21", "2026-11-20T18:30:00.000Z", "2026-11-21T18:30:00.000Z"],
  // Cuba's clocks skip the hour after midnight.
  ["America/Havana", "2026-03-08", "2026-03-08T05:00:00.000Z", "2026-03-09T04:00:00.000Z"],
])("in %s, %s lasts from %s to %s", (name, date, from, to) => {
  const { fromMs, toMs } = toUtcRange(zone(name), parseRange(date, date));
  expect([fromMs, toMs].map((timeMs) => new Date(timeMs).toISOString())).toEqual([from, to]);
});

test("a day has 25 hours when clocks go back, and 23 when they go forward", () => {
  const labels = (date: string) =>
    fillLocalPoints(zone("Europe/Berlin"), "hour", parseRange(date, date), []).map((point) => point.date);
  expect(labels("2026-10-25")).toHaveLength(25);
  expect(labels("2026-10-25").slice(1, 5)).toEqual([
    "2026-10-25T01:00:00+02:00",
    "2026-10-25T02:00:00+02:00",
    "2026-10-25T02:00:00+01:00",
    "2026-10-25T03:00:00+01:00",
  ]);
  expect(labels("2026-03-29")).toHaveLength(23);
});

test("every quarter of an hour of a range is in the bucket of its local day, week and month", () => {
  const clock = zone("America/St_Johns");
  const days = parseRange("2026-10-20", "2026-11-10");
  const { fromMs, toMs } = toUtcRange(clock, days);
  const tallies = Array.from({ length: (toMs - fromMs) / 900_000 }, (_, index) => ({
    startMs: fromMs + index * 900_000,
    scans: 1,
  }));
  for (const interval of ["hour", "day", "week", "month"] as const) {
    const points = fillLocalPoints(clock, interval, days, tallies);
    expect(points.reduce((sum, { scans }) => sum + scans, 0)).toBe(tallies.length);
  }
  const perDay = fillLocalPoints(clock, "day", days, tallies);
  expect(perDay.map(({ scans }) => scans)).toEqual(
    perDay.map(({ date }) => (date === "2026-11-01" ? 100 : 96)),
  );
});
