import { expect, test } from "vitest";
import { formatBillingCycle, getNextBillingCycleMs, toIso, toIsoOrNull } from "../../src/core/time.ts";

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
