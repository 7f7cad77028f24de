import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { hashPassword } from "../../src/core/password-hash.ts";
import { closeGate, isTargetUsedUp, takeScan } from "../../src/guards/limited-visit.ts";
import { checkPassword, type PasswordBindings, type PasswordVisit } from "../../src/guards/password-visit.ts";
import worker from "../../src/index.ts";
import type { TryOrigin } from "../../src/limits/password-tries.ts";
import { UnknownLimitError } from "../../src/limits/unknown-limit.ts";
import { findHostInTime } from "../../src/resolving/host-fallback.ts";
import type { Target } from "../../src/resolving/target.ts";

/** Limits and failures of the checks before a redirect, with stub objects. */

let logged: string[] = [];
beforeEach(() => {
  logged = [];
  vi.spyOn(console, "error").mockImplementation((line) => void logged.push(String(line)));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const NEVER = new Promise<never>(() => {});

/** Returns whether a promise has settled after a time of the fake clock, with its result. */
async function settleWithin<Value>(
  promise: Promise<Value>,
  durationMs: number,
): Promise<Value | Error | "waits"> {
  let state: Value | Error | "waits" = "waits";
  promise.then(
    (value) => {
      state = value;
    },
    (error: Error) => {
      state = error;
    },
  );
  await vi.advanceTimersByTimeAsync(durationMs);
  return state;
}

describe("the host of an error page", () => {
  test("times out after a second", async () => {
    vi.useFakeTimers();
    const late = findHostInTime(() => NEVER);
    expect(await settleWithin(late, 999)).toBe("waits");
    expect(await settleWithin(late, 1)).toBeNull();
    expect(logged).toHaveLength(1);
  });

  test("is null if it cannot be read, which is logged, or if the visitor tried too many hosts", async () => {
    const host = { rootUrl: "https://example.com/" } as never;
    expect(await findHostInTime(async () => host)).toBe(host);
    expect(await findHostInTime(async () => null)).toBeNull();
    expect(await findHostInTime(() => Promise.reject(new UnknownLimitError(9)))).toBeNull();
    expect(logged).toEqual([]);
    expect(await findHostInTime(() => Promise.reject(new Error(`down ${crypto.randomUUID()}`)))).toBeNull();
    expect(logged).toHaveLength(1);
  });
});

describe("the gate of a limited link", () => {
  const link = (id: string) => ({ id, workspaceId: "w", updatedAt: 1, scansCounted: 0 });
  const target = (maxScans: number, scansCounted: number) =>
    ({ id: "t", guards: { maxScans, scansCounted } }) as unknown as Target;

  test("times out after 10 seconds", async () => {
    vi.useFakeTimers();
    for (const ask of [
      () => takeScan({ getByName: () => ({ take: () => NEVER }) } as never, link("slow"), 1),
      () => isTargetUsedUp({ getByName: () => ({ count: () => NEVER }) } as never, target(1, 0)),
    ]) {
      const asking = ask();
      expect(await settleWithin(asking, 9_999)).toBe("waits");
      expect(await settleWithin(asking, 1)).toBeInstanceOf(Error);
    }
  });

  test("is not called again once the link is used up, until its limit is raised", async () => {
    const take = vi.fn(async ({ scansMax }: { scansMax: number }) => ({ isTaken: scansMax > 5, taken: 5 }));
    const gates = { getByName: () => ({ take }) } as never;
    expect(await takeScan(gates, link("used"), 5)).toBe(false);
    expect(await takeScan(gates, link("used"), 5)).toBe(false);
    expect(take).toHaveBeenCalledTimes(1);
    // Nine random bytes in Base64: the gate stores some hundred of them.
    expect(take).toHaveBeenCalledWith(expect.objectContaining({ scanId: expect.stringMatching(/^.{12}$/) }));
    expect(await takeScan(gates, link("used"), 6)).toBe(true);
    expect(take).toHaveBeenCalledTimes(2);
  });

  test("is called once more if it failed, unless it is overloaded", async () => {
    const failOnce = (properties: object) => {
      const take = vi.fn().mockRejectedValueOnce(Object.assign(new Error("lost"), properties));
      take.mockResolvedValue({ isTaken: true, taken: 1 });
      return takeScan({ getByName: () => ({ take }) } as never, link(crypto.randomUUID()), 1);
    };
    expect(await failOnce({})).toBe(true);
    await expect(failOnce({ overloaded: true })).rejects.toThrow("lost");
  });

  test("reports a link as used up by its own count or the database's", async () => {
    const gates = (taken: number) => ({ getByName: () => ({ count: async () => taken }) }) as never;
    expect(await isTargetUsedUp(gates(4), target(5, 4))).toBe(false);
    expect(await isTargetUsedUp(gates(5), target(5, 0))).toBe(true);
    expect(await isTargetUsedUp(gates(0), target(5, 5))).toBe(true);
    expect(await isTargetUsedUp(gates(9), { id: "t", guards: null } as unknown as Target)).toBe(false);
  });

  test("that cannot be closed is logged, and closes by itself later", async () => {
    const close = vi.fn().mockRejectedValue(new Error("down"));
    await closeGate({ getByName: () => ({ close }) } as never, { id: "deleted-link", updatedAt: 1 });
    expect(logged.join()).toContain("the gate of the deleted link deleted-link could not be closed");
  });
});

describe("a password", () => {
  const SECRET = "secret that only tests use, long enough";

  interface Behaviour {
    storedHash?: string | null;
    headers?: Record<string, string>;
    take?: (name: string) => Promise<unknown>;
    settle?: (isRight: boolean) => Promise<void>;
  }

  /** Sends a form. The database only contains the hash. Returns the outcome and the settled tries. */
  async function enter(body: string, { storedHash = null, headers = {}, take, settle }: Behaviour = {}) {
    const taken: [name: string, origin: TryOrigin][] = [];
    const settled: boolean[] = [];
    const object = (name: string) => ({
      take: async (_: string, origin: TryOrigin) => {
        taken.push([name, origin]);
        return (await take?.(name)) ?? { isAllowed: true, retryAfterMs: 0 };
      },
      settle: async (_: string, isRight: boolean) => {
        settled.push(isRight);
        await settle?.(isRight);
      },
    });
    const first = async (column?: string) =>
      column === "shard" ? 0 : { maxScans: null, passwordHash: storedHash };
    const database = { prepare: () => ({ bind: () => ({ first }) }) };
    const background: Promise<unknown>[] = [];
    const visit: PasswordVisit = {
      request: new Request("https://go.example/a", {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
        body,
      }),
      url: new URL("https://go.example/a"),
      link: { id: "link", workspaceId: "w", passwordVersion: "v" },
      nowMs: Date.now(),
      waitUntil: (promise) => void background.push(promise),
    };
    const env = {
      DIRECTORY: database,
      SHARD_0: database,
      UPLOAD_SECRET: SECRET,
      PASSWORD_TRIES: { getByName: object },
    } as unknown as PasswordBindings;
    const outcome = await checkPassword(visit, env);
    await Promise.all(background);
    return { outcome: outcome.status, taken, settled };
  }

  test("counts for its link and its origin; only their hashes leave the isolate", async () => {
    const findOrigin = async (address: string, agent = "agent") => {
      const headers = { "CF-Connecting-IP": address, "User-Agent": agent };
      const { outcome, taken, settled } = await enter("password=x", { headers });
      expect([outcome, taken, settled]).toEqual(["passed", [["link:link", expect.anything()]], [true]]);
      return (taken[0] as (typeof taken)[0])[1];
    };
    const own = await findOrigin("2001:db8:1:2::3");
    for (const hash of Object.values(own)) expect(hash).toMatch(/^[0-9a-f]{12}$/);
    expect(await findOrigin("2001:db8:1:2::4")).toEqual(own);
    const client = expect.not.stringMatching(own.client);
    const network = expect.not.stringMatching(own.network);
    expect(await findOrigin("2001:db8:1:2::3", "another")).toEqual({ ...own, client });
    expect(await findOrigin("2001:db8:1:3::3")).toEqual({ ...own, client, network });
    const site = expect.not.stringMatching(own.site);
    expect(await findOrigin("2001:db8:2:2::3")).toEqual({ ...own, client, network, site });
    const provider = expect.not.stringMatching(own.provider);
    expect(await findOrigin("2001:db9:1:2::3")).toEqual({ client, network, site, provider });
  });

  test("is not checked if the limit refuses it", async () => {
    const take = async () => ({ isAllowed: false, retryAfterMs: 1 });
    expect(await enter("password=x", { take })).toMatchObject({ outcome: "limited", settled: [] });
  });

  test("can be right with 128 characters and is wrong if longer; a form has at most 4,096 bytes", async () => {
    const [right, long] = ["x".repeat(128), "x".repeat(129)];
    const storedHash = await hashPassword(right);
    expect(await enter(`password=${right}`, { storedHash })).toMatchObject({
      outcome: "passed",
      settled: [true],
    });
    expect(await enter(`password=${long}`, { storedHash: await hashPassword(long) })).toMatchObject({
      outcome: "wrong",
      settled: [false],
    });
    const pad = (bytes: number) => `password=${right}&pad=`.padEnd(bytes, "p");
    expect((await enter(pad(4_096), { storedHash })).outcome).toBe("passed");
    expect((await enter(pad(4_097), { storedHash })).outcome).toBe("too_large");
  });

  test("whose refund fails is logged, and the visitor is redirected", async () => {
    const settle = () => Promise.reject(new Error(`down ${crypto.randomUUID()}`));
    expect((await enter("password=x", { settle })).outcome).toBe("passed");
    expect(logged.join()).toContain("a password attempt could not be subtracted");
  });

  test("waits 5 seconds for its limit", async () => {
    vi.useFakeTimers();
    const asked = Promise.withResolvers<void>();
    const take = () => {
      asked.resolve();
      return NEVER;
    };
    const entering = enter("password=x", { take });
    await asked.promise;
    expect(await settleWithin(entering, 4_999)).toBe("waits");
    expect(await settleWithin(entering, 1)).toBeInstanceOf(Error);
  });
});

test("a batch whose consumer fails is delivered again after 30 seconds", async () => {
  const retryAll = vi.fn();
  const batch = { queue: "signpost-unknown", messages: [], retryAll } as unknown as MessageBatch;
  await worker.queue?.(batch, {} as Env, {} as ExecutionContext);
  expect(retryAll.mock.calls).toEqual([[{ delaySeconds: 30 }]]);
  expect(logged.join()).toContain("a batch of signpost-unknown failed");
});

test("a request that fails before it is handled returns 500 without the reason", async () => {
  const response = await worker.fetch?.(
    new Request("https://go.example/") as never,
    {} as Env,
    { waitUntil() {} } as unknown as ExecutionContext,
  );
  expect([response?.status, await response?.text()]).toEqual([500, "Internal Server Error"]);
  expect(logged.join()).toContain("a request failed");
});
