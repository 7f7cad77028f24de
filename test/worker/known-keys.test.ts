import { evictDurableObject } from "cloudflare:test";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { CallRequest } from "../../src/limits/limiter.ts";
import { PLANS, type PlanName } from "../../src/tenant/plans.ts";
import { watchCalls, watchTrips } from "../support/counting.ts";
import {
  expectError,
  newWorkspace,
  type TestWorkspace,
  TRANSIENT_FAILURE,
  workerEnv,
} from "../support/harness.ts";
import { spendQuota } from "../support/quota.ts";

/** Calls of keys cached in the isolate are counted during verification, and refunded if it fails. */

const LINKS = "/v1/links";

/** Returns an `env` that lists the called methods of the limiter. */
function watchLimiter(around = (makeCall: () => unknown, _method: string) => makeCall()) {
  const methods: string[] = [];
  const LIMITER = watchCalls(workerEnv.LIMITER, (makeCall, method) => {
    methods.push(method);
    return around(makeCall, method);
  });
  return { env: { ...workerEnv, LIMITER }, methods };
}

/** Returns an `env` that delays reading keys until `count` calls have been counted. */
function delayKeys(count: number) {
  const { promise: areCounted, resolve } = Promise.withResolvers<void>();
  let counted = 0;
  const { env, methods } = watchLimiter(async (makeCall, method) => {
    const result = await makeCall();
    if (method === "take") counted += 1;
    if (counted === count) resolve();
    return result;
  });
  const DIRECTORY = watchTrips(workerEnv.DIRECTORY, async (makeTrip) => {
    await areCounted;
    return makeTrip();
  });
  return { env: { ...env, DIRECTORY }, methods };
}

async function readRemaining(workspace: TestWorkspace): Promise<number> {
  const response = await workspace.call("GET", LINKS);
  expect(response.status).toBe(200);
  return Number(response.headers.get("X-RateLimit-Remaining"));
}

async function changeKeys({ id }: TestWorkspace, change: string): Promise<void> {
  await workerEnv.DIRECTORY.prepare(`UPDATE api_keys SET ${change} WHERE workspace_id = ?`).bind(id).run();
}

async function changePlan({ id }: TestWorkspace, plan: PlanName): Promise<void> {
  await workerEnv.DIRECTORY.prepare("UPDATE workspaces SET plan = ? WHERE id = ?").bind(plan, id).run();
}

function silenceLog(): void {
  const spy = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => void spy.mockRestore());
}

