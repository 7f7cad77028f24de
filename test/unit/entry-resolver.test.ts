import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forgetRecurringErrors } from "../../src/caching/recurring-errors.ts";
import { FeedWatch } from "../../src/change-feed/feed-watch.ts";
import { UnknownLimit } from "../../src/limits/unknown-limit.ts";
import { EntryMemory } from "../../src/resolving/entry-memory.ts";
import { EntryResolver, type EntrySource, type LookUpContext } from "../../src/resolving/entry-resolver.ts";
import { World, WorldDataCentre } from "../support/redirect-world.ts";

/** Waits and stored entries of one request, while the database hangs, fails or returns late. */

interface Thing {
  id: string;
  updatedAt: number;
}

const KEY = "0/w/one";
const KIND = {
  lifeMs: 86_400_000,
  estimateBytes: () => 100,
  getState: (value: Thing) => value,
};

let world: World;
let centre: WorldDataCentre;
let watch: FeedWatch;
let memory: EntryMemory<Thing>;
let resolver: EntryResolver<Thing>;
let work: Promise<unknown>[];

beforeEach(() => {
  forgetRecurringErrors();
  vi.spyOn(console, "error").mockReturnValue();
  vi.useFakeTimers();
  world = new World();
  centre = new WorldDataCentre(world);
  watch = new FeedWatch(() => {});
  memory = new EntryMemory<Thing>(KIND, 100_000, 100_000);
  resolver = new EntryResolver(KIND, memory, watch);
  work = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const buildThing = (updatedAt: number): Thing => ({ id: "a", updatedAt });
const never = () => new Promise<never>(() => {});
const found = (value: Thing | null) => async () => ({ value, seq: 0, hashes: [] });

function find(
  read: EntrySource<Thing>["read"],
  limit = { limit: async () => ({ success: true }) },
  headers = {},
) {
  const context: LookUpContext = {
    ...world.buildContext(centre, work),
    getUnknownLimit: () => new UnknownLimit(limit, new Headers(headers), world.nowMs),
  };
  return resolver.find(context, { key: KEY, storeKey: KEY, database: "0", read });
}

function remember(value: Thing | null, readAtMs = world.nowMs) {
  return memory.remember(KEY, { value, readAtMs, stamp: null }, watch.view, world.nowMs, "cache");
}

/** Returns "waits", or the promise's result or error, after the given number of milliseconds. */
async function lookAfter(promise: Promise<unknown>, waitMs: number): Promise<unknown> {
  let seen: unknown = "waits";
  promise.then(
    (value) => (seen = value),
    (error) => (seen = `${error.name}: ${error.message}`),
  );
  await vi.advanceTimersByTimeAsync(waitMs);
  return seen;
}

test("a visitor of a cached link waits 300 ms for a hanging database, and the next visitors do not wait", async () => {
  remember(buildThing(1));
  world.nowMs += 60_000;
  const visit = find(never);
  expect(await lookAfter(visit, 299)).toBe("waits");
  expect(await lookAfter(visit, 1)).toEqual(buildThing(1));
  expect(memory.recall(KEY, watch.view, world.nowMs + 4_999)?.value).toEqual(buildThing(1));
  expect(memory.recall(KEY, watch.view, world.nowMs + 5_000)).toBeUndefined();
});

test("a visitor of an uncached link waits 5 seconds for a hanging database", async () => {
  const visit = find(never);
  expect(await lookAfter(visit, 4_999)).toBe("waits");
  expect(await lookAfter(visit, 1)).toMatch(/Error: no res/);
});

test("a result that the database returns in time is used, whether a visitor still waits or not", async () => {
  remember(buildThing(1));
  world.nowMs += 60_000;
  const slow = (delayMs: number, value: Thing) => async () => {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    return found(value)();
  };
  expect(await lookAfter(find(slow(4_990, buildThing(2))), 300)).toEqual(buildThing(1));
  await vi.advanceTimersByTimeAsync(4_700);
  expect(memory.recall(KEY, watch.view, world.nowMs)?.value).toEqual(buildThing(2));
  world.nowMs += 60_000;
  expect(await lookAfter(find(slow(5_010, buildThing(3))), 300)).toEqual(buildThing(2));
  await vi.advanceTimersByTimeAsync(4_800);
  expect(memory.recallStale(KEY, world.nowMs)?.value).toEqual(buildThing(2));
});

test("an entry is used for a day after it was last current while the database fails, and no longer", async () => {
  const fail = () => Promise.reject(new Error("the database is down"));
  remember(buildThing(1));
  world.nowMs += 86_400_000 - 1;
  expect(await find(fail)).toEqual(buildThing(1));
  world.nowMs += 1;
  await expect(find(fail)).rejects.toThrow("the database is down");
});

test.each([
  ["a deletion", null],
  ["a change", buildThing(2)],
])("%s that overtakes a read stays in memory and in the data centre's cache", async (_, written) => {
  centre.entries.clear();
  remember(buildThing(1));
  world.nowMs += 60_000;
  const { promise, resolve } = Promise.withResolvers<void>();
  const visit = find(async () => {
    await promise;
    return found(buildThing(1))();
  });
  await vi.advanceTimersByTimeAsync(10);
  // The change is committed and written through before the read returns its older result.
  world.nowMs += 100;
  const entry = { value: written, readAtMs: world.nowMs, stamp: null };
  memory.remember(KEY, entry, watch.view, world.nowMs, "memory");
  await centre.write(KEY, entry, 25_000);
  resolve();
  await visit;
  await Promise.all(work);
  expect(memory.recall(KEY, watch.view, world.nowMs)?.value).toEqual(written);
  expect(await centre.read(KEY)).toMatchObject({ value: written });
});

test("a visitor beyond the limit gets existing links, and 429 for uncached ones after 20 unknown ones", async () => {
  const headers = { "CF-Connecting-IP": "192.0.2.7" };
  const refuse = { limit: async () => ({ success: false }) };
  const read = vi.fn(found(buildThing(1)));
  const readUncached = () => {
    memory.clear();
    centre.entries.clear();
    return find(read, refuse, headers);
  };
  expect(await find(found(null), refuse, headers)).toBeNull();
  for (let visit = 0; visit < 30; visit++) expect(await readUncached()).toEqual(buildThing(1));
  for (let visit = 0; visit < 20; visit++) {
    memory.clear();
    centre.entries.clear();
    expect(await find(found(null), refuse, headers)).toBeNull();
  }
  read.mockClear();
  await expect(readUncached()).rejects.toThrow("too many look-ups of unknown things");
  expect(read).not.toHaveBeenCalled();
  await centre.write(KEY, { value: buildThing(1), readAtMs: world.nowMs, stamp: null }, 60_000);
  expect(await find(read, refuse, headers)).toEqual(buildThing(1));
  // A link that was found once is read again, however many codes its visitor tried.
  memory.clear();
  centre.entries.clear();
  remember(buildThing(1), world.nowMs - 60_000);
  await find(read, refuse, headers);
  expect(read).toHaveBeenCalledTimes(1);
});

test("an unknown code is only cached for 25 seconds once it is requested again", async () => {
  expect(await find(found(null))).toBeNull();
  await Promise.all(work);
  expect(centre.entries.has(KEY)).toBe(false);
  world.nowMs += 25_000;
  expect(await find(found(null))).toBeNull();
  await Promise.all(work);
  expect(centre.entries.get(KEY)?.untilMs).toBe(world.nowMs + 25_000);
  expect(await find(found(buildThing(1)))).toBeNull();
});

test("a link's entry is stored for its lifetime plus the day for which it may be used during a failure", async () => {
  await find(found(buildThing(1)));
  await Promise.all(work);
  expect(centre.entries.get(KEY)?.untilMs).toBe(world.nowMs + 2 * 86_400_000);
});

test.each([
  [19_999, 1],
  [20_000, 2],
])(
  "a used entry that was read %i ms ago is read %i times: again from 20 seconds on",
  async (ageMs, reads) => {
    const read = vi.fn(found(buildThing(1)));
    await find(read);
    await Promise.all(work);
    world.nowMs += ageMs;
    memory.clear();
    await find(read);
    await Promise.all(work);
    expect(read).toHaveBeenCalledTimes(reads);
  },
);

test.each<[string, number, Thing | null, number, boolean]>([
  ["read in 9,999 ms", 9_999, buildThing(1), 5, true],
  ["read in 10 seconds", 10_000, buildThing(1), 5, false],
  ["from a replica without the last change that the feed had", 0, buildThing(1), 4, false],
  ["of a code without a link", 0, null, 5, false],
])("an entry %s follows the feed or only its age", async (_, durationMs, value, seq, isStamped) => {
  const state = { cursor: 5, from: 0, recentFrom: 0, collectedAtMs: world.nowMs };
  const feed = { askedAtMs: world.nowMs, databases: { "0": state }, recent: [], ownHosts: [] };
  await centre.write("feed", feed, 3_600_000);
  await find(async (_, cursor) => {
    expect(cursor).toBe(5);
    world.nowMs += durationMs;
    return { value, seq, hashes: [7] };
  });
  const stamp = isStamped ? { database: "0", seq, hashes: [7] } : null;
  expect(memory.recall(KEY, watch.view, world.nowMs)?.stamp).toEqual(stamp);
});

test("without a feed, an entry follows only its age, and any replica may answer", async () => {
  await find(async (known, cursor) => {
    expect([known, cursor]).toEqual([null, 0]);
    return { value: buildThing(1), seq: 5, hashes: [] };
  });
  expect(memory.recall(KEY, watch.view, world.nowMs)?.stamp).toBeNull();
});
