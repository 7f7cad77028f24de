import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { forgetRecurringErrors } from "../../src/caching/recurring-errors.ts";
import { hashChangeKey } from "../../src/change-feed/change-key.ts";
import { ChangeCollection, type ChangeSource } from "../../src/change-feed/collect-changes.ts";
import { advanceFeed, type ChangeReports, type FeedDocument } from "../../src/change-feed/feed-document.ts";
import { readFeed, refreshFeed } from "../../src/change-feed/feed-refresh.ts";
import { FeedView } from "../../src/change-feed/feed-view.ts";
import { FeedWatch } from "../../src/change-feed/feed-watch.ts";
import {
  publishLocalChanges,
  readLocalChanges,
  shareLocalChanges,
} from "../../src/change-feed/local-changes.ts";
import { World, WorldDataCentre } from "../support/redirect-world.ts";

/**
 * Durations and limits of the change feed, one by one. Their combined effect is tested in
 * change-feed.test.ts.
 */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW_MS = 1_800_000_000_000;

beforeEach(() => {
  forgetRecurringErrors();
  vi.spyOn(console, "error").mockReturnValue();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Changes with the numbers after `from` up to `to`. */
const listChanges = (from: number, to: number, prefix = "w/") =>
  Array.from({ length: to - from }, (_, index) => ({
    seq: from + index + 1,
    key: `${prefix}${from + index + 1}`,
  }));

/** Advances a feed by changes of shard 0 that arrive at a given time. */
function advance(
  former: FeedDocument | undefined,
  atMs: number,
  changes: { seq: number; key: string }[] | null,
  cursor = changes?.at(-1)?.seq ?? 0,
): FeedDocument {
  return advanceFeed(former, {
    reports: { "0": { cursor, ageMs: 0, changes } },
    askedAtMs: NOW_MS + atMs,
    failed: new Set(),
    isOwnHost: (key) => key.startsWith("0//"),
    isWatchedHost: () => true,
  });
}

describe("a feed", () => {
  test("is valid for 33 seconds after its databases were queried", () => {
    const reports = { "0": { cursor: 7, ageMs: 3_000, changes: null } };
    const never = () => false;
    const update = {
      reports,
      askedAtMs: NOW_MS,
      failed: new Set<string>(),
      isOwnHost: never,
      isWatchedHost: never,
    };
    const view = new FeedView(1, advanceFeed(undefined, update));
    expect(view.getFreshCursor("0", NOW_MS + 29_999)).toBe(7);
    expect(view.getFreshCursor("0", NOW_MS + 30_000)).toBeUndefined();
    expect([29_999, 30_000].map((passedMs) => view.isFresh(NOW_MS + passedMs))).toEqual([true, false]);
    const verdict = view.judge({ database: "0", seq: 7, hashes: [] }, "cache");
    expect(verdict).toMatchObject({ status: "current", freshUntilMs: NOW_MS + 30_000 });
    expect(new FeedView(1).isFresh(NOW_MS)).toBe(false);
  });

  test("confirms no key whose deletion failed, and publishes its change once it is deleted", () => {
    const first = advance(undefined, 0, null, 5);
    const reports = { "0": { cursor: 6, ageMs: 0, changes: listChanges(5, 6) } };
    const update = { reports, askedAtMs: NOW_MS + 1, isOwnHost: () => false, isWatchedHost: () => false };
    const failed = advanceFeed(first, { ...update, failed: new Set(["0"]) });
    expect(failed.databases["0"]).toEqual(first.databases["0"]);
    expect(failed.recent).toEqual([]);
    const followed = advanceFeed(failed, { ...update, failed: new Set() });
    expect(followed.databases["0"]).toMatchObject({ cursor: 6, from: 5, recentFrom: 5 });
    expect(followed.recent).toEqual([[hashChangeKey("0/w/6"), 6, "0", NOW_MS + 1]]);
  });

  test("decides by a key's last change and the location of the entry", () => {
    const changed = advance(advance(undefined, 0, null, 5), 1, listChanges(5, 6));
    const judge = (seq: number, level: "cache" | "memory", key = "0/w/6") =>
      new FeedView(1, changed).judge({ database: "0", seq, hashes: [hashChangeKey(key)] }, level).status;
    expect([judge(5, "cache"), judge(6, "cache")]).toEqual(["changed", "current"]);
    expect([judge(4, "cache", "0/w/1"), judge(5, "cache", "0/w/1")]).toEqual(["unknown", "current"]);
    // A change is dropped after ten minutes: memory that was read before it may have missed it.
    const later = advance(changed, 11 * MINUTE_MS, [], 6);
    const judgeLater = (seq: number, level: "cache" | "memory") =>
      new FeedView(1, later).judge({ database: "0", seq, hashes: [] }, level).status;
    expect([judgeLater(5, "memory"), judgeLater(6, "memory"), judgeLater(5, "cache")]).toEqual([
      "unknown",
      "current",
      "current",
    ]);
    expect(new FeedView(1, later).judge(null, "cache").status).toBe("unknown");
    expect(new FeedView(1, later).judge({ database: "1", seq: 9, hashes: [] }, "cache").status).toBe(
      "unknown",
    );
  });

  test.each([
    [500, 10 * MINUTE_MS - 1, 500],
    [500, 10 * MINUTE_MS, 0],
    [501, 2 * MINUTE_MS - 1, 501],
    [501, 2 * MINUTE_MS, 0],
    [500, 2 * MINUTE_MS, 500],
  ])("of %i changes remembers, %i ms after receiving them, %i", (count, passedMs, remembered) => {
    const heard = advance(advance(undefined, 0, null, 0), 0, listChanges(0, count));
    const later = advance(heard, passedMs, [], count);
    expect(later.recent).toHaveLength(remembered);
    expect(later.databases["0"]).toMatchObject({ from: 0, recentFrom: remembered === 0 ? count : 0 });
  });

  test.each([
    [20_000, 0],
    [20_001, 1],
  ])(
    "of %i changes drops %i early, and then confirms no entry that may have missed them",
    (count, dropped) => {
      const feed = advance(advance(undefined, 0, null, 0), 0, listChanges(0, count));
      expect(feed.recent).toHaveLength(20_000);
      expect(feed.databases["0"]).toMatchObject({ from: dropped, recentFrom: dropped });
    },
  );

  test.each([
    [500, 24 * HOUR_MS - 1, 500, 0],
    [500, 24 * HOUR_MS, 0, 0],
    [501, 1, 500, 1],
  ])("of %i changes of own hosts remembers, after %i ms, %i", (count, passedMs, remembered, from) => {
    const heard = advance(advance(undefined, 0, null, 0), 0, listChanges(0, count, "/host-"));
    const later = advance(heard, passedMs, [], count);
    expect(later.ownHosts).toHaveLength(remembered);
    expect(later.databases["0"]?.from).toBe(from);
  });
});

describe("a collector", () => {
  let nowMs: number;
  beforeEach(() => {
    nowMs = NOW_MS;
  });

  /** Builds a growing source with the given number of changes, and counts its reads. */
  function buildSource(name: string, state: { last: number }) {
    const read = vi.fn(async (cursor: number | null, limit: number) => ({
      last: state.last,
      changes: cursor === null ? [] : listChanges(cursor, state.last, `${name}/`).slice(0, limit),
    }));
    return { name, read } satisfies ChangeSource;
  }
  const open = (...sources: ChangeSource[]) =>
    new ChangeCollection(
      () => sources,
      () => nowMs,
    );

  test("queries a database again after 8 seconds", async () => {
    const source = buildSource("0", { last: 5 });
    const collection = open(source);
    const askAfter = async (passedMs: number) => {
      nowMs = NOW_MS + passedMs;
      await collection.since({ "0": 5 });
      return source.read.mock.calls.length;
    };
    expect([await askAfter(0), await askAfter(7_999), await askAfter(8_000)]).toEqual([1, 1, 2]);
  });

  test.each([
    [1_999, 1],
    [2_001, 0],
  ])("waits for a database: if one responds after %i ms, it reports %i databases", async (delayMs, told) => {
    vi.useFakeTimers();
    const read: ChangeSource["read"] = async () => {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      return { last: 5, changes: [] };
    };
    const reports = open({ name: "0", read }).since({});
    await vi.advanceTimersByTimeAsync(2_100);
    expect(Object.keys(await reports)).toHaveLength(told);
  });

  test.each([
    [500, 500],
    [501, null],
  ])(
    "sends a caller who missed %i changes %j of them, or none if reading everything is cheaper",
    async (missed, told) => {
      const state = { last: 10 };
      const collection = open(buildSource("0", state));
      await collection.since({ "0": 10 });
      nowMs += 8_000;
      state.last += missed;
      const { "0": reports } = await collection.since({ "0": 10 });
      expect([reports?.cursor, reports?.changes?.length ?? null]).toEqual([10 + missed, told]);
      // A caller who missed fewer changes receives them, if necessary from another read.
      const { "0": again } = await collection.since({ "0": 10 + missed - 1 });
      expect(again?.changes).toHaveLength(1);
    },
  );

  test("sends at most 800 changes per call, and leaves the rest for the next call", async () => {
    const states = [{ last: 0 }, { last: 0 }, { last: 0 }];
    const sources = states.map((state, index) => buildSource(String(index), state));
    const collection = open(...sources);
    const cursors = { "0": 0, "1": 0, "2": 0 };
    await collection.since(cursors);
    nowMs += 9_000;
    for (const [index, last] of [400, 400, 1].entries()) (states[index] as { last: number }).last = last;
    const count = (reports: ChangeReports) =>
      Object.values(reports).reduce((sum, { changes }) => sum + (changes?.length ?? 0), 0);
    expect(count(await collection.since(cursors))).toBeLessThanOrEqual(800);
    // Each database comes first in some second, so none is left out for ever.
    const seen = new Set<string>();
    for (const _ of [1, 2, 3]) {
      const reports = await collection.since(cursors);
      expect(count(reports)).toBeLessThanOrEqual(800);
      for (const name of Object.keys(reports)) seen.add(name);
      nowMs += 1_000;
    }
    expect([...seen].sort()).toEqual(["0", "1", "2"]);
    (states[2] as { last: number }).last = 0;
    expect(count(await open(...sources).since({ "0": 0, "1": 0, "2": 0 }))).toBe(800);
  });

  test("queries the first database alone, and then six in parallel", async () => {
    let under = 0;
    const most: number[] = [];
    const read = async () => {
      under += 1;
      most.push(under);
      await new Promise((resolve) => setTimeout(resolve, 1));
      under -= 1;
      return { last: 0, changes: [] };
    };
    await open(...Array.from({ length: 20 }, (_, index) => ({ name: String(index), read }))).since({});
    expect(most).toHaveLength(20);
    expect(Math.max(...most)).toBe(6);
    expect(most[1]).toBe(1);
  });

  test("reports the other databases while one fails", async () => {
    const down: ChangeSource = { name: "0", read: () => Promise.reject(new Error("the database is down")) };
    expect(Object.keys(await open(down, buildSource("1", { last: 3 })).since({}))).toEqual(["1"]);
  });

  test("starts again with a database that was restored to an earlier state", async () => {
    const state = { last: 10 };
    const collection = open(buildSource("0", state));
    await collection.since({ "0": 10 });
    nowMs += 8_000;
    state.last = 9;
    expect((await collection.since({ "0": 10 }))["0"]).toMatchObject({ cursor: 9, changes: null });
    expect((await collection.since({ "0": 9 }))["0"]).toMatchObject({ cursor: 9, changes: [] });
  });
});

describe("a data centre", () => {
  let world: World;
  let centre: WorldDataCentre;
  beforeEach(() => {
    world = new World();
    centre = new WorldDataCentre(world);
  });
  const refresh = (pollCollector: () => Promise<ChangeReports>) =>
    refreshFeed(
      centre,
      pollCollector,
      undefined,
      () => false,
      () => world.nowMs,
    );
  const REPORTS: ChangeReports = { "0": { cursor: 1, ageMs: 0, changes: null } };

  test("leaves a refresh to the isolate that started it for 5 seconds", async () => {
    expect(await refresh(async () => REPORTS)).toBeDefined();
    world.nowMs += 4_999;
    expect(await refresh(async () => REPORTS)).toBeUndefined();
    world.nowMs += 1;
    expect(await refresh(async () => REPORTS)).toBeDefined();
  });

  test("uses a feed without a refresh for less than an hour", async () => {
    const askedAtMs = world.nowMs;
    await refresh(async () => REPORTS);
    expect(await readFeed(centre, askedAtMs + HOUR_MS - 1)).toBeDefined();
    expect(await readFeed(centre, askedAtMs + HOUR_MS)).toBeUndefined();
    expect(centre.entries.get("feed")?.untilMs).toBe(askedAtMs + HOUR_MS);
  });

  test.each([
    [4_999, "followed"],
    [5_001, "failed"],
  ])("waits for the collector: one that responds after %i ms is %s", async (delayMs, expected) => {
    vi.useFakeTimers();
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      return REPORTS;
    };
    const outcome = refresh(slow).then(
      () => "followed",
      () => "failed",
    );
    await vi.advanceTimersByTimeAsync(5_100);
    expect(await outcome).toBe(expected);
  });

  test("deletes each changed key once, six in parallel, and retries failed deletions later", async () => {
    let under = 0;
    const most: number[] = [];
    const deleted: string[] = [];
    centre.delete = async (key) => {
      under += 1;
      most.push(under);
      await new Promise((resolve) => setTimeout(resolve, 1));
      under -= 1;
      if (key === "1/w/3") throw new Error("the cache is down");
      deleted.push(key);
    };
    const twice = [...listChanges(0, 20), { seq: 21, key: "w/1" }, { seq: 22, key: "/own.test" }];
    const feed = await refresh(async () => ({
      "0": { cursor: 22, ageMs: 0, changes: twice },
      "1": { cursor: 9, ageMs: 0, changes: listChanges(0, 9) },
    }));
    expect(Math.max(...most)).toBe(6);
    expect(deleted.filter((key) => key.startsWith("0/"))).toHaveLength(20);
    expect(Object.keys(feed?.databases ?? {})).toEqual(["0"]);
  });

  test("sends its isolates its own changes for a minute, and at most 300", async () => {
    await publishLocalChanges(centre, [["0/w/old", world.nowMs]], world.nowMs);
    const tell = async (passedMs: number, keys: string[]) => {
      const nowMs = world.nowMs + passedMs;
      await publishLocalChanges(
        centre,
        keys.map((key) => [key, nowMs]),
        nowMs,
      );
      return (await readLocalChanges(centre)).map(([key]) => key);
    };
    expect(await tell(MINUTE_MS - 1, ["0/w/new"])).toEqual(["0/w/old", "0/w/new"]);
    expect(await tell(MINUTE_MS, ["0/w/newer"])).toEqual(["0/w/new", "0/w/newer"]);
    expect(centre.entries.get("local-changes")?.untilMs).toBe(world.nowMs + MINUTE_MS);
    const many = Array.from({ length: 299 }, (_, index) => `0/w/${index}`);
    expect(await tell(MINUTE_MS, many)).toHaveLength(300);
    expect((await tell(MINUTE_MS, ["0/w/last"])).slice(-2)).toEqual(["0/w/298", "0/w/last"]);
  });

  test("receives the first change of an isolate at once, and those that follow within 250 ms together", async () => {
    vi.useFakeTimers({ now: world.nowMs });
    try {
      const write = vi.spyOn(centre, "write");
      const share = (key: string) => shareLocalChanges(centre, [key], Date.now());
      await share("0/w/first");
      expect((await readLocalChanges(centre)).map(([key]) => key)).toEqual(["0/w/first"]);
      const sharing = [share("0/w/second"), share("0/w/third"), share("0/w/second")];
      await vi.advanceTimersByTimeAsync(249);
      expect(write).toHaveBeenCalledTimes(1);
      await vi.advanceTimersByTimeAsync(1);
      await Promise.all(sharing);
      expect(await readLocalChanges(centre)).toEqual([
        ["0/w/first", world.nowMs],
        ["0/w/second", world.nowMs],
        ["0/w/third", world.nowMs],
      ]);
      expect(write).toHaveBeenCalledTimes(2);
      vi.setSystemTime(world.nowMs - 60_000);
      await share("0/w/after the clock was set back");
      expect(write).toHaveBeenCalledTimes(3);
    } finally {
      vi.useRealTimers();
    }
  });

  describe("has an isolate that", () => {
    let watch: FeedWatch;
    let work: Promise<unknown>[];
    beforeEach(() => {
      watch = new FeedWatch(() => {});
      work = [];
      world.change("one", 1);
    });
    /** Sends requests that each check the feed to the isolate. Returns the number of calls of the collector. */
    async function request(count: number): Promise<number> {
      const context = world.buildContext(centre, work);
      for (let sent = 0; sent < count; sent++) watch.count(world.nowMs);
      await watch.look(context);
      for (const promise of work) await promise;
      return world.reads.calls;
    }

    test("queries after four requests in 15 seconds, and not after three", async () => {
      world.nowMs += HOUR_MS;
      expect(await request(3)).toBe(0);
      world.nowMs += 5_000;
      expect(await request(1)).toBe(0);
      watch.clear();
      world.nowMs += HOUR_MS;
      await request(1);
      world.nowMs += 5_000;
      await request(1);
      world.nowMs += 5_000;
      expect(await request(2)).toBe(0);
    });

    test.each([
      [15_000, 4, 1],
      [15_000, 3, 0],
      [16_000, 4, 0],
    ])("had, in %i ms, %i requests, queries %i times", async (passedMs, requests, calls) => {
      world.nowMs += HOUR_MS;
      await request(1);
      world.nowMs += passedMs;
      expect(await request(requests)).toBe(calls);
    });

    test("queries the collector again once the feed is 16 seconds old", async () => {
      await request(10);
      world.nowMs += 5_000;
      await request(10);
      const askedAtMs = watch.view.document?.askedAtMs as number;
      expect(world.reads.calls).toBe(1);
      world.nowMs = askedAtMs + 15_999;
      expect(await request(100)).toBe(1);
      world.nowMs = askedAtMs + 21_000;
      expect(await request(100)).toBe(2);
      const againAtMs = watch.view.document?.askedAtMs as number;
      world.nowMs = againAtMs + 11_000;
      expect(await request(100)).toBe(2);
      world.nowMs = againAtMs + 16_000;
      expect(await request(100)).toBe(3);
    });

    test("checks the feed every 5 seconds", async () => {
      await request(1);
      world.nowMs += 5_000;
      await request(100);
      expect(watch.view.document).toBeDefined();
      const read = vi.spyOn(centre, "read");
      const countLooks = async (passedMs: number) => {
        world.nowMs += passedMs;
        expect(watch.count(world.nowMs)).toBe(passedMs === 1);
        await watch.look(world.buildContext(centre, work));
        return read.mock.calls.filter(([key]) => key === "local-changes").length;
      };
      expect([await countLooks(4_999), await countLooks(1)]).toEqual([0, 1]);
    });

    test("leaves a refresh to the request that started it for 10 seconds", async () => {
      await request(1);
      const hang = () => new Promise<never>(() => {});
      const context = { ...world.buildContext(centre, work), pollCollector: vi.fn(hang) };
      const look = async (passedMs: number) => {
        world.nowMs += passedMs;
        centre.entries.clear();
        for (let sent = 0; sent < 100; sent++) watch.count(world.nowMs);
        await watch.look(context);
        await new Promise((resolve) => setTimeout(resolve, 1));
        return context.pollCollector.mock.calls.length;
      };
      expect([await look(5_000), await look(5_000), await look(4_999), await look(1)]).toEqual([1, 1, 1, 2]);
    });
  });
});