describe("a key that is no longer valid", () => {
  test.each([
    ["revoked", "revoked_at = 1", "REVOKED_API_KEY"],
    ["expired", "expires_at = 1", "EXPIRED_API_KEY"],
    ["replaced", "secret_hash = 'another'", "INVALID_API_KEY"],
    ["deleted", "prefix = 'other' || rowid", "INVALID_API_KEY"],
  ])("%s: the next call is rejected, has no limit headers and does not count", async (_, change, code) => {
    const workspace = await newWorkspace();
    expect(await readRemaining(workspace)).toBe(24_999);
    await changeKeys(workspace, change);
    const { env, methods } = watchLimiter();
    const response = await workspace.call("GET", LINKS, { env });
    await expectError(response, 401, code);
    expect([...response.headers.keys()].filter((name) => name.startsWith("x-ratelimit"))).toEqual([]);
    expect(methods).toEqual(["take", "giveBack"]);
    // The isolate has dropped the key from its cache.
    await expectError(await workspace.call("GET", LINKS, { env }), 401, code);
    expect(methods).toHaveLength(2);
    expect(await readRemaining(workspace.as(await workspace.newKey()))).toBe(24_998);
  });

  test("40 parallel calls that are counted before the key is read are all refunded", async () => {
    const workspace = await newWorkspace("enterprise");
    const before = await readRemaining(workspace);
    const { env, methods } = delayKeys(40);
    await changeKeys(workspace, "revoked_at = 1");
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => workspace.call("GET", LINKS, { env })),
    );
    for (const response of responses) await expectError(response, 401, "REVOKED_API_KEY");
    expect(methods.filter((method) => method === "giveBack")).toHaveLength(40);
    const other = workspace.as(await workspace.newKey());
    expect(await readRemaining(other)).toBe(before - 1);
    await changeKeys(workspace, "revoked_at = NULL");
    const restored = await workspace.call("GET", LINKS);
    expect(restored.headers.get("X-RateLimit-Burst-Remaining")).toBe("199");
  });

  test("calls rejected by the limits need no refund", async () => {
    const workspace = await newWorkspace("pro");
    await readRemaining(workspace);
    await changeKeys(workspace, "revoked_at = 1");
    const { env, methods } = delayKeys(60);
    await Promise.all(Array.from({ length: 60 }, () => workspace.call("GET", LINKS, { env })));
    expect(methods.filter((method) => method === "take")).toHaveLength(60);
    expect(methods.filter((method) => method === "giveBack").length).toBeLessThan(60);
    expect(await readRemaining(workspace.as(await workspace.newKey()))).toBe(998);
  });

  test.each(["request", "response"])("the call is refunded once, with the %s lost", async (lost) => {
    silenceLog();
    const workspace = await newWorkspace();
    await readRemaining(workspace);
    await changeKeys(workspace, "revoked_at = 1");
    let isLost = false;
    const { env, methods } = watchLimiter(async (makeCall, method) => {
      if (method !== "giveBack" || isLost) return makeCall();
      isLost = true;
      if (lost === "response") await makeCall();
      await evictDurableObject(workerEnv.LIMITER.getByName(workspace.id));
      throw Object.assign(new Error("the object was reset"), { retryable: true });
    });
    await expectError(await workspace.call("GET", LINKS, { env }), 401, "REVOKED_API_KEY");
    expect(methods).toEqual(["take", "giveBack", "giveBack"]);
    expect(await readRemaining(workspace.as(await workspace.newKey()))).toBe(24_998);
  });

  test.each(["request", "response"])(
    "returns 401 even if the limiter fails, with the %s lost",
    async (lost) => {
      silenceLog();
      const workspace = await newWorkspace();
      await readRemaining(workspace);
      await changeKeys(workspace, "revoked_at = 1");
      const { env } = watchLimiter(async (makeCall, method) => {
        if (method === "giveBack") return makeCall();
        if (lost === "response") await makeCall();
        throw new Error("the object is down");
      });
      await expectError(await workspace.call("GET", LINKS, { env }), 401, "REVOKED_API_KEY");
      expect(await readRemaining(workspace.as(await workspace.newKey()))).toBe(24_998);
    },
  );
});

test("a call does not count if the directory fails, and the next call counts once", async () => {
  silenceLog();
  const workspace = await newWorkspace();
  await readRemaining(workspace);
  const DIRECTORY = watchTrips(workerEnv.DIRECTORY, () => Promise.reject(new Error(TRANSIENT_FAILURE)));
  const response = await workspace.call("GET", LINKS, { env: { ...workerEnv, DIRECTORY } });
  await expectError(response, 503, "SERVICE_UNAVAILABLE");
  expect(await readRemaining(workspace)).toBe(24_998);
});

test("a valid key returns 500 if the limiter fails", async () => {
  silenceLog();
  const workspace = await newWorkspace();
  await readRemaining(workspace);
  const { env } = watchLimiter(() => Promise.reject(new Error("the object is down")));
  await expectError(await workspace.call("GET", LINKS, { env }), 500, "INTERNAL_ERROR");
});

test("requests with only the prefix of a cached key never reach the limiter", async () => {
  const workspace = await newWorkspace();
  await readRemaining(workspace);
  const { env, methods } = watchLimiter();
  const wrongSecret = workspace.key.slice(0, -1) + (workspace.key.endsWith("x") ? "y" : "x");
  await expectError(await workspace.as(wrongSecret).call("GET", LINKS, { env }), 401, "INVALID_API_KEY");
  expect(methods).toEqual([]);
});

