import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { forgetRecurringErrors } from "../../src/caching/recurring-errors.ts";
import type { Resolver } from "../../src/resolving/resolve.ts";
import { openIsolate, visitWorld, World, WorldDataCentre } from "../support/redirect-world.ts";
import { chooseRuns } from "../support/runs.ts";

/** Changes as seen by redirects, with simulated data centres, isolates, replicas and failures. */

const SEEN_MS = 35_000;

let world: World;
let here: WorldDataCentre;
let isolate: Resolver;
let errors: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  forgetRecurringErrors();
  errors = vi.spyOn(console, "error").mockReturnValue();
  world = new World();
  here = new WorldDataCentre(world);
  isolate = openIsolate();
  world.change("one", 1);
  world.change("other", 1);
});
afterEach(() => void vi.restoreAllMocks());

const visit = (codeKey = "one", from = isolate, dataCentre = here) =>
  visitWorld(world, dataCentre, from, codeKey);

/** Visits a link once a second for the given time. */
async function keepBusy(durationMs: number, codeKey = "other", from = isolate, dataCentre = here) {
  for (let passedMs = 0; passedMs < durationMs; passedMs += 1_000) {
    world.nowMs += 1_000;
    await visit(codeKey, from, dataCentre);
  }
}

test("an entry is cached for hours while the feed is fresh, and read again after a day", async () => {
  await keepBusy(30_000);
  await visit();
  const { links } = world.reads;
  for (let minute = 0; minute < 12 * 60; minute++) {
    await keepBusy(4_000, "one");
    world.nowMs += 10_000;
    await keepBusy(4_000, "one");
  }
  expect(world.reads.links - links).toBeLessThanOrEqual(1);
  const hour = 3_600_000;
  const day = world.reads.links;
  world.nowMs += 24 * hour;
  await keepBusy(60_000, "one");
  expect(world.reads.links).toBeGreaterThan(day);
});

test("another isolate of the data centre uses the entries that the feed confirms, without a read", async () => {
  await keepBusy(30_000);
  await visit();
  for (let step = 0; step < 60; step++) await keepBusy(20_000);
  const { links, hosts } = world.reads;
  const another = openIsolate();
  expect(await visit("one", another)).toBe(1);
  expect([world.reads.links, world.reads.hosts]).toEqual([links, hosts]);
});

test("a change elsewhere is seen within 35 seconds although the entry would live for a day", async () => {
  await keepBusy(60_000, "one");
  const { links } = world.reads;
  world.change("one", 2);
  await keepBusy(SEEN_MS, "one");
  expect(await visit()).toBe(2);
  expect(world.reads.links - links).toBeLessThanOrEqual(2);
  await keepBusy(60_000, "one");
  expect(world.reads.links - links).toBeLessThanOrEqual(2);
});

test("a few requests do not read the feed, and entries expire by age", async () => {
  for (let visits = 0; visits < 20; visits++) {
    world.nowMs += 30_000;
    await visit();
  }
  expect(world.reads.calls).toBe(0);
  expect(world.reads.links).toBe(20);
});

test("a link that changes just after its read is read again as soon as the feed contains the change", async () => {
  await keepBusy(46_000);
  await visit();
  world.change("one", 2);
  // A data centre refreshes its feed every 16 seconds from a feed that may be 8 seconds old, and isolates
  // check every 5 seconds.
  await keepBusy(30_000);
  expect(await visit()).toBe(2);
  expect(await visit("one", openIsolate())).toBe(2);
  expect(errors).not.toHaveBeenCalled();
});

test("the collector restarts without losing a change", async () => {
  await keepBusy(60_000);
  await visit();
  world.change("one", 2);
  world.restartCollector();
  await keepBusy(SEEN_MS);
  expect(await visit()).toBe(2);
});

test("many data centres query each database only once in some seconds", async () => {
  const centres = Array.from({ length: 20 }, () => new WorldDataCentre(world));
  const isolates = centres.map(openIsolate);
  for (let second = 0; second < 120; second++) {
    world.nowMs += 1_000;
    for (const [index, centre] of centres.entries()) {
      await visit("one", isolates[index], centre);
    }
  }
  expect(world.reads.polls).toBeLessThanOrEqual(3 * (120 / 8 + 1));
  expect(world.reads.calls).toBeLessThanOrEqual(20 * (120 / 16 + 2));
});

