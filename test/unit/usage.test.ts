import { expect, test } from "vitest";
import { ApiError } from "../../src/core/error.ts";
import type { PlanName } from "../../src/tenant/plans.ts";
import type { CountedResource } from "../../src/tenant/tenant.table.ts";
import type { Tenant } from "../../src/tenant/tenant.ts";
import {
  createPlanLimitError,
  getPlanCap,
  getUsageCycle,
  isPlanExceeded,
  recoverOrRefuse,
} from "../../src/tenant/usage.ts";

/** Plan limits of counted resources. */

const NOW_MS = Date.UTC(2026, 11, 31, 23, 59, 59, 999);

const buildTenant = (plan: PlanName, isRetry = false, nowMs = NOW_MS) =>
  ({
    workspace: { plan },
    nowMs,
    origin: { requestId: "01a1fd70-f1c0-7c3b-9f6e-2b8f3c1d4e5f", isRetry },
  }) as unknown as Tenant;

const EXCEEDED = new Error("CHECK constraint failed: plan_cap");

test("links are counted per month, all other resources in total", () => {
  expect(getUsageCycle(buildTenant("pro"), "links")).toBe("2026-12");
  expect(getUsageCycle(buildTenant("pro", false, NOW_MS + 1), "links")).toBe("2027-01");
  for (const resource of ["dynamic_qr", "bio_pages", "qr_templates", "storage_bytes", "webhooks"] as const)
    expect(getUsageCycle(buildTenant("pro"), resource), resource).toBe("");
});

test.each<[CountedResource, number, string]>([
  ["links", 25_000, "25000 links per month"],
  ["dynamic_qr", 10_000, "10000 links with a QR code"],
  ["bio_pages", 100, "100 bio pages"],
  ["qr_templates", 200, "200 QR templates"],
  ["storage_bytes", 10_240 * 1_048_576, "10 GiB of storage"],
  ["webhooks", 20, "20 webhook endpoints"],
])("the business plan has a cap of %s", (resource, cap, allowed) => {
  const tenant = buildTenant("business");
  expect(getPlanCap(tenant, resource)).toBe(cap);
  expect(createPlanLimitError(tenant, resource)).toMatchObject({
    code: "PLAN_LIMIT_EXCEEDED",
    message: `The business plan allows ${allowed}.`,
  });
});

test("a plan without a limit has the largest number that the database can compare", () => {
  expect(getPlanCap(buildTenant("enterprise"), "webhooks")).toBe(Number.MAX_SAFE_INTEGER);
});

test("only the constraint of the cap means that the plan is exceeded", () => {
  expect(isPlanExceeded(EXCEEDED)).toBe(true);
  expect(isPlanExceeded(new Error("CHECK constraint failed: plan_other"))).toBe(false);
  expect(isPlanExceeded(new Error("CHECK constraint failed: lane_count"))).toBe(false);
});

test("a failed creation returns the earlier attempt's resource, the limit error or the failure itself", async () => {
  const find = async (_: Tenant, id: string) => id;
  const refuse = (error: unknown, isRetry: boolean) =>
    recoverOrRefuse(buildTenant("pro", isRetry), "webhooks", error, find);
  expect(await refuse(EXCEEDED, true)).toMatch(/^[0-9a-f-]{36}$/);
  await expect(refuse(EXCEEDED, false)).rejects.toBeInstanceOf(ApiError);
  await expect(refuse(new Error("D1 is down"), false)).rejects.toThrow("D1 is down");
});
