import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { deleteFromCache, lookUpCache, writeCache } from "../../src/caching/data-centre-cache.ts";
import { forgetRecurringErrors, logRecurringError } from "../../src/caching/recurring-errors.ts";
import { getSettings } from "../../src/env.ts";
import { writeThrough } from "../../src/resolving/write-through.ts";

const URL = "https://go.example/.test/key";
const NOW_MS = 1_800_000_000_000;

let log: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  forgetRecurringErrors();
  log = vi.spyOn(console, "error").mockReturnValue();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function delay<Value>(value: Value, delayMs: number): Promise<Value> {
  return new Promise((resolve) => setTimeout(() => resolve(value), delayMs));
}

const readText = (response: Response) => response.text();

test.each([
  [50, "found", []],
  [51, undefined, ["found"]],
])(
  "reading a cache that responds after %i ms returns %j: reads time out after 50 ms",
  async (delayMs, expected, lateValues) => {
    vi.spyOn(caches.default, "match").mockImplementation(() => delay(new Response("found"), delayMs));
    const late: string[] = [];
    const lookUp = lookUpCache(URL, readText, (found) => late.push(found));
    await vi.advanceTimersByTimeAsync(60);
    expect(await lookUp).toBe(expected);
    expect(late).toEqual(lateValues);
    expect(log).toHaveBeenCalledTimes(lateValues.length);
  },
);

test("a failing cache and a cache miss return nothing, and only the failure is logged", async () => {
  const match = vi.spyOn(caches.default, "match").mockResolvedValue(undefined);
  expect(await lookUpCache(URL, readText)).toBeUndefined();
  expect(log).not.toHaveBeenCalled();
  match.mockRejectedValue(new Error("down"));
  expect(await lookUpCache(URL, readText)).toBeUndefined();
  expect(log).toHaveBeenCalledTimes(1);
});

test.each([
  [999, 0],
  [1_001, 1],
])(
  "a write and a deletion that take %i ms fail %i times: they time out after a second",
  async (delayMs, faults) => {
    vi.spyOn(caches.default, "put").mockImplementation(() => delay(undefined, delayMs));
    vi.spyOn(caches.default, "delete").mockImplementation(() => delay(true, delayMs));
    const write = writeCache(URL, new Response("text"));
    const deletion = deleteFromCache(URL).then(
      () => 0,
      () => 1,
    );
    await vi.advanceTimersByTimeAsync(1_100);
    await write;
    expect(log).toHaveBeenCalledTimes(faults);
    expect(await deletion).toBe(faults);
  },
);

test("a failing write is logged and has no other effect", async () => {
  vi.spyOn(caches.default, "put").mockRejectedValue(new Error("down"));
  await writeCache(URL, new Response("text"));
  expect(log).toHaveBeenCalledTimes(1);
});

test("faults of one kind are logged once in ten seconds, and the next line contains their number", () => {
  const at = (passedMs: number) => {
    vi.setSystemTime(NOW_MS + passedMs);
    logRecurringError("the limit of unknown codes failed", new Error("down"));
    return log.mock.calls.length;
  };
  expect([at(0), at(0), at(9_999), at(10_000)]).toEqual([1, 1, 1, 2]);
  expect(log.mock.lastCall?.[0]).toMatch(
    /^{"message":"the limit of unknown codes failed, and 2 times before",/,
  );
  expect(at(20_000)).toBe(3);
  expect(log.mock.lastCall?.[0]).toMatch(/^{"message":"the limit of unknown codes failed","error":/);
  // A clock that goes back suppresses no line.
  expect(at(19_999)).toBe(4);
  logRecurringError("a link could not be read", new Error("down"));
  expect(log).toHaveBeenCalledTimes(5);
});

describe("a change of many links", () => {
  /** Writes links to a cache with a delay per entry. Returns the maximum number of concurrent writes. */
  function write(count: number, delayMs: number) {
    const seen = { most: 0, isDone: false };
    let underWay = 0;
    vi.spyOn(caches.default, "put").mockImplementation(async () => {
      seen.most = Math.max(seen.most, ++underWay);
      await delay(undefined, delayMs);
      underWay -= 1;
    });
    const workspace = { shard: 0, id: crypto.randomUUID() } as never;
    const freedCodeKeys = Array.from({ length: count }, (_, n) => `code-${n}`);
    const tenant = { db: {} as never, settings: getSettings(env), workspace, waitUntil: () => {} };
    const changes = {
      changed: [],
      generated: [],
      ownHosts: [],
      blockedNames: new Set<string>(),
      freedCodeKeys,
      sharedKeys: [],
    };
    void writeThrough(tenant, changes).then(() => {
      seen.isDone = true;
    });
    return seen;
  }

  test("writes six entries at a time, and the request waits as long as entries are being written", async () => {
    const seen = write(13, 40);
    await vi.advanceTimersByTimeAsync(119);
    expect(seen).toEqual({ most: 6, isDone: false });
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.isDone).toBe(true);
  });

  test("delays the request by at most 50 ms if no entry is written in that time", async () => {
    const seen = write(1, 900);
    await vi.advanceTimersByTimeAsync(49);
    expect(seen.isDone).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.isDone).toBe(true);
    await vi.advanceTimersByTimeAsync(2_000);
  });
});
