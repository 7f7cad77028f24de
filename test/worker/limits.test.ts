import { evictDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import * as z from "zod";
import { getNextBillingCycleMs } from "../../src/core/time.ts";
import { linkResponse } from "../../src/links/link-response.ts";
import { PLANS } from "../../src/tenant/plans.ts";
import { expectData, expectError, newWorkspace, workerEnv } from "../support/harness.ts";
import { spendQuota } from "../support/quota.ts";

const LINKS = "/v1/links";
const links = z.array(linkResponse);

function getLimiter(workspaceId: string) {
  return workerEnv.LIMITER.getByName(workspaceId);
}

test.each([
  ["a new key", 0],
  ["a key that this isolate knows", 1],
])("of 200 parallel calls of %s, 10 plus the refill of the bucket succeed", async (_, callsBefore) => {
  const workspace = await newWorkspace("pro");
  for (let n = 0; n < callsBefore; n++) await workspace.call("GET", LINKS);
  const startMs = Date.now();
  const responses = await Promise.all(Array.from({ length: 200 }, () => workspace.call("GET", LINKS)));
  const refilled = Math.ceil(((Date.now() - startMs) / 1_000) * PLANS.pro.burstPerSecond);
  const allowed = responses.filter(({ status }) => status === 200);
  expect(allowed.length).toBeGreaterThanOrEqual(10 - callsBefore);
  expect(allowed.length).toBeLessThanOrEqual(10 + refilled);
  const rejected = responses.find(({ status }) => status === 429);
  expect(rejected?.headers.get("Retry-After")).toBe("1");
  expect(rejected?.headers.get("X-RateLimit-Burst-Remaining")).toBe("0");
  await expectError(rejected as Response, 429, "BURST_LIMIT_EXCEEDED");
  // Rejected calls do not count against the quota.
  const { meta } = await expectData(allowed.at(-1) as Response, links);
  const counted = allowed.length + callsBefore;
  expect(meta.rate_limit.remaining).toBeGreaterThanOrEqual(PLANS.pro.apiCallsPerMonth - counted);
  // Nothing else was counted.
  const limiter = getLimiter(workspace.id);
  const call = { callId: crypto.randomUUID(), bucket: "another", burstPerSecond: 1, callsPerMonth: 1_000 };
  expect((await limiter.take(call)).callsThisMonth).toBe(counted + 1);
});

test("every key has its own bucket, and all keys share the quota of the workspace", async () => {
  const workspace = await newWorkspace("pro");
  const first = await workspace.call("GET", LINKS);
  const second = await workspace.as(await workspace.newKey()).call("GET", LINKS);
  expect(first.headers.get("X-RateLimit-Burst-Remaining")).toBe("9");
  expect(second.headers.get("X-RateLimit-Burst-Remaining")).toBe("9");
  expect(first.headers.get("X-RateLimit-Remaining")).toBe("999");
  expect(second.headers.get("X-RateLimit-Remaining")).toBe("998");
});

test("headers and meta contain the same quota and reset time", async () => {
  const workspace = await newWorkspace("business");
  const response = await workspace.call("GET", LINKS);
  const { meta } = await expectData(response, links);
  const reset = getNextBillingCycleMs(Date.now()) / 1_000;
  expect(meta.rate_limit).toEqual({ limit: 25_000, remaining: 24_999, reset });
  expect(
    Object.fromEntries([...response.headers].filter(([name]) => name.startsWith("x-ratelimit"))),
  ).toEqual({
    "x-ratelimit-limit": "25000",
    "x-ratelimit-remaining": "24999",
    "x-ratelimit-reset": String(reset),
    "x-ratelimit-burst-limit": "50",
    "x-ratelimit-burst-remaining": "49",
  });
});

test("errors after the rate limit count against the quota, errors before it do not", async () => {
  const workspace = await newWorkspace("business");
  const unscoped = workspace.as(await workspace.newKey({ scopes: [] }));
  await expectError(await unscoped.call("GET", LINKS), 403, "INSUFFICIENT_SCOPE");
  await expectError(await workspace.call("POST", LINKS, { body: {} }), 400, "VALIDATION_ERROR");
  await expectError(await workspace.call("GET", "/v1/nothing"), 404, "RESOURCE_NOT_FOUND");
  const revoked = workspace.as(await workspace.newKey({ revokedAt: 1 }));
  await expectError(await revoked.call("GET", LINKS), 401, "REVOKED_API_KEY");
  const response = await workspace.call("GET", LINKS);
  expect(response.headers.get("X-RateLimit-Remaining")).toBe("24996");
});

test("calls above the quota are rejected until the next cycle, also after the limiter restarts", async () => {
  const workspace = await newWorkspace("pro");
  await spendQuota(workspace.id, PLANS.pro.apiCallsPerMonth, 1);
  await evictDurableObject(getLimiter(workspace.id));
  const last = await workspace.call("GET", LINKS);
  expect(last.status).toBe(200);
  expect(last.headers.get("X-RateLimit-Remaining")).toBe("0");
  for (const _ of [1, 2]) {
    const rejected = await workspace.call("GET", LINKS);
    await expectError(rejected, 429, "RATE_LIMIT_EXCEEDED");
    const waitSeconds = (getNextBillingCycleMs(Date.now()) - Date.now()) / 1_000;
    expect(Math.abs(Number(rejected.headers.get("Retry-After")) - waitSeconds)).toBeLessThan(10);
    expect(rejected.headers.get("X-RateLimit-Remaining")).toBe("0");
  }
});

test("a bulk call counts once", async () => {
  const workspace = await newWorkspace();
  const body = { links: Array.from({ length: 5 }, (_, index) => ({ url: `https://example.com/${index}` })) };
  const response = await workspace.call("POST", "/v1/links/bulk", { body });
  expect(response.headers.get("X-RateLimit-Remaining")).toBe("24999");
});
