import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CountingWindow, type Window, type WindowQueues } from "../../src/counting/window.ts";
import { recordWindows } from "../support/windows.ts";

/** Upper bound of a message, below the 128 KB that Cloudflare Queues accepts. */
const MESSAGE_BYTES_MAX = 100_000;

const countOccurrences = ({ groups }: Window<unknown>) =>
  groups.reduce((sum, { timesMs }) => sum + timesMs.length, 0);

/** Runs pending timers immediately, one after another. */
function skipWaits(): void {
  beforeEach(() => void vi.useFakeTimers().setTimerTickMode("nextTimerAsync"));
  afterEach(() => void vi.useRealTimers());
}

describe("a counting window", () => {
  skipWaits();

  test("groups equal facts, with the time of each occurrence", async () => {
    const [window, ...others] = await recordWindows([
      [{ link: "a", country: null }, 1_000],
      [{ link: "b", country: null }, 1_001],
      [{ link: "a", country: null }, 1_001],
      [{ link: "a", country: "CA" }, 1_002],
      [{ link: "a", country: null }, 1_001],
    ]);
    expect(others).toEqual([]);
    expect(window).toEqual({
      id: expect.any(String),
      groups: [
        { facts: { link: "a", country: null }, timesMs: [1_000, 1_001, 1_001] },
        { facts: { link: "b", country: null }, timesMs: [1_001] },
        { facts: { link: "a", country: "CA" }, timesMs: [1_002] },
      ],
    });
  });

  test("holds the mark of each visitor, in the order of the times", async () => {
    const markVisitor = vi.fn(async (mark: string) => mark);
    const [window] = await recordWindows([
      ["a", 1, () => markVisitor("first")],
      ["b", 2],
      ["a", 3],
      ["a", 4, () => markVisitor("last")],
    ]);
    expect(window?.groups).toEqual([
      { facts: "a", timesMs: [1, 3, 4], visitors: ["first", "", "last"] },
      { facts: "b", timesMs: [2] },
    ]);
    expect(markVisitor).toHaveBeenCalledTimes(2);
  });

  test("separates facts whose values only concatenate to the same text", async () => {
    const lookalikes = [
      { a: "x", b: "y,z" },
      { a: "x,y", b: "z" },
      { a: 'x","b":"y', b: "z" },
      { a: "null" },
      { a: null },
    ];
    const [window] = await recordWindows(lookalikes.map((facts) => [facts, 0]));
    expect(window?.groups.map(({ facts }) => facts)).toEqual(lookalikes);
  });

  test("is sent at five hundred occurrences, and the next occurrence opens another", async () => {
    const windows = await recordWindows(Array.from({ length: 1_250 }, (_, n) => [{ link: `${n % 3}` }, n]));
    expect(windows.map(countOccurrences)).toEqual([500, 500, 250]);
    expect(new Set(windows.map(({ id }) => id)).size).toBe(3);
    const times = windows.flatMap(({ groups }) => groups.flatMap(({ timesMs }) => timesMs));
    expect(times.sort((a, b) => a - b)).toEqual(Array.from({ length: 1_250 }, (_, n) => n));
  });

  test.each([
    ["long", "a".repeat(8_000), 8],
    ["multi-byte", "日".repeat(3_000), 8],
    ["escaped", "\u0001".repeat(1_500), 8],
  ])(
    "is sent before it exceeds the queue's message size, with facts that are %s",
    async (_, text, countMax) => {
      const windows = await recordWindows(
        Array.from({ length: 40 }, (_, n) => [{ link: `${n}-${text}` }, n]),
      );
      for (const window of windows) {
        expect(new TextEncoder().encode(JSON.stringify(window)).byteLength).toBeLessThan(MESSAGE_BYTES_MAX);
        expect(countOccurrences(window)).toBeLessThanOrEqual(countMax);
      }
      expect(windows.reduce((sum, window) => sum + countOccurrences(window), 0)).toBe(40);
    },
  );

  test("counts the bytes of groups and of times", async () => {
    // JSON of a group: 26 bytes, the facts, and 14 bytes for each time.
    const long = "a".repeat(998);
    const facts = Array.from({ length: 62 }, (_, n) => [`${10 + n}${long.slice(2)}`, n] as [string, number]);
    // Each takes 1,040 bytes, so the 62nd exceeds 64,000.
    expect((await recordWindows(facts)).map(countOccurrences)).toEqual([62]);
    expect((await recordWindows([...facts, ["next", 63]])).map(countOccurrences)).toEqual([62, 1]);
  });

  test("is full with 64,000 bytes, or 200,000 when expanded, and not with one byte less", async () => {
    const count = async (...facts: string[]) =>
      (await recordWindows(facts.map((text, n) => [text, n] as [string, number]))).map(countOccurrences);
    // 42 bytes of the JSON are not text: 2 quotes, 26 of the group and 14 of the time.
    expect(await count("a".repeat(63_958), "b")).toEqual([1, 1]);
    expect(await count("a".repeat(63_957), "b")).toEqual([2]);
    expect(await count(...Array(20).fill("a".repeat(9_998)), "b")).toEqual([20, 1]);
    const almost = [...Array(20).fill("a".repeat(9_997)), "b".repeat(17)];
    expect(await count(...almost, "c")).toEqual([22]);
  });

  test("limits the size that a consumer expands it to, even if all facts are equal", async () => {
    const windows = await recordWindows(
      Array.from({ length: 60 }, (_, n) => [{ link: "a".repeat(8_000) }, n]),
    );
    expect(windows.map(countOccurrences)).toEqual([25, 25, 10]);
  });
});

