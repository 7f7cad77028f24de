import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { formatUuidTime } from "../../src/core/id.ts";
import { DAY_MS, MINUTE_MS } from "../../src/core/time.ts";
import { countBatch } from "../../src/counting/count.ts";
import { isTooOld, SLICE_RETENTION_MS, WINDOW_AGE_MAX_MS } from "../../src/counting/counted-slices.ts";
import { splitSteps } from "../../src/counting/shard-counter.ts";
import { isWindow, listFormerShards, splitWindow } from "../../src/counting/slices.ts";
import type { Window } from "../../src/counting/window.ts";

/** Counting of windows, without a database. */

const NOW_MS = Date.UTC(2026, 10, 22, 12);
const REMEMBERED = "D1_ERROR: NOT NULL constraint failed: counted_buckets.bucket";

let logged: string[];
beforeEach(() => {
  logged = [];
  vi.spyOn(console, "error").mockImplementation((line) => void logged.push(String(line)));
});
afterEach(() => void vi.restoreAllMocks());

interface Facts {
  workspaceId: string;
}

const idAt = (timeMs: number, node = "0123456789ab") => `${formatUuidTime(timeMs)}-7abc-8def-${node}`;
const workspaceOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`;

/** Builds a window with facts of workspaces, given by their numbers. */
function windowOf(workspaces: number[], timeMs = NOW_MS, node?: string): Window<Facts> {
  return {
    id: idAt(timeMs, node),
    groups: workspaces.map((n) => ({ facts: { workspaceId: workspaceOf(n) }, timesMs: [1] })),
  };
}

describe("a window", () => {
  test("is too old after 15 days, and its slices are remembered for longer", () => {
    const id = idAt(NOW_MS - 15 * DAY_MS);
    expect(isTooOld(id, NOW_MS)).toBe(false);
    expect(isTooOld(id, NOW_MS + 1)).toBe(true);
    expect(WINDOW_AGE_MAX_MS).toBe(15 * DAY_MS);
    expect(SLICE_RETENTION_MS).toBe(16 * DAY_MS);
  });

  test("is split into one slice per existing workspace, whose id depends on the workspace", () => {
    const locations = new Map([1, 2].map((n) => [workspaceOf(n), { shard: n }]));
    const window = windowOf([1, 2, 1, 3]);
    const slices = splitWindow(window, locations);
    expect(slices.map(({ location, groups }) => [location.shard, groups.length])).toEqual([
      [1, 2],
      [2, 1],
    ]);
    expect(slices.map(({ id }) => id)).toEqual([idAt(NOW_MS, "0123456789aa"), idAt(NOW_MS, "0123456789a9")]);
    expect(slices.every(({ windowId }) => windowId === window.id)).toBe(true);
    // All twelve digits of the node differ, including the first.
    const workspaceId = "00000000-0000-7000-8000-f00000000001";
    const [far] = splitWindow(
      { id: idAt(NOW_MS), groups: [{ facts: { workspaceId }, timesMs: [1] }] },
      new Map([[workspaceId, { shard: 1 }]]),
    );
    expect(far?.id).toBe(idAt(NOW_MS, "f123456789aa"));
    const [first] = splitWindow(windowOf([1], NOW_MS, "000000000001"), locations);
    expect(first?.id).toBe(idAt(NOW_MS, "000000000000"));
  });

  test.each<[string, unknown, boolean]>([
    ["one with a time", windowOf([1]), true],
    ["one without groups", windowOf([]), true],
    ["a time of 0", { ...windowOf([]), groups: [{ facts: {}, timesMs: [0] }] }, true],
    ["a time below 0", { ...windowOf([]), groups: [{ facts: {}, timesMs: [-1] }] }, false],
    ["a time that is no whole number", { ...windowOf([]), groups: [{ facts: {}, timesMs: [0.5] }] }, false],
    ["a time that is too large", { ...windowOf([]), groups: [{ facts: {}, timesMs: [2 ** 53] }] }, false],
    ["no times", { ...windowOf([]), groups: [{ facts: {}, timesMs: [] }] }, false],
    ["no list of times", { ...windowOf([]), groups: [{ facts: {}, timesMs: "1" }] }, false],
    ["no facts", { ...windowOf([]), groups: [{ facts: null, timesMs: [1] }] }, false],
    ["facts that are a text", { ...windowOf([]), groups: [{ facts: "a", timesMs: [1] }] }, false],
    ["a group that is null", { ...windowOf([]), groups: [null] }, false],
    ["an id that is no UUID", { ...windowOf([]), id: "1" }, false],
    ["an id that is a number", { ...windowOf([]), id: 1 }, false],
    ["null", null, false],
    ["nothing", undefined, false],
  ])("is distinguished from other messages: %s", (_, body, expected) => {
    expect(isWindow(body as Window<Facts>)).toBe(expected);
  });
});

test("a previous shard is checked for windows from before the move, plus a minute for clock differences", () => {
  const list = (timeMs: number, shard = 1) =>
    listFormerShards({
      id: idAt(timeMs),
      groups: [],
      location: {
        shard,
        formerShards: [
          { shard: 0, untilMs: NOW_MS },
          { shard: 0, untilMs: NOW_MS - DAY_MS },
        ],
      },
    });
  expect(list(NOW_MS + MINUTE_MS - 1)).toEqual([0]);
  expect(list(NOW_MS + MINUTE_MS)).toEqual([]);
  expect(list(NOW_MS - 2 * DAY_MS)).toEqual([0]);
  // A workspace that moved back.
  expect(list(NOW_MS - 2 * DAY_MS, 0)).toEqual([]);
  expect(listFormerShards({ id: idAt(1), groups: [], location: { shard: 1 } })).toEqual([]);
});

test("slices are split into steps of at most 1,000,000 bytes; a larger slice has its own step", () => {
  const build = (text: string) => ({ groups: [{ facts: text, timesMs: [] }] });
  const measure = (slice: object) => JSON.stringify(slice).length;
  const empty = measure(build(""));
  const split = (...sizes: number[]) =>
    splitSteps(sizes.map((bytes) => build("a".repeat(bytes - empty)))).map((step) => step.map(measure));
  expect(split()).toEqual([]);
  expect(split(400_000, 600_000)).toEqual([[400_000, 600_000]]);
  expect(split(400_000, 600_001)).toEqual([[400_000], [600_001]]);
  expect(split(50, 1_000_001, 50, 999_950, 60)).toEqual([[50], [1_000_001], [50, 999_950], [60]]);
});

test("slices are split into steps of at most 10,000 occurrences", () => {
  const build = (count: number) => ({ groups: [{ facts: "", timesMs: Array<number>(count).fill(1) }] });
  const split = (...counts: number[]) =>
    splitSteps(counts.map(build)).map((step) => step.map(({ groups }) => groups[0]?.timesMs.length));
  expect(split(4_000, 6_000, 1)).toEqual([[4_000, 6_000], [1]]);
  expect(split(4_000, 6_001)).toEqual([[4_000], [6_001]]);
});

describe("a batch", () => {
  interface Shards {
    /** Returns the error of a transaction with these slices, if it fails. */
    fails?(ids: string[], shard: number): string | undefined;
    /** Ids that are already counted. */
    counted?: Set<string>;
    /** Workspaces whose changes are blocked on their shard. */
    fenced?: string[];
    locations?: Map<
      string,
      { shard: number; isMoving?: boolean; formerShards?: { shard: number; untilMs: number }[] }
    >;
    findLocations?(): never;
  }

  /** Counts windows on stub shards. Returns the attempts and the outcome of each message. */
  async function run(
    windows: (Window<Facts> | object | null)[],
    shards: Shards = {},
    attempts: number | number[] = 1,
  ) {
    const { counted = new Set(), fenced = [] } = shards;
    const tries: { shard: number; ids: string[]; isCounted: boolean }[] = [];
    const after: string[][] = [];
    let ids: string[] = [];
    let underWay = 0;
    let mostUnderWay = 0;
    const getShard = (shard: number) =>
      ({
        prepare: (text: string) => ({
          bind: (json: string) => ({
            json,
            all: async () => {
              const asked: string[] = JSON.parse(json);
              if (/transits/.test(text))
                return { results: asked.filter((id) => fenced.includes(id)).map((id) => ({ id })) };
              const error = shards.fails?.([], shard);
              if (error !== undefined) throw new Error(error);
              return { results: asked.filter((id) => !counted.has(id)).map((id) => ({ id })) };
            },
          }),
        }),
        batch: async (statements: { json: string }[]) => {
          underWay += 1;
          mostUnderWay = Math.max(mostUnderWay, underWay);
          ids = JSON.parse(statements.at(-1)?.json ?? "[]");
          const own = ids;
          await Promise.resolve();
          underWay -= 1;
          const isRemembered = own.some((id) => counted.has(id));
          const error = shards.fails?.(own, shard) ?? (isRemembered ? REMEMBERED : undefined);
          tries.push({ shard, ids: own, isCounted: error === undefined });
          if (error !== undefined) throw new Error(error);
          for (const id of own) counted.add(id);
          return [];
        },
      }) as unknown as D1Database;
    const retried: [unknown, number | undefined][] = [];
    let isAcknowledged = false;
    const messages = windows.map((body, index) => ({
      body,
      attempts: Array.isArray(attempts) ? attempts[index] : attempts,
      retry: (options?: QueueRetryOptions) => void retried.push([body, options?.delaySeconds]),
    }));
    const batch = {
      queue: "signpost-scans",
      messages,
      ackAll: () => {
        isAcknowledged = true;
      },
    } as unknown as MessageBatch<Window<Facts>>;
    await countBatch(batch, NOW_MS, {
      isCountable: ({ workspaceId }: Facts) => workspaceId !== "",
      findLocations: async (workspaceIds) =>
        shards.findLocations?.() ?? shards.locations ?? new Map(workspaceIds.map((id) => [id, { shard: 0 }])),
      getShard,
      buildStatements: () => [],
      afterTransaction: async (_d1, _results, slices) => void after.push(slices.map(({ id }) => id)),
    });
    return { tries, after, retried, isAcknowledged, counted, mostUnderWay };
  }

  const [a, b, c, d] = ["a", "b", "c", "d"].map((digit) => windowOf([1], NOW_MS, digit.repeat(12))) as [
    Window<Facts>,
    Window<Facts>,
    Window<Facts>,
    Window<Facts>,
  ];
  const partOf = ({ id }: Window<Facts>) =>
    splitWindow({ id, groups: windowOf([1]).groups }, new Map([[workspaceOf(1), { shard: 0 }]]))[0]?.id ?? "";

  test("is counted in one transaction, and a window that it contains twice counts once", async () => {
    const { tries, retried, isAcknowledged, after } = await run([a, b, a]);
    expect(tries).toEqual([{ shard: 0, ids: [partOf(a), partOf(b)], isCounted: true }]);
    expect(after).toEqual([[partOf(a), partOf(b)]]);
    expect([retried, isAcknowledged]).toEqual([[], true]);
  });

  test("is retried without the slices that are already counted", async () => {
    const { tries, retried, isAcknowledged } = await run([a, b], { counted: new Set([partOf(a)]) });
    expect(tries.map(({ ids, isCounted }) => [ids, isCounted])).toEqual([
      [[partOf(a), partOf(b)], false],
      [[partOf(b)], true],
    ]);
    expect([retried, isAcknowledged]).toEqual([[], true]);
    expect((await run([a], { counted: new Set([partOf(a)]) })).isAcknowledged).toBe(true);
  });

  test("is not acknowledged if all its windows are retried", async () => {
    const { retried, isAcknowledged } = await run([a], { fails: () => "down" });
    expect([retried, isAcknowledged]).toEqual([[[a, 5]], false]);
  });

  test.each([
    [1, 5],
    [2, 10],
    [6, 160],
    [7, 300],
    [100, 300],
  ])("that failed %i times is delivered again after %i seconds", async (attempts, delaySeconds) => {
    expect((await run([a], { fails: () => "down" }, attempts)).retried).toEqual([[a, delaySeconds]]);
  });

  test("that fails is counted slice by slice from its third delivery", async () => {
    const fails = (ids: string[]) => (ids.includes(partOf(b)) ? "poison" : undefined);
    const second = await run([a, b, c], { fails }, 2);
    expect([second.tries.length, second.retried.length]).toEqual([1, 3]);
    // One message that is delivered the third time is enough.
    const third = await run([a, b, c], { fails }, [1, 3, 2]);
    expect(third.tries.filter(({ isCounted }) => isCounted).map(({ ids }) => ids)).toEqual([
      [partOf(a)],
      [partOf(c)],
    ]);
    expect(third.retried).toEqual([[b, 20]]);
    expect(third.isAcknowledged).toBe(true);
    // A slice that was already alone is not tried again.
    expect((await run([b], { fails }, 3)).tries).toHaveLength(1);
  });

  test("is left to the next delivery after three consecutive slices failed alone", async () => {
    const others = ["e", "f"].map((digit) => windowOf([1], NOW_MS, digit.repeat(12)));
    const all = [a, b, c, d, ...others];
    const down = await run(all, { fails: () => "down" }, 3);
    expect(down.tries.map(({ ids }) => ids.length)).toEqual([6, 1, 1, 1]);
    const good = partOf(c);
    const mixed = await run(
      all,
      { fails: (ids) => (ids.length === 1 && ids[0] === good ? undefined : "down") },
      3,
    );
    // The success of the third slice restarts the count.
    expect(mixed.tries.map(({ ids }) => ids.length)).toEqual([6, 1, 1, 1, 1, 1, 1]);
    expect(mixed.retried).toHaveLength(5);
  });

  test("is counted on every shard except the failing one, four shards at a time", async () => {
    const workspaces = [1, 2, 3, 4, 5, 6];
    const locations = new Map(workspaces.map((n) => [workspaceOf(n), { shard: n }]));
    const windows = workspaces.map((n) => windowOf([n], NOW_MS, `${n}`.repeat(12)));
    const { retried, mostUnderWay, isAcknowledged } = await run(windows, {
      locations,
      fails: (_, shard) => (shard === 3 ? "down" : undefined),
    });
    expect(retried).toEqual([[windows[2], 5]]);
    expect([mostUnderWay, isAcknowledged]).toEqual([4, true]);
    // A window with slices on both shards is delivered again completely; its other slice is remembered.
    const both = windowOf([2, 3]);
    expect(
      (await run([both], { locations, fails: (_, shard) => (shard === 3 ? "down" : undefined) })).retried,
    ).toEqual([[both, 5]]);
  });

  test("waits if the directory fails", async () => {
    const { tries, retried, isAcknowledged } = await run([a, windowOf([])], {
      findLocations: () => {
        throw new Error("the directory is down");
      },
    });
    expect([tries, retried.length, isAcknowledged]).toEqual([[], 2, false]);
    expect(logged.join()).toContain("the shards for a batch of signpost-scans could not be determined");
  });

  test("does not count slices of a workspace that is moving or has started to move", async () => {
    const moving = { shard: 0, isMoving: true };
    const locations = new Map<string, { shard: number; isMoving?: boolean }>([
      [workspaceOf(1), { shard: 0 }],
      [workspaceOf(2), moving],
    ]);
    const other = windowOf([2], NOW_MS, "2".repeat(12));
    const waiting = await run([a, other], { locations });
    expect([waiting.retried, waiting.tries.map(({ ids }) => ids)]).toEqual([[[other, 5]], [[partOf(a)]]]);
    const fences = await run([a, windowOf([3], NOW_MS, "3".repeat(12))], {
      fenced: [workspaceOf(3)],
      fails: (ids) => (ids.length > 1 ? "workspace_moving" : undefined),
    });
    expect(fences.retried.map(([body]) => (body as Window<Facts>).id)).toEqual([
      idAt(NOW_MS, "3".repeat(12)),
    ]);
    expect(fences.tries.map(({ ids }) => ids.length)).toEqual([2, 1]);
  });

  test("checks previous shards, skips what they counted, and waits for a failing one", async () => {
    const location = { shard: 1, formerShards: [{ shard: 0, untilMs: NOW_MS }] };
    const locations = new Map([[workspaceOf(1), location]]);
    const done = await run([a, b], { locations, counted: new Set([partOf(a)]) });
    expect([done.retried, done.tries.map(({ ids }) => ids)]).toEqual([[], [[partOf(b)]]]);
    const failing = await run([a], { locations, fails: (_, shard) => (shard === 0 ? "down" : undefined) });
    expect([failing.tries, failing.retried]).toEqual([[], [[a, 5]]]);
    expect(logged.join()).toContain("a previous shard did not respond");
  });

  test("leaves messages that are no windows, too old or have facts that cannot be counted", async () => {
    const old = windowOf([1], NOW_MS - 15 * DAY_MS - 1);
    const foreign = { ...d, groups: [...d.groups, { facts: { workspaceId: "" }, timesMs: [1] }] };
    const { retried, tries, isAcknowledged } = await run([null, foreign, old, a]);
    expect(retried.map(([body]) => body)).toEqual([null, foreign, old]);
    expect(tries.map(({ ids }) => ids)).toEqual([[partOf(a)]]);
    expect(isAcknowledged).toBe(true);
    expect(logged).toHaveLength(2);
    logged = [];
    await run([a]);
    expect(logged).toEqual([]);
  });
});