test("a change committed during a read is seen even if the read's entry is stored late", async () => {
  await keepBusy(30_000);
  const { promise, resolve } = Promise.withResolvers<void>();
  world.hold = promise;
  here.held = [];
  const early = visit();
  await new Promise((done) => setTimeout(done, 5));
  world.change("one", 2);
  world.nowMs += 4_000;
  world.hold = undefined;
  resolve();
  expect(await early).toBe(1);
  // The feed contains the change before the entry of the early read arrives in the cache.
  await keepBusy(25_000);
  here.land();
  here.held = undefined;
  await keepBusy(10_000);
  const another = openIsolate();
  expect(await visit("one", another)).toBe(2);
  await keepBusy(30 * 60_000);
  expect(await visit("one", openIsolate())).toBe(2);
});

test("a replica that lags behind by minutes creates no entry that the feed would confirm", async () => {
  await keepBusy(30_000);
  here.lagMs = 300_000;
  world.change("one", 2);
  await keepBusy(20_000);
  expect(await visit()).toBe(2);
  await keepBusy(600_000);
  expect(await visit("one", openIsolate())).toBe(2);
});

test("a read without a date from the feed creates no entry that the feed would confirm", async () => {
  await keepBusy(30_000);
  // An isolate that has not seen the feed reads a replica that lags behind by minutes.
  world.change("one", 2);
  await keepBusy(20 * 60_000);
  here.lagMs = 21 * 60_000;
  const read = here.read.bind(here);
  here.read = async (key) => (key === "feed" ? undefined : read(key));
  await visit("one", openIsolate());
  here.read = read;
  await keepBusy(60_000);
  expect(await visit("one", openIsolate())).toBe(2);
});

test("without the collector, entries are read again after 25 seconds, as without a feed", async () => {
  await keepBusy(60_000, "one");
  world.isCollectorDown = true;
  world.change("one", 2);
  await keepBusy(SEEN_MS, "one");
  expect(await visit()).toBe(2);
  const { links } = world.reads;
  await keepBusy(100_000, "one");
  expect(world.reads.links - links).toBeGreaterThanOrEqual(3);
  expect(errors.mock.calls.some(([line]: unknown[]) => String(line).includes("the change feed"))).toBe(true);
  world.isCollectorDown = false;
  await keepBusy(60_000, "one");
  const before = world.reads.links;
  await keepBusy(600_000, "one");
  expect(world.reads.links - before).toBeLessThanOrEqual(1);
});

test("while a shard is down, its links expire by age, and other links follow the feed", async () => {
  await keepBusy(60_000);
  await visit();
  (world.shards[1] as { isDown: boolean }).isDown = true;
  const { links } = world.reads;
  for (let round = 0; round < 20; round++) {
    await keepBusy(30_000);
    expect(await visit()).toBe(1);
  }
  expect(world.reads.links - links).toBeLessThanOrEqual(2);
  // The shard's own links work for a day.
  (world.shards[0] as { isDown: boolean }).isDown = true;
  for (let hour = 0; hour < 23; hour++) {
    world.nowMs += 3_600_000;
    expect(await visit()).toBe(1);
  }
});

test("too many changes in a short time invalidate all entries of their database", async () => {
  await keepBusy(60_000);
  await visit();
  world.change("one", 2);
  for (let change = 0; change < 2_000; change++) world.change(`bulk-${change}`, 1);
  await keepBusy(SEEN_MS);
  expect(await visit()).toBe(2);
  expect(await visit("one", openIsolate())).toBe(2);
  const { links } = world.reads;
  await keepBusy(600_000);
  expect(await visit()).toBe(2);
  expect(world.reads.links - links).toBeLessThanOrEqual(2);
});

test("a moved workspace is found on its new shard, immediately if its links have left the old one", async () => {
  await keepBusy(60_000);
  await visit();
  world.move(1);
  world.change("one", 2);
  await keepBusy(SEEN_MS);
  expect(await visit()).toBe(2);
  world.move(0);
  world.change("one", 3);
  world.nowMs += 1_000;
  // The code does not exist on the old shard, so it is looked up there, and the workspace is gone.
  expect(await visit("none")).toBe(0);
  expect(await visit("one", openIsolate(), new WorldDataCentre(world))).toBe(3);
});