describe("a window that the main queue rejects", () => {
  skipWaits();

  type Name = keyof WindowQueues<unknown>;

  /** Returns queues that reject the given number of windows, and the sent and rejected windows in order. */
  function buildQueues(refusals: Record<Name, number>) {
    const sends: [Name, boolean, Window<unknown>][] = [];
    const build = (name: Name) => ({
      send: async (message: Window<unknown>) => {
        refusals[name] -= 1;
        sends.push([name, refusals[name] < 0, message]);
        if (refusals[name] >= 0) throw new Error("Too Many Requests");
      },
    });
    return {
      queues: { main: build("main"), spare: build("spare") } as unknown as WindowQueues<unknown>,
      sends,
    };
  }

  async function recordOne(refusals: Record<Name, number>) {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { queues, sends } = buildQueues(refusals);
    const sending: Promise<unknown>[] = [];
    new CountingWindow([1, 1]).record(queues, "facts", 1, (promise) => sending.push(promise));
    await Promise.all(sending);
    const lines = log.mock.calls.map(([line]) => String(line));
    vi.restoreAllMocks();
    expect(new Set(sends.map(([, , { id }]) => id)).size, "every attempt sends the same window").toBe(1);
    return { attempts: sends.map(([name, isSent]) => `${name}${isSent ? " sent" : ""}`), lines };
  }

  test.each<[Record<Name, number>, string[]]>([
    [{ main: 0, spare: 0 }, ["main sent"]],
    [{ main: 1, spare: 0 }, ["main", "spare sent"]],
    [{ main: 9, spare: 1 }, ["main", "spare", "main", "spare sent"]],
    [{ main: 1, spare: 9 }, ["main", "spare", "main sent"]],
    [{ main: 9, spare: 2 }, ["main", "spare", "main", "spare", "main", "spare sent"]],
  ])("goes to the spare queue, then to both again: %j", async (refusals, expected) => {
    const { attempts, lines } = await recordOne(refusals);
    expect(attempts).toEqual(expected);
    expect(lines.join()).not.toContain("lost");
  });

  test("is lost, which is logged, only after both queues rejected every attempt", async () => {
    const { attempts, lines } = await recordOne({ main: 9, spare: 9 });
    expect(attempts).toHaveLength(6);
    expect(lines.at(-1)).toContain('"1 occurrences are lost: both queues rejected them"');
  });

  test("waits for a queue together with a limited number of others", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { queues, sends } = buildQueues({ main: 9_999, spare: 9_999 });
    const sending: Promise<unknown>[] = [];
    const window = new CountingWindow([50]);
    for (let n = 0; n < 125_000; n++) window.record(queues, "facts", n, (promise) => sending.push(promise));
    await Promise.all(sending);
    vi.restoreAllMocks();
    // The first 200 of 250 windows are sent again. The others are dropped immediately.
    expect(sends).toHaveLength(2 * (250 + 200));
  });
});

