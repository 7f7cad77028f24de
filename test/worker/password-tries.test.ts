import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, test, vi } from "vitest";
import { workerEnv } from "../support/harness.ts";

/** Tests of the object that limits wrong passwords. */

afterEach(() => vi.restoreAllMocks());

/** Returns an object of its own, with three wrong tries in a minute. */
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

test("three wrong tries are allowed in a minute, also if the object is evicted between them", async () => {
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

test("a right try is given back, and a repeated one counts once", async () => {
  const { get, take, fail } = newTries();
  for (let n = 0; n < 10; n++) {
    const { id, isAllowed } = await take();
    expect([isAllowed, (await take(id)).isAllowed]).toEqual([true, true]);
    await get().settle(id, true);
    await get().settle(id, true);
  }
  expect([await fail(), await fail(), await fail(), await fail()]).toEqual([true, true, true, false]);
});

test("of parallel tries, those beyond the limit wait for the others: right ones make room", async () => {
  const { get, take } = newTries();
  const first = await Promise.all([take(), take(), take()]);
  const waiting = Promise.all(Array.from({ length: 6 }, () => take()));
  for (const { id } of first) await get().settle(id, true);
  const verdicts = await waiting;
  expect(verdicts.filter(({ isAllowed }) => isAllowed).length).toBe(3);
});

test("parallel wrong tries beyond the limit are refused as soon as the others are known to be wrong", async () => {
  const { get, take } = newTries();
  const first = await Promise.all([take(), take(), take()]);
  const waiting = Promise.all([take(), take()]);
  for (const { id } of first) await get().settle(id, false);
  expect((await waiting).map(({ isAllowed }) => isAllowed)).toEqual([false, false]);
});

test("nothing is stored once the tries are older than a minute", async () => {
  const { get, fail } = newTries();
  await fail();
  expect(await runDurableObjectAlarm(get())).toBe(true);
  expect(await runInDurableObject(get(), (_, { storage }) => [...storage.kv.list()].length)).toBe(1);
  const nowMs = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(nowMs + 61_000);
  expect(await runDurableObjectAlarm(get())).toBe(true);
  expect(await runInDurableObject(get(), (_, { storage }) => [...storage.kv.list()].length)).toBe(0);
});