describe("a change of the plan applies to the next call", () => {
  test.each([
    ["enterprise", "pro"],
    ["pro", "enterprise"],
  ] as const)("from %s to %s, and the call counts once", async (from, to) => {
    const workspace = await newWorkspace(from);
    await readRemaining(workspace);
    await changePlan(workspace, to);
    const { env, methods } = watchLimiter();
    const response = await workspace.call("GET", LINKS, { env });
    expect(response.headers.get("X-RateLimit-Remaining")).toBe(String(PLANS[to].apiCallsPerMonth - 2));
    expect(response.headers.get("X-RateLimit-Burst-Limit")).toBe(String(PLANS[to].burstPerSecond));
    expect(methods).toEqual(["take", "giveBack", "take"]);
    await workspace.call("GET", LINKS, { env });
    expect(methods).toHaveLength(4);
    expect(await readRemaining(workspace)).toBe(PLANS[to].apiCallsPerMonth - 4);
  });

  test("to a plan without the API and back", async () => {
    const workspace = await newWorkspace("business");
    await readRemaining(workspace);
    await changePlan(workspace, "free");
    for (const _ of [1, 2]) {
      const response = await workspace.call("GET", LINKS);
      await expectError(response, 403, "FEATURE_NOT_AVAILABLE");
      expect(response.headers.get("X-RateLimit-Limit")).toBe("0");
    }
    await changePlan(workspace, "business");
    expect(await readRemaining(workspace)).toBe(24_998);
  });

  test("the last call of the month is available on the new plan", async () => {
    const workspace = await newWorkspace("business");
    await readRemaining(workspace);
    await spendQuota(workspace.id, 1_000, 2);
    await changePlan(workspace, "pro");
    expect(await readRemaining(workspace)).toBe(0);
    await expectError(await workspace.call("GET", LINKS), 429, "RATE_LIMIT_EXCEEDED");
  });
});

describe("refunding a call", () => {
  const build = (callId: string = crypto.randomUUID()): CallRequest => ({
    callId,
    bucket: "a",
    burstPerSecond: 10,
    callsPerMonth: 100,
  });
  const newLimiter = () => workerEnv.LIMITER.getByName(crypto.randomUUID());

  test("undoes it once, even if the object loses its memory", async () => {
    const limiter = newLimiter();
    const [first, second] = [build(), build()];
    await limiter.take(first);
    const { cycle } = await limiter.take(second);
    await limiter.giveBack(first, cycle);
    await evictDurableObject(limiter);
    await limiter.giveBack(first, cycle);
    await limiter.giveBack(first, null);
    expect(await limiter.take(build())).toMatchObject({ callsThisMonth: 2 });
  });

  test("undoes a call after many others", async () => {
    const limiter = newLimiter();
    const first = build();
    const { cycle } = await limiter.take(first);
    for (let n = 0; n < 100; n++) {
      await limiter.take({ ...build(), callsPerMonth: 1_000, bucket: `key ${n}` });
    }
    await limiter.giveBack(first, cycle);
    expect(await limiter.take({ ...build(), callsPerMonth: 1_000 })).toMatchObject({ callsThisMonth: 101 });
  });

  test("whose response was lost only undoes counted calls, and a late call does not count", async () => {
    const limiter = newLimiter();
    const [counted, late] = [build(), build()];
    await limiter.take(counted);
    await limiter.giveBack(counted, null);
    await limiter.giveBack(late, null);
    await limiter.take(late);
    expect(await limiter.take(build())).toMatchObject({ callsThisMonth: 1, burstRemaining: 9 });
  });

  test("of another month changes nothing", async () => {
    const limiter = newLimiter();
    await limiter.take(build());
    await limiter.giveBack(build(), "2001-01");
    expect(await limiter.take(build())).toMatchObject({ callsThisMonth: 2 });
  });
});
