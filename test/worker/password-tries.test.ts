import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { workerEnv } from "../support/harness.ts";

/** Tests of the object that limits wrong passwords. */

afterEach(() => vi.restoreAllMocks());

/** Wrong passwords that one client may enter in a minute. */
const CLIENT_MAX = 10;

const range = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Returns the origin of a client in a network of a site. Each site has a provider of its own unless one is given. */
const from = (client = "c", network = "n", site = "s", provider = site) => ({
  client: `${site} ${network} ${client}`,
  network: `${site} ${network}`,
  site,
  provider,
});

/** Returns a new object. All tries have the same origin unless another is given. */
function newTries() {
  const name = crypto.randomUUID();
  const get = () => workerEnv.PASSWORD_TRIES.getByName(name);
  const take = async (id: string = crypto.randomUUID(), origin = from()) => ({
    id,
    ...(await get().take(id, origin)),
  });
  /** Makes a wrong try. */
  const fail = async (origin = from()) => {
    const { id, isAllowed } = await take(undefined, origin);
    if (isAllowed) await get().settle(id, false);
    return isAllowed;
  };
  /** Makes wrong tries. Returns how many were allowed. */
  const failTimes = async (count: number, origin = from()) => {
    let allowed = 0;
    for (const _ of range(count)) if (await fail(origin)) allowed += 1;
    return allowed;
  };
  return { get, take, fail, failTimes };
}

/** Stops the clock. Returns its time and a function that sets it. */
function stopClock() {
  const startMs = Date.now();
  const clock = vi.spyOn(Date, "now").mockReturnValue(startMs);
  return { startMs, setPassedMs: (passedMs: number) => void clock.mockReturnValue(startMs + passedMs) };
}

describe("in a minute, wrong tries are limited", () => {
  test("for a client to 10, even if the object is evicted between them; others of its network continue", async () => {
    const { get, take, failTimes, fail } = newTries();
    expect(await failTimes(6)).toBe(6);
    await evictDurableObject(get());
    expect(await failTimes(6)).toBe(4);
    await evictDurableObject(get());
    const { isAllowed, retryAfterMs } = await take();
    expect(isAllowed).toBe(false);
    expect(retryAfterMs).toBeGreaterThan(0);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
    expect(await fail(from("another client"))).toBe(true);
  });

  test("for a network to 30 and for a site to 60; other networks and sites continue", async () => {
    const { failTimes, fail } = newTries();
    const failNetwork = async (network: string) => {
      const counts: number[] = [];
      for (const client of ["a", "b", "c", "d"]) counts.push(await failTimes(11, from(client, network)));
      return counts;
    };
    expect(await failNetwork("first")).toEqual([10, 10, 10, 0]);
    expect(await failNetwork("second")).toEqual([10, 10, 10, 0]);
    expect(await fail(from("a", "third"))).toBe(false);
    expect(await fail(from("a", "third", "another site"))).toBe(true);
  });

  test("for all sites to 100, beside 3 for each site", async () => {
    const { failTimes } = newTries();
    for (const n of range(10)) expect(await failTimes(10, from("c", "n", `site ${n}`))).toBe(10);
    expect(await failTimes(1, from("another", "n", "site 0"))).toBe(0);
    for (const n of range(3)) expect(await failTimes(5, from("c", "n", `late ${n}`))).toBe(3);
  });

  test.each([
    ["a provider to 300, and the sites of other providers continue", 299, "provider", 3],
    ["all sites to 1,000", 999, undefined, 0],
  ])("for %s, reserved tries included", async (_, count, provider, others) => {
    const { get, failTimes } = newTries();
    const tries = range(count).map((n) => ({
      ...{ atMs: Date.now(), id: `${n}` },
      ...from("c", "n", `site ${n}`, provider),
    }));
    await runInDurableObject(get(), (_, { storage }) => storage.kv.put("tries", tries));
    expect(await failTimes(2, from("c", "n", "late", provider))).toBe(1);
    expect(await failTimes(5, from("c", "n", "elsewhere"))).toBe(others);
  });
});