test("a data centre that lost its feed reads its entries again", async () => {
  await keepBusy(60_000);
  await visit();
  here.entries.delete("feed");
  world.change("one", 2);
  await keepBusy(SEEN_MS);
  const another = openIsolate();
  await keepBusy(20_000, "other", another);
  expect(await visit("one", another)).toBe(2);
});

test("a data centre whose cache cannot delete follows no change, and lets entries expire by age", async () => {
  await keepBusy(60_000);
  await visit();
  here.failsToDelete = true;
  world.change("one", 2);
  await keepBusy(20 * 60_000);
  expect(await visit("one", openIsolate())).toBe(2);
  here.failsToDelete = false;
  await keepBusy(60_000);
  const { links } = world.reads;
  await keepBusy(20 * 60_000, "one");
  expect(world.reads.links - links).toBeLessThanOrEqual(2);
});

test("a change of an own host affects the links that redirect to it", async () => {
  const { FeedView } = await import("../../src/change-feed/feed-view.ts");
  const { advanceFeed } = await import("../../src/change-feed/feed-document.ts");
  const { formatOwnHostKey, hashChangeKey, parseOwnHostKey } = await import(
    "../../src/change-feed/change-key.ts"
  );
  const delivery = (atMs: number, changes: { seq: number; key: string }[], cursor: number) => ({
    reports: { "0": { cursor, ageMs: 0, changes } },
    askedAtMs: atMs,
    failed: new Set<string>(),
    isOwnHost: (key: string) => parseOwnHostKey(key) !== null,
    isWatchedHost: (key: string) => parseOwnHostKey(key) === "go.other.test",
  });
  const first = advanceFeed(undefined, delivery(0, [], 5));
  const second = advanceFeed(
    first,
    delivery(
      1_000,
      [
        { seq: 6, key: "/go.other.test" },
        { seq: 7, key: "/w.short.test" },
      ],
      7,
    ),
  );
  // The change is still recorded hours later.
  const later = advanceFeed(second, delivery(20 * 3_600_000, [], 7));
  const stamp = { database: "0", seq: 5, hashes: [1, hashChangeKey(formatOwnHostKey("0", "go.other.test"))] };
  expect(new FeedView(1, later).judge(stamp, "cache").status).toBe("changed");
  expect(new FeedView(1, later).judge({ ...stamp, hashes: [1] }, "cache").status).toBe("current");
  expect(later.ownHosts).toHaveLength(1);
  expect(advanceFeed(later, delivery(26 * 3_600_000, [], 7)).ownHosts).toHaveLength(0);
});

/** Step of the property below. */
type Step =
  | { do: "wait"; ms: number }
  | { do: "visit" | "slow visit"; centre: number; isolate: number; code: string }
  | { do: "change"; code: string }
  | { do: "restart isolate"; centre: number; isolate: number }
  | { do: "lose feed" | "lose cache" | "land"; centre: number }
  | { do: "lag"; centre: number; ms: number }
  | { do: "hold writes" | "fail deletes"; centre: number; isOn: boolean }
  | { do: "collector"; isDown: boolean }
  | { do: "restart collector" | "finish slow" | "burst" | "move" };

const CENTRES = 2;
const ISOLATES = 2;
const centre = fc.nat(CENTRES - 1);
const inIsolate = fc.nat(ISOLATES - 1);
const code = fc.constantFrom("one", "other");
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ms: fc.oneof(
        fc.integer({ min: 1, max: 3_000 }),
        fc.integer({ min: 1, max: 40_000 }),
        fc.constantFrom(150_000, 700_000),
      ),
    }),
  },
  {
    weight: 14,
    arbitrary: fc.record({ do: fc.constant("visit" as const), centre, isolate: inIsolate, code }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("slow visit" as const), centre, isolate: inIsolate, code }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("finish slow" as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("change" as const), code }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("restart isolate" as const), centre, isolate: inIsolate }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom("lose feed" as const, "lose cache" as const), centre }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("land" as const), centre }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom("hold writes" as const, "fail deletes" as const),
      centre,
      isOn: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("lag" as const), centre, ms: fc.constantFrom(0, 1_000, 5_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("collector" as const), isDown: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom("restart collector" as const, "burst" as const, "move" as const),
    }),
  },
);

