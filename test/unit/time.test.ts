import { expect, test } from "vitest";
import {
  DAY_MS,
  formatBillingCycle,
  getNextBillingCycleMs,
  HOUR_MS,
  MINUTE_MS,
  parseDateTime,
  SECOND_MS,
  toIso,
  toIsoOrNull,
} from "../../src/core/time.ts";

test.each([
  ["2026-11-21T09:30:00.000Z", "2026-11", "2026-12-01T00:00:00.000Z"],
  ["2026-11-01T00:00:00.000Z", "2026-11", "2026-12-01T00:00:00.000Z"],
  ["2026-11-30T23:59:59.999Z", "2026-11", "2026-12-01T00:00:00.000Z"],
  ["2026-12-31T23:59:59.999Z", "2026-12", "2027-01-01T00:00:00.000Z"],
  ["2027-01-01T00:00:00.000Z", "2027-01", "2027-02-01T00:00:00.000Z"],
  ["2026-01-31T12:00:00.000Z", "2026-01", "2026-02-01T00:00:00.000Z"],
  ["2028-02-29T12:00:00.000Z", "2028-02", "2028-03-01T00:00:00.000Z"],
  ["2026-11-30T23:30:00.000-05:00", "2026-12", "2027-01-01T00:00:00.000Z"],
])("%s belongs to the billing cycle %s; the next cycle starts at %s", (time, cycle, next) => {
  expect(formatBillingCycle(Date.parse(time))).toBe(cycle);
  expect(toIso(getNextBillingCycleMs(Date.parse(time)))).toBe(next);
});

test("toIso formats ISO 8601 in UTC with milliseconds and Z", () => {
  expect(toIso(0)).toBe("1970-01-01T00:00:00.000Z");
  expect(toIsoOrNull(1_795_253_400_007)).toBe("2026-11-21T09:30:00.007Z");
  expect(toIsoOrNull(null)).toBeNull();
});

test("units of time are numbers of milliseconds", () => {
  expect([SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS]).toEqual([1_000, 60_000, 3_600_000, 86_400_000]);
});

test.each([
  ["0000-01-01T00:00:00Z", true],
  ["0000-01-01T00:00:00+00:01", false],
  ["9999-12-31T23:59:59.999Z", true],
  ["9999-12-31T23:59:59.999-00:01", false],
  ["2026-02-28T23:59:59Z", true],
  ["2026-02-29T00:00:00Z", false],
  ["2028-02-29T00:00:00Z", true],
  ["2026-11-21T09:30", false],
])("parseDateTime(%j) accepts: %j", (text, isAccepted) => {
  expect(parseDateTime(text) !== null).toBe(isAccepted);
});
