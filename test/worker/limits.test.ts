import { evictDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import * as z from "zod";
import { nextBillingCycleMs } from "../../src/core/time.ts";
import { linkResponse } from "../../src/links/links.schema.ts";
import { PLANS } from "../../src/tenant/plans.ts";
import { expectData, expectError, newWorkspace, workerEnv } from "../support/harness.ts";

const LINKS = "/v1/links";
const links = z.array(linkResponse);

function limiterOf(workspaceId: string) {
  return workerEnv.LIMITER.getByName(workspaceId);
}

/** Spends all of a workspace's quota but `left` calls, through the object itself. */
async function spendQuota(workspaceId: string, callsPerMonth: number, left: number): Promise<void> {
  const limiter = limiterOf(workspaceId);
  const call = { keyPrefix: "spending", burstPerSecond: 1_000_000, callsPerMonth };
  await Promise.all(Array.from({ length: callsPerMonth - left }, () => limiter.take(call)));
}

test("of 200 parallel calls the bucket's ten pass, and what refills meanwhile", async () => {
  const workspace = await newWorkspace("pro");
  const startMs = Date.now();
  const responses = await Promise.all(Array.from({ length: 200 }, () => workspace.call("GET", LINKS)));
  const refilled = Math.ceil(((Date.now() - startMs) / 1_000) * PLANS.pro.burstPerSecond);
  const passed = responses.filter(({ status }) => status === 200);
  expect(passed.length).toBeGreaterThanOrEqual(10);
  expect(passed.length).toBeLessThanOrEqual(10 + refilled);
  const refused = responses.find(({ status }) => status === 429);
  expect(refused?.headers.get("Retry-After")).toBe("1");
  expect(refused?.headers.get("X-RateLimit-Burst-Remaining")).toBe("0");
  await expectError(refused as Response, 429, "BURST_LIMIT_EXCEEDED");
  // What was refused did not count.
  const { meta } = await expectData(passed.at(-1) as Response, links);
  expect(meta.rate_limit.remaining).toBeGreaterThanOrEqual(PLANS.pro.apiCallsPerMonth - passed.length);
});

test("each key has a bucket of its own, and all share the workspace's quota", async () => {
  const workspace = await newWorkspace("pro");
  const first = await workspace.call("GET", LINKS);
  const second = await workspace.as(await workspace.newKey()).call("GET", LINKS);
  expect(first.headers.get("X-RateLimit-Burst-Remaining")).toBe("9");
  expect(second.headers.get("X-RateLimit-Burst-Remaining")).toBe("9");
  expect(first.headers.get("X-RateLimit-Remaining")).toBe("999");
  expect(second.headers.get("X-RateLimit-Remaining")).toBe("998");
});

test("headers and meta tell the same quota, and when it starts anew", async () => {
  const workspace = await newWorkspace("business");
  const response = await workspace.call("GET", LINKS);
  const { meta } = await expectData(response, links);
  const reset = nextBillingCycleMs(Date.now()) / 1_000;
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

test("refusals behind the limits count, those before them do not", async () => {
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

test("the call past the quota is refused until the next cycle, also after the limiter restarts", async () => {
  const workspace = await newWorkspace("pro");
  await spendQuota(workspace.id, PLANS.pro.apiCallsPerMonth, 1);
  await evictDurableObject(limiterOf(workspace.id));
  const last = await workspace.call("GET", LINKS);
  expect(last.status).toBe(200);
  expect(last.headers.get("X-RateLimit-Remaining")).toBe("0");
  for (const _ of [1, 2]) {
    const refused = await workspace.call("GET", LINKS);
    await expectError(refused, 429, "RATE_LIMIT_EXCEEDED");
    const waitSeconds = (nextBillingCycleMs(Date.now()) - Date.now()) / 1_000;
    expect(Math.abs(Number(refused.headers.get("Retry-After")) - waitSeconds)).toBeLessThan(10);
    expect(refused.headers.get("X-RateLimit-Remaining")).toBe("0");
  }
});

test("a bulk call counts once", async () => {
  const workspace = await newWorkspace();
  const body = { links: Array.from({ length: 5 }, (_, index) => ({ url: `https://example.com/${index}` })) };
  const response = await workspace.call("POST", "/v1/links/bulk", { body });
  expect(response.headers.get("X-RateLimit-Remaining")).toBe("24999");
});
