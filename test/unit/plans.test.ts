import { expect, test } from "vitest";
import { getWaitingCap, hasFeature, PLAN_NAMES, PLANS } from "../../src/tenant/plans.ts";

test("PLAN_NAMES lists the plans from the smallest to the largest", () => {
  expect(PLAN_NAMES).toEqual(["free", "pro", "business", "enterprise"]);
});

const UNLIMITED = Number.POSITIVE_INFINITY;

test.each([
  ["apiCallsPerMonth", 0, 1_000, 25_000, 100_000],
  ["burstPerSecond", 0, 10, 50, 200],
  ["linksPerMonth", 25, 1_000, 25_000, 250_000],
  ["dynamicQr", 5, 500, 10_000, 100_000],
  ["bioPages", 1, 10, 100, 1_000],
  ["qrTemplates", 1, 20, 200, 2_000],
  ["storageMb", 50, 1_024, 10_240, 102_400],
  ["webhookEndpoints", 0, 3, 20, UNLIMITED],
  ["domains", 0, 1, 10, 100],
  ["waitingDeliveries", 0, 10_000, 100_000, 1_000_000],
  ["writtenBytesPerDay", 5_000_000, 50_000_000, 250_000_000, 1_000_000_000],
  ["routingRules", false, false, true, true],
  ["linkControls", false, true, true, true],
  ["csvExport", false, true, true, true],
  ["bulkOps", false, true, true, true],
  ["adFree", false, true, true, true],
  ["destinationWatch", false, true, true, true],
] as const)("PLANS have %s: free %s, pro %s, business %s, enterprise %s", (key, ...values) => {
  expect(PLAN_NAMES.map((plan) => PLANS[plan][key])).toEqual(values);
});

test("hasFeature reads the features of a plan", () => {
  expect(PLAN_NAMES.filter((plan) => hasFeature(plan, "routingRules"))).toEqual(["business", "enterprise"]);
  expect(PLAN_NAMES.filter((plan) => hasFeature(plan, "bulkOps"))).toEqual(["pro", "business", "enterprise"]);
});

test("getWaitingCap returns the cap of the plan", () => {
  expect(PLAN_NAMES.map(getWaitingCap)).toEqual([0, 10_000, 100_000, 1_000_000]);
});
