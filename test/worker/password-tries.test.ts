import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { workerEnv } from "../support/harness.ts";

/** Tests of the object that limits wrong passwords. */

afterEach(() => vi.restoreAllMocks());

/** Returns a new object with three wrong tries in a minute. */
function newTries() {
  const name = crypto.randomUUID();
  const get = () => workerEnv.PASSWORD_TRIES.getByName(name);
  const take = async (id: string = crypto.randomUUID()) => ({ id, ...(await get().take(id, 3)) });
  /** Makes a wrong try. */
  const fail = async () => {
    const { id, isAllowed } = await take();
    if (isAllowed) await get().settle(id, false);
    return isAllowed;
  };
  return { get, take, fail };
}

test("a minute allows three wrong tries, even if the object is evicted between them", async () => {
  const { get, take, fail } = newTries();
  expect([await fail(), await fail()]).toEqual([true, true]);
  await evictDurableObject(get());
  expect([await fail(), await fail()]).toEqual([true, false]);
  await evictDurableObject(get());
  const { isAllowed, retryAfterMs } = await take();
  expect(isAllowed).toBe(false);
  expect(retryAfterMs).toBeGreaterThan(0);
  expect(retryAfterMs).toBeLessThanOrEqual(60_000);
});

test("a right try is refunded, and a repeated call counts once", async () => {
  const { get, take, fail } = newTries();
  for (let n = 0; n < 10; n++) {
    const { id, isAllowed } = await take();
    expect([isAllowed, (await take(id)).isAllowed]).toEqual([true, true]);
    await get().settle(id, true);
    await get().settle(id, true);
  }
  expect([await fail(), await fail(), await fail(), await fail()]).toEqual([true, true, true, false]);
  const other = newTries();
  const { id } = await other.take();
  for (const _ of [1, 2]) expect((await other.take(id)).isAllowed).toBe(true);
  await other.get().settle(id, false);
  expect([await other.fail(), await other.fail(), await other.fail()]).toEqual([true, true, false]);
});

test("parallel tries beyond the limit wait for the others, and right ones make room", async () => {
  const { get, take } = newTries();
  const first = await Promise.all([take(), take(), take()]);
  const waiting = Promise.all(Array.from({ length: 6 }, () => take()));
  for (const { id } of first) await get().settle(id, true);
  const verdicts = await waiting;
  expect(verdicts.filter(({ isAllowed }) => isAllowed).length).toBe(3);
});

test("a waiting try continues when another try is settled, before its own timeout", async () => {
  // No time passes for the waiting tries.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { get, take } = newTries();
  const [first] = await Promise.all([take(), take(), take()]);
  const waiting = take();
  await get().settle(first.id, true);
  expect((await waiting).isAllowed).toBe(true);
});

test("parallel wrong tries beyond the limit are rejected as soon as the others are wrong", async () => {
  const { get, take } = newTries();
  const first = await Promise.all([take(), take(), take()]);
  const waiting = Promise.all([take(), take()]);
  for (const { id } of first) await get().settle(id, false);
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

test("a try counts for a minute, and a rejection contains the time until the oldest one expires", async () => {
  const { get, take, fail } = newTries();
  const startMs = Date.now();
  const clock = vi.spyOn(Date, "now").mockReturnValue(startMs);
  await fail();
  clock.mockReturnValue(startMs + 10_000);
  await fail();
  await fail();
  expect(await take()).toMatchObject({ isAllowed: false, retryAfterMs: 50_000 });
  clock.mockReturnValue(startMs + 59_999);
  expect(await take()).toMatchObject({ isAllowed: false, retryAfterMs: 1 });
  clock.mockReturnValue(startMs + 60_000);
  expect(await fail()).toBe(true);
  // Three tries count again. The second of them expires first.
  expect(await get().take(crypto.randomUUID(), 2)).toEqual({ isAllowed: false, retryAfterMs: 10_000 });
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
  const { get, take } = newTries();
  const startMs = Date.now();
  const clock = vi.spyOn(Date, "now").mockReturnValue(startMs);
  const first = await Promise.all([take(), take(), take()]);
  let verdict: boolean | undefined;
  const waiting = take().then(({ isAllowed }) => {
    verdict = isAllowed;
  });
  const wakeAt = async (timeMs: number) => {
    clock.mockReturnValue(timeMs);
    // The outcome of an unknown try wakes the waiting tries and makes no room.
    for (let n = 0; n < 5; n++) await get().settle("unknown", false);
  };
  // Calls arrive in order, so the try is waiting from now on.
  await wakeAt(startMs);
  await wakeAt(startMs + 1_999);
  expect(verdict).toBeUndefined();
  await wakeAt(startMs + 2_000);
  await waiting;
  expect(verdict).toBe(false);
  for (const { id } of first) await get().settle(id, false);
  expect((await take()).isAllowed).toBe(false);
});

test("200 tries wait at a time, and further ones are rejected immediately", async () => {
  const { get, take } = newTries();
  const startMs = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(startMs);
  const first = await Promise.all([take(), take(), take()]);
  const verdicts: boolean[] = [];
  const waiting = Array.from({ length: 200 }, () => take().then(({ isAllowed }) => verdicts.push(isAllowed)));
  await get().settle("unknown", false);
  expect(verdicts).toEqual([]);
  expect(await take()).toMatchObject({ isAllowed: false, retryAfterMs: 60_000 });
  expect(verdicts).toEqual([]);
  for (const { id } of first) await get().settle(id, false);
  await Promise.all(waiting);
  expect(verdicts.filter((isAllowed) => isAllowed)).toEqual([]);
});
