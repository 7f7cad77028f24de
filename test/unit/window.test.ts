import { describe, expect, test } from "vitest";
import type { Window } from "../../src/counting/window.ts";
import { recordWindows } from "../support/windows.ts";

/** Upper bound of a message, below the 128 KB that Cloudflare Queues accepts. */
const MESSAGE_BYTES_MAX = 100_000;

const countOccurrences = ({ groups }: Window<unknown>) =>
  groups.reduce((sum, { timesMs }) => sum + timesMs.length, 0);

describe("a counting window", () => {
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

  test("is sent at a hundred occurrences, and the next occurrence opens another", async () => {
    const windows = await recordWindows(Array.from({ length: 250 }, (_, n) => [{ link: `${n % 3}` }, n]));
    expect(windows.map(countOccurrences)).toEqual([100, 100, 50]);
    expect(new Set(windows.map(({ id }) => id)).size).toBe(3);
    const times = windows.flatMap(({ groups }) => groups.flatMap(({ timesMs }) => timesMs));
    expect(times.sort((a, b) => a - b)).toEqual(Array.from({ length: 250 }, (_, n) => n));
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

  test("limits the size that a consumer expands it to, even if all facts are equal", async () => {
    const windows = await recordWindows(
      Array.from({ length: 40 }, (_, n) => [{ link: "a".repeat(8_000) }, n]),
    );
    expect(windows.map(countOccurrences)).toEqual([8, 8, 8, 8, 8]);
  });
});