describe("the time at which a window is sent:", () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  function collect(refuses = false) {
    const sent: { atMs: number; times: number[]; id: string }[] = [];
    const send = async ({ id, groups }: Window<unknown>) => {
      sent.push({ atMs: Date.now() - 1_000_000, times: groups.flatMap(({ timesMs }) => timesMs), id });
      if (refuses) throw new Error("Too Many Requests");
    };
    const queue = { send } as unknown as Queue<Window<unknown>>;
    const window = new CountingWindow<unknown>();
    const record = (waitUntil: (promise: Promise<unknown>) => void = () => {}) =>
      window.record({ main: queue, spare: queue }, "facts", Date.now(), waitUntil);
    return { sent, record };
  }

  test("one second after its first occurrence", async () => {
    const { sent, record } = collect();
    record();
    await vi.advanceTimersByTimeAsync(999);
    record();
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent.map(({ atMs, times }) => [atMs, times])).toEqual([[1_000, [1_000_000, 1_000_999]]]);
    record();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent.map(({ atMs }) => atMs)).toEqual([1_000, 2_000]);
  });

  test("not again if it was full before", async () => {
    const { sent, record } = collect();
    for (let n = 0; n < 500; n++) record();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(sent.map(({ atMs, times }) => [atMs, times.length])).toEqual([[0, 500]]);
  });

  test("by another request if its opener was cancelled, a second after it was due", async () => {
    const { sent, record } = collect();
    // The timers of a cancelled request never fire.
    vi.stubGlobal("setTimeout", () => 0);
    record();
    vi.unstubAllGlobals();
    await vi.advanceTimersByTimeAsync(2_000);
    record();
    await vi.advanceTimersByTimeAsync(1_500);
    // At 2,000 ms the opener may still send it.
    expect(sent).toEqual([]);
    record();
    await vi.advanceTimersByTimeAsync(999);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent.map(({ atMs, times }) => [atMs, times.length])).toEqual([[4_500, 3]]);
  });

  test("again after 0.1, 1, 5 and 15 seconds, with its id, if both queues reject it", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { sent, record } = collect(true);
    record();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent.map(({ atMs }) => atMs)).toEqual(
      [1_000, 1_100, 2_100, 7_100, 22_100].flatMap((atMs) => [atMs, atMs]),
    );
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  });

  test("a window waits for a queue for at most 30 seconds, then others take its place", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { sent, record } = collect(true);
    // The requests of these windows are cancelled while they wait.
    vi.stubGlobal("setTimeout", () => 0);
    const fill = async (windows: number) => {
      for (let n = 0; n < 500 * windows; n++) record();
      await vi.advanceTimersByTimeAsync(0);
    };
    await fill(200);
    vi.unstubAllGlobals();
    const isSentAgain = async () => {
      const before = sent.length;
      await fill(1);
      await vi.advanceTimersByTimeAsync(100);
      return sent.length - before > 2;
    };
    await vi.advanceTimersByTimeAsync(29_999);
    expect(await isSentAgain()).toBe(false);
    expect(await isSentAgain()).toBe(true);
  });
});
