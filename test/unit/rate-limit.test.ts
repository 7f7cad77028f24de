import { Hono } from "hono";
import { expect, test } from "vitest";
import { enforceRateLimit } from "../../src/auth/rate-limit.ts";
import { ApiError } from "../../src/core/error.ts";
import type { ApiEnv } from "../../src/http/context.ts";
import { buildAllowance, formatRateLimitHeaders, formatRateLimitMeta } from "../../src/limits/allowance.ts";
import type { CountedCall } from "../../src/limits/counted-call.ts";
import type { CallVerdict } from "../../src/limits/limiter.ts";
import type { PersonCall } from "../../src/limits/person-call.ts";
import type { PlanName } from "../../src/tenant/plans.ts";

const DECEMBER_MS = Date.parse("2026-12-01T00:00:00Z");
const VERDICT: CallVerdict = {
  verdict: "allowed",
  burstRemaining: 3,
  callsThisMonth: 1_000,
  cycle: "2026-11",
};

/**
 * Calls the API at a time, with a given result of the limiter, with a key or as a person. Returns the code of the
 * error, if any, `Retry-After`, and the calls that remain.
 */
async function callApi(
  nowMs: number,
  verdict: CallVerdict["verdict"],
  plan: PlanName = "pro",
  caller: "countedCall" | "personCall" = "countedCall",
) {
  const app = new Hono<ApiEnv>();
  app.use(async (c, next) => {
    c.set("nowMs", nowMs);
    c.set("workspace", { plan } as never);
    c.set(caller, { verdict: Promise.resolve({ ...VERDICT, callsThisMonth: 600, verdict }) } as CountedCall &
      PersonCall);
    await next();
    expect(c.var.allowance).toBeDefined();
  });
  app.get("/", enforceRateLimit, (c) => c.text("allowed"));
  app.onError((error, c) =>
    error instanceof ApiError
      ? c.text(error.code, error.status as 429, error.headers)
      : c.text(String(error)),
  );
  const response = await app.request("/");
  const read = (name: string) => response.headers.get(name);
  return [await response.text(), read("Retry-After"), read("X-RateLimit-Remaining")];
}

test.each([
  [DECEMBER_MS - 1, "1"],
  [DECEMBER_MS - 1_000, "1"],
  [DECEMBER_MS - 1_001, "2"],
  [DECEMBER_MS - 86_400_000, "86400"],
])("with the quota used up at %i, Retry-After is %s: never too early", async (nowMs, retryAfter) => {
  expect(await callApi(nowMs, "quota_exhausted")).toEqual(["RATE_LIMIT_EXCEEDED", retryAfter, "400"]);
});

test("an empty bucket asks for a second, and a plan without the API is rejected before all limits", async () => {
  expect(await callApi(0, "allowed")).toEqual(["allowed", null, "400"]);
  expect(await callApi(0, "burst_exhausted")).toEqual(["BURST_LIMIT_EXCEEDED", "1", "400"]);
  expect(await callApi(0, "quota_exhausted", "free")).toEqual(["FEATURE_NOT_AVAILABLE", null, "0"]);
});

test("a person has a burst on every plan, and no quota", async () => {
  for (const plan of ["free", "pro"] as const) {
    expect(await callApi(0, "allowed", plan, "personCall")).toEqual(["allowed", null, "3"]);
    expect(await callApi(0, "burst_exhausted", plan, "personCall")).toEqual([
      "BURST_LIMIT_EXCEEDED",
      "1",
      "3",
    ]);
  }
});

test("an allowance never has less than 0 remaining calls, and contains its reset in both shapes", () => {
  const left = (callsThisMonth: number) =>
    buildAllowance("pro", { ...VERDICT, callsThisMonth }, DECEMBER_MS - 1).remaining;
  expect([left(0), left(999), left(1_000), left(1_001)]).toEqual([1_000, 1, 0, 0]);
  const allowance = buildAllowance("pro", VERDICT, DECEMBER_MS - 1);
  expect(formatRateLimitMeta(allowance, "A")).toEqual({
    limit: 1_000,
    remaining: 0,
    reset: DECEMBER_MS / 1_000,
  });
  expect(formatRateLimitMeta(allowance, "B")).toEqual({ remaining: 0, reset_at: "2026-12-01T00:00:00.000Z" });
  expect(formatRateLimitHeaders(allowance)["X-RateLimit-Reset"]).toBe(String(DECEMBER_MS / 1_000));
});
