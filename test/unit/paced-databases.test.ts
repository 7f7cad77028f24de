import { afterEach, expect, test, vi } from "vitest";
import { pauseCalls, queueCalls } from "../../src/self-host/paced-databases.ts";

/** Returns a database that adds its statements to `calls`, and fails for the statement `fail`. */
function createDatabase(calls: string[]): D1Database {
  const run = async (sql: string) => {
    calls.push(sql);
    if (sql === "fail") throw new Error("failed");
    return sql;
  };
  return {
    prepare: (sql: string) => ({ all: () => run(sql), first: () => run(sql) }),
    batch: (statements: unknown[]) => run(`batch of ${statements.length}`),
  } as unknown as D1Database;
}

afterEach(() => vi.unstubAllGlobals());

test("each call of a database ends after a timer, and an env keeps its databases", async () => {
  const timers: (() => void)[] = [];
  vi.stubGlobal("setTimeout", (run: () => void) => void timers.push(run));
  const own = { DIRECTORY: createDatabase([]), SHARD_0: createDatabase([]) };
  const env = pauseCalls(own);
  expect(pauseCalls(own)).toBe(env);
  let result: unknown = null;
  const reading = env.SHARD_0.prepare("one")
    .first()
    .then((value) => {
      result = value;
    });
  for (let tick = 0; tick < 20; tick++) await Promise.resolve();
  expect(result).toBeNull();
  expect(timers).toHaveLength(1);
  timers.pop()?.();
  await reading;
  expect(result).toBe("one");
});

test("each queued call of a database waits for the one before and for a timer, so that requests get their turn", async () => {
  const timers: (() => void)[] = [];
  vi.stubGlobal("setTimeout", (run: () => void) => void timers.push(run));
  const calls: string[] = [];
  const env = queueCalls({ DIRECTORY: createDatabase(calls), SHARD_0: createDatabase(calls) });
  const failing = env.DIRECTORY.prepare("fail").all();
  failing.catch(() => {});
  const results = Promise.all([
    env.SHARD_0.prepare("one").first(),
    env.DIRECTORY.batch([env.DIRECTORY.prepare("two"), env.DIRECTORY.prepare("three")]),
  ]);
  const begun: string[][] = [];
  for (let turn = 0; turn < 3; turn++) {
    for (let tick = 0; tick < 20; tick++) await Promise.resolve();
    begun.push([...calls]);
    expect(timers).toHaveLength(1);
    timers.pop()?.();
  }
  expect(begun).toEqual([["fail"], ["fail", "one"], ["fail", "one", "batch of 2"]]);
  await expect(failing).rejects.toThrow("failed");
  expect(await results).toEqual(["one", "batch of 2"]);
});