test("right tries are limited to 40 at once and 2 per second for a client, 120 and 6 for its network", async () => {
  const { get, take } = newTries();
  const { setPassedMs } = stopClock();
  const countAllowed = async (count: number, client: string) => {
    let allowed = 0;
    for (const _ of range(count)) {
      const { id, isAllowed, retryAfterMs } = await take(undefined, from(client));
      expect(retryAfterMs).toBe(isAllowed ? 0 : 1_000);
      if (isAllowed) await get().settle(id, true);
      allowed += isAllowed ? 1 : 0;
    }
    return allowed;
  };
  expect([await countAllowed(42, "a"), await countAllowed(42, "b")]).toEqual([40, 40]);
  setPassedMs(1_000);
  expect(await countAllowed(4, "a")).toBe(2);
  // The network has 120 + 6 - 82 left.
  expect([await countAllowed(42, "c"), await countAllowed(42, "d")]).toEqual([40, 4]);
});

test("a right try is refunded, and a repeated call counts once", async () => {
  const { get, take, failTimes } = newTries();
  for (const _ of range(15)) {
    const { id, isAllowed } = await take();
    expect([isAllowed, (await take(id)).isAllowed]).toEqual([true, true]);
    await get().settle(id, true);
    await get().settle(id, true);
  }
  expect(await failTimes(12)).toBe(10);
  const other = newTries();
  const { id } = await other.take();
  for (const _ of [1, 2]) expect((await other.take(id)).isAllowed).toBe(true);
  await other.get().settle(id, false);
  expect(await other.failTimes(12)).toBe(9);
});

/** Returns a new object with as many undecided tries of a client as it may have, and their ids. */
async function newFullTries() {
  const tries = newTries();
  const first = await Promise.all(range(CLIENT_MAX).map(() => tries.take()));
  const settleFirst = async (isRight: boolean) => {
    for (const { id } of first) await tries.get().settle(id, isRight);
  };
  return { ...tries, first, settleFirst };
}

test("parallel tries beyond the limit wait for the others, and right ones make room", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { take, settleFirst } = await newFullTries();
  const waiting = Promise.all(range(15).map(() => take()));
  await settleFirst(true);
  // Those without room wait for two seconds.
  await vi.advanceTimersByTimeAsync(2_000);
  const verdicts = await waiting;
  expect(verdicts.filter(({ isAllowed }) => isAllowed).length).toBe(10);
});

test("a waiting try continues when another try is settled, before its own timeout", async () => {
  // No time passes for the waiting tries.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { get, take, first } = await newFullTries();
  const waiting = take();
  await get().settle(first[0]?.id ?? "", true);
  expect((await waiting).isAllowed).toBe(true);
});

test("parallel wrong tries beyond the limit are rejected as soon as the others are wrong", async () => {
  const { take, settleFirst } = await newFullTries();
  const waiting = Promise.all([take(), take()]);
  await settleFirst(false);
  expect((await waiting).map(({ isAllowed }) => isAllowed)).toEqual([false, false]);
});

test("nothing is stored once all tries are older than a minute", async () => {
  const { get, fail } = newTries();
  await fail();
  expect(await runDurableObjectAlarm(get())).toBe(true);
  expect(await runInDurableObject(get(), (_, { storage }) => [...storage.kv.list()].length)).toBe(1);
  const nowMs = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(nowMs + 61_000);
  expect(await runDurableObjectAlarm(get())).toBe(true);
  expect(await runInDurableObject(get(), (_, { storage }) => [...storage.kv.list()].length)).toBe(0);
});

