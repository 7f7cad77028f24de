import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CountedCall } from "../../src/limits/counted-call.ts";
import type { CallVerdict, WorkspaceLimiter } from "../../src/limits/limiter.ts";
import type { PlanName } from "../../src/tenant/plans.ts";

/** Limiter requests of a call, while the limiter works and while it fails. */

const VERDICT: CallVerdict = { verdict: "allowed", burstRemaining: 9, callsThisMonth: 1, cycle: "2026-11" };
const LOST = Object.assign(new Error("the object was reset"), { retryable: true });

let log: ReturnType<typeof vi.spyOn>;
const take = vi.fn();
const giveBack = vi.fn();

beforeEach(() => {
  log = vi.spyOn(console, "error").mockReturnValue();
  take.mockReset().mockResolvedValue(VERDICT);
  giveBack.mockReset().mockResolvedValue(undefined);
});
afterEach(() => void vi.restoreAllMocks());

function call(plan: PlanName = "pro"): CountedCall {
  const limiters = { getByName: () => ({ take, giveBack }) };
  const caller = { workspaceId: "w", plan, bucket: "AbCd1234" };
  return new CountedCall(limiters as unknown as DurableObjectNamespace<WorkspaceLimiter>, caller, "id");
}

test("a plan without API access does not call the limiter", async () => {
  const free = call("free");
  expect(await free.verdict).toMatchObject({ verdict: "allowed", callsThisMonth: 0 });
  await free.giveBack();
  expect([take.mock.calls, giveBack.mock.calls]).toEqual([[], []]);
});

test("a call only counts for its workspace and plan", () => {
  const isOf = (id: string, plan: PlanName) => call().isOf({ id, plan });
  expect([isOf("w", "pro"), isOf("w", "business"), isOf("v", "pro")]).toEqual([true, false, false]);
});

test.each([
  ["counted", async () => VERDICT, [["2026-11"]]],
  ["refused by the bucket", async () => ({ ...VERDICT, verdict: "burst_exhausted" }), []],
  ["refused by the quota", async () => ({ ...VERDICT, verdict: "quota_exhausted" }), []],
  ["perhaps counted, because its response was lost", () => Promise.reject(new Error("down")), [[null]]],
])("a call that was %s is refunded accordingly", async (_, answer, cycles) => {
  take.mockImplementation(answer);
  await call().giveBack();
  expect(giveBack.mock.calls.map(([, cycle]) => [cycle])).toEqual(cycles);
});

test("counting and refunding are retried once after a transient error", async () => {
  take.mockRejectedValueOnce(LOST);
  giveBack.mockRejectedValueOnce(LOST);
  const repeated = call();
  expect(await repeated.verdict).toEqual(VERDICT);
  await repeated.giveBack();
  expect([take.mock.calls.length, giveBack.mock.calls.length]).toEqual([2, 2]);
});

test("a failed refund is logged without affecting the caller", async () => {
  giveBack.mockRejectedValue(new Error("the object is down"));
  await expect(call().giveBack()).resolves.toBeUndefined();
  expect(log.mock.lastCall?.[0]).toMatch(
    /^{"message":"a call that was counted too early could not be subtracted","error":/,
  );
});