/** Runs a script of events and checks every visit. */
async function runScript(steps: readonly Step[]): Promise<void> {
  const own = new World();
  const centres = Array.from({ length: CENTRES }, () => new WorldDataCentre(own));
  const isolates = centres.map(() => Array.from({ length: ISOLATES }, openIsolate));
  let version = 1;
  own.change("one", version);
  own.change("other", version);
  own.nowMs += 60_000;
  let slow: { done: Promise<unknown>; release: () => void; startedAtMs: number } | undefined;
  const heldSinceMs = new Map<WorldDataCentre, number>();
  const finishSlow = async () => {
    slow?.release();
    own.hold = undefined;
    await slow?.done;
    slow = undefined;
  };
  for (const event of steps) {
    // No read lasts longer than 5 seconds, and no pending write outlives its invocation.
    if (slow !== undefined && own.nowMs > slow.startedAtMs + 4_000) await finishSlow();
    for (const [held, sinceMs] of heldSinceMs) {
      if (own.nowMs <= sinceMs + 30_000) continue;
      held.land();
      heldSinceMs.set(held, own.nowMs);
    }
    const at = "centre" in event ? (centres[event.centre] as WorldDataCentre) : undefined;
    switch (event.do) {
      case "wait":
        own.nowMs += slow === undefined && heldSinceMs.size === 0 ? event.ms : Math.min(event.ms, 2_000);
        break;
      case "visit":
      case "slow visit": {
        const from = isolates[event.centre]?.[event.isolate] as Resolver;
        if (event.do === "slow visit" && slow === undefined) {
          const { promise, resolve } = Promise.withResolvers<void>();
          own.hold = promise;
          slow = {
            done: visitWorld(own, at as WorldDataCentre, from, event.code).catch(() => {}),
            release: resolve,
            startedAtMs: own.nowMs,
          };
          await new Promise((done) => setTimeout(done, 0));
          own.hold = undefined;
          break;
        }
        // A blocked look-up would also block this visit.
        if (slow !== undefined) await finishSlow();
        const seen = await visitWorld(own, at as WorldDataCentre, from, event.code);
        expect(seen).toBeGreaterThanOrEqual(own.getVersion(event.code, own.nowMs - SEEN_MS));
        break;
      }
      case "change":
        own.change(event.code, ++version);
        break;
      case "restart isolate":
        (isolates[event.centre] as Resolver[])[event.isolate] = openIsolate();
        break;
      case "lose feed":
        at?.entries.delete("feed");
        break;
      case "lose cache":
        at?.entries.clear();
        break;
      case "land":
        at?.land();
        break;
      case "lag":
        (at as WorldDataCentre).lagMs = event.ms;
        break;
      case "hold writes":
        at?.land();
        (at as WorldDataCentre).held = event.isOn ? [] : undefined;
        if (event.isOn) heldSinceMs.set(at as WorldDataCentre, own.nowMs);
        else heldSinceMs.delete(at as WorldDataCentre);
        break;
      case "fail deletes":
        (at as WorldDataCentre).failsToDelete = event.isOn;
        break;
      case "collector":
        own.isCollectorDown = event.isDown;
        break;
      case "restart collector":
        own.restartCollector();
        break;
      case "burst":
        for (let index = 0; index < 600; index++) own.change(`bulk-${index}`, 1);
        break;
      case "move":
        own.move(1 - own.shard);
        break;
      case "finish slow":
        await finishSlow();
        break;
    }
  }
  await finishSlow();
}

describe("a change made elsewhere is always seen within 35 seconds", () => {
  test("with scripts of all kinds of events", async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 300 }), runScript);
    await fc.assert(property, { numRuns: chooseRuns(50, 150), seed: 1, endOnFailure: true });
  }, 120_000);

  test("with steady visits, in one isolate and in turns", async () => {
    for (const ms of [500, 1_000, 4_500, 6_000]) {
      for (const isolates of [1, 2]) {
        const steps = Array.from({ length: Math.ceil(200_000 / ms) }, (_, index): Step[] => [
          { do: "wait", ms },
          { do: "visit", centre: 0, isolate: index % isolates, code: "one" },
          ...(index % 37 === 5 ? [{ do: "change", code: "one" } as const] : []),
        ]);
        await runScript(steps.flat());
      }
    }
  }, 60_000);
});