test("a try counts for a minute, and a rejection contains the time until one expires that makes room", async () => {
  const { take, fail, failTimes } = newTries();
  const { setPassedMs } = stopClock();
  await fail();
  setPassedMs(10_000);
  expect(await failTimes(9)).toBe(9);
  expect(await take()).toMatchObject({ isAllowed: false, retryAfterMs: 50_000 });
  setPassedMs(59_999);
  expect(await take()).toMatchObject({ isAllowed: false, retryAfterMs: 1 });
  setPassedMs(60_000);
  expect(await fail()).toBe(true);
  expect(await take()).toMatchObject({ isAllowed: false, retryAfterMs: 10_000 });
});

test("an alarm deletes tries older than a minute, and is set again for the others", async () => {
  const { get, fail } = newTries();
  const readAlarm = () => runInDurableObject(get(), (_, { storage }) => storage.getAlarm());
  const countTries = () =>
    runInDurableObject(get(), (_, { storage }) => storage.kv.get<unknown[]>("tries")?.length ?? 0);
  const startMs = Date.now();
  const clock = vi.spyOn(Date, "now").mockReturnValue(startMs);
  await fail();
  clock.mockReturnValue(startMs + 10_000);
  await fail();
  expect(await readAlarm()).toBe(startMs + 60_000);
  clock.mockReturnValue(startMs + 60_000);
  expect(await runDurableObjectAlarm(get())).toBe(true);
  expect([await countTries(), await readAlarm()]).toEqual([1, startMs + 70_000]);
  clock.mockReturnValue(startMs + 69_999);
  expect(await runDurableObjectAlarm(get())).toBe(true);
  expect(await countTries()).toBe(1);
  clock.mockReturnValue(startMs + 70_000);
  expect(await runDurableObjectAlarm(get())).toBe(true);
  expect([await countTries(), await readAlarm()]).toEqual([0, null]);
});

test("a try waits two seconds for undecided tries, and does not wait for wrong ones", async () => {
  const { startMs, setPassedMs } = stopClock();
  const { get, take, settleFirst } = await newFullTries();
  let verdict: boolean | undefined;
  const waiting = take().then(({ isAllowed }) => {
    verdict = isAllowed;
  });
  const wakeAt = async (passedMs: number) => {
    setPassedMs(passedMs);
    // The outcome of an unknown try wakes the waiting tries and makes no room.
    for (const _ of range(5)) await get().settle("unknown", false);
  };
  // Calls arrive in order, so the try is waiting from now on.
  await wakeAt(0);
  await wakeAt(1_999);
  expect(verdict).toBeUndefined();
  await wakeAt(2_000);
  await waiting;
  expect([verdict, Date.now() - startMs]).toEqual([false, 2_000]);
  await settleFirst(false);
  expect((await take()).isAllowed).toBe(false);
});

test("200 tries wait at a time, and further ones are rejected immediately", async () => {
  stopClock();
  const { get, take, settleFirst } = await newFullTries();
  const verdicts: boolean[] = [];
  const waiting = range(200).map(() => take().then(({ isAllowed }) => verdicts.push(isAllowed)));
  await get().settle("unknown", false);
  expect(verdicts).toEqual([]);
  expect(await take()).toMatchObject({ isAllowed: false, retryAfterMs: 60_000 });
  expect(verdicts).toEqual([]);
  await settleFirst(false);
  await Promise.all(waiting);
  expect(verdicts.filter((isAllowed) => isAllowed)).toEqual([]);
});

test("an object can be claimed by one id, repeatedly, until its time has passed", async () => {
  const { get } = newTries();
  const claim = (id: string) => get().claim(id, 600_000);
  expect([await claim("a"), await claim("a"), await claim("b")]).toEqual([true, true, false]);
  await evictDurableObject(get());
  expect(await claim("b")).toBe(false);
  expect(await runInDurableObject(get(), (_, { storage }) => storage.getAlarm())).toBeGreaterThan(
    Date.now() + 500_000,
  );
  expect(await runDurableObjectAlarm(get())).toBe(true);
  expect(await claim("b")).toBe(true);
});
