import { runInDurableObject } from "cloudflare:test";
import { afterEach, expect, test, vi } from "vitest";
import type { CallRequest, WorkspaceLimiter } from "../../src/limits/limiter.ts";
import { workerEnv } from "../support/harness.ts";

/** Limits of a workspace at given times, through calls of its Durable Object. */

const NOVEMBER_MS = Date.parse("2026-11-21T09:30:00Z");
const DECEMBER_MS = Date.parse("2026-12-01T00:00:00Z");

afterEach(() => void vi.restoreAllMocks());

let callCount = 0;

/** Builds a call with a unique id. */
function buildCall(change: Partial<CallRequest> = {}): CallRequest {
  callCount += 1;
  const callId = `019aa5a8-5d2c-7c3b-9f6e-${String(callCount).padStart(12, "0")}`;
  return { callId, bucket: "AbCd1234", burstPerSecond: 1_000, callsPerMonth: 100_000, ...change };
}

/** Runs a test in a new limiter. `setTime` sets its clock. */
async function inLimiter(
  run: (limiter: WorkspaceLimiter, setTime: (nowMs: number) => void) => void,
): Promise<void> {
  const clock = vi.spyOn(Date, "now").mockReturnValue(NOVEMBER_MS);
  await runInDurableObject(workerEnv.LIMITER.getByName(crypto.randomUUID()), (limiter) =>
    run(limiter, (nowMs) => void clock.mockReturnValue(nowMs)),
  );
}

test("the quota resets at the first millisecond of the next month", async () => {
  await inLimiter((limiter, setTime) => {
    const take = () => limiter.take(buildCall({ callsPerMonth: 2 }));
    expect(take()).toMatchObject({ verdict: "allowed", callsThisMonth: 1, cycle: "2026-11" });
    expect(take()).toMatchObject({ verdict: "allowed", callsThisMonth: 2 });
    setTime(DECEMBER_MS - 1);
    expect(take()).toMatchObject({ verdict: "quota_exhausted", callsThisMonth: 2, cycle: "2026-11" });
    setTime(DECEMBER_MS);
    expect(take()).toMatchObject({ verdict: "allowed", callsThisMonth: 1, cycle: "2026-12" });
  });
});

test("refunding a call after the end of its month does not change the next month", async () => {
  await inLimiter((limiter, setTime) => {
    const call = buildCall();
    const { cycle } = limiter.take(call);
    setTime(DECEMBER_MS);
    limiter.take(buildCall());
    limiter.giveBack(call, cycle);
    expect(limiter.take(buildCall()).callsThisMonth).toBe(2);
    limiter.giveBack(buildCall(), "2026-12");
    expect(limiter.take(buildCall()).callsThisMonth).toBe(2);
  });
});

test.each([
  ["one of the last 64 calls", 63, 64],
  ["no call of the last 64", 64, 66],
])("a call with the id of %s is counted accordingly", async (_, callsBetween, counted) => {
  await inLimiter((limiter) => {
    const call = buildCall();
    limiter.take(call);
    for (let between = 0; between < callsBetween; between++) limiter.take(buildCall());
    expect(limiter.take(call).callsThisMonth).toBe(counted);
  });
});

test("a rejected call counts against neither the bucket nor the quota", async () => {
  await inLimiter((limiter, setTime) => {
    const take = () => limiter.take(buildCall({ burstPerSecond: 2, callsPerMonth: 3 }));
    for (const expected of ["allowed", "allowed", "burst_exhausted", "burst_exhausted"] as const) {
      expect(take().verdict).toBe(expected);
    }
    setTime(NOVEMBER_MS + 1_000);
    expect(take()).toMatchObject({ verdict: "allowed", burstRemaining: 1, callsThisMonth: 3 });
    for (const _ of [1, 2, 3]) {
      expect(take()).toMatchObject({ verdict: "quota_exhausted", burstRemaining: 1, callsThisMonth: 3 });
    }
  });
});

test("with 1,000 buckets, the full ones are dropped, and the others keep their state", async () => {
  await inLimiter((limiter, setTime) => {
    const take = (bucket: string) => limiter.take(buildCall({ bucket, burstPerSecond: 10 })).burstRemaining;
    for (let key = 0; key < 998; key++) limiter.take(buildCall({ bucket: `key-${key}` }));
    setTime(NOVEMBER_MS + 1_000);
    expect([take("busy"), take("busy"), take("busy")]).toEqual([9, 8, 7]);
    expect([take("new"), take("newer")]).toEqual([9, 9]);
    expect(take("busy")).toBe(6);
  });
});

test("with 1,000 buckets, a caller with a lower rate doesn't refill the bucket of a faster one", async () => {
  await inLimiter((limiter, setTime) => {
    for (let key = 0; key < 999; key++) limiter.take(buildCall({ bucket: `key-${key}` }));
    setTime(NOVEMBER_MS + 999);
    const takeFast = () => limiter.take(buildCall({ bucket: "fast", burstPerSecond: 100 })).burstRemaining;
    for (let call = 1; call <= 50; call++) expect(takeFast()).toBe(100 - call);
    limiter.takeToken("slow", 10);
    expect(takeFast()).toBe(49);
  });
});

test("remaining tokens are reported as whole numbers, rounded down", async () => {
  await inLimiter((limiter, setTime) => {
    const take = () => limiter.take(buildCall({ burstPerSecond: 10 })).burstRemaining;
    expect([take(), take()]).toEqual([9, 8]);
    setTime(NOVEMBER_MS + 50);
    expect(take()).toBe(7);
  });
});

test("refunding a call after a restart leaves a full bucket", async () => {
  await inLimiter((limiter) => {
    limiter.giveBack(buildCall({ burstPerSecond: 10 }), "2026-11");
    expect(limiter.take(buildCall({ burstPerSecond: 10 }))).toMatchObject({
      verdict: "allowed",
      burstRemaining: 9,
      callsThisMonth: 1,
    });
  });
});

test("refunding a call returns its token, up to the bucket's size", async () => {
  await inLimiter((limiter) => {
    const call = buildCall({ burstPerSecond: 10 });
    const { cycle } = limiter.take(call);
    expect(limiter.take(buildCall({ burstPerSecond: 10 })).burstRemaining).toBe(8);
    limiter.giveBack(call, cycle);
    limiter.giveBack(call, cycle);
    expect(limiter.take(buildCall({ burstPerSecond: 10 }))).toMatchObject({
      burstRemaining: 8,
      callsThisMonth: 2,
    });
  });
});

test("a call refunded before it arrives does not count when it arrives", async () => {
  await inLimiter((limiter) => {
    limiter.take(buildCall());
    const call = buildCall();
    limiter.giveBack(call, null);
    expect(limiter.take(call)).toMatchObject({ verdict: "allowed", callsThisMonth: 1 });
    expect(limiter.take(buildCall()).callsThisMonth).toBe(2);
  });
});

test("a bucket that is full after a refund refills at the next plan's rate", async () => {
  await inLimiter((limiter) => {
    const call = buildCall({ burstPerSecond: 10 });
    const { cycle } = limiter.take(call);
    limiter.giveBack(call, cycle);
    expect(limiter.take(buildCall({ burstPerSecond: 200 })).burstRemaining).toBe(199);
  });
});
