import { describe, expect, test } from "vitest";
import type { Window } from "../../src/counting/window.ts";
import { packWindows } from "../support/windows.ts";

/** Below what a queue takes as one message. */
const MESSAGE_BYTES_MAX = 100_000;

const sizeOf = ({ groups }: Window<unknown>) => groups.reduce((sum, { timesMs }) => sum + timesMs.length, 0);

describe("a window", () => {
  test("says once what is alike, with the time of each occurrence", async () => {
    const [window, ...others] = await packWindows([
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

  test("tells facts apart that only look alike when strung together", async () => {
    const lookalikes = [
      { a: "x", b: "y,z" },
      { a: "x,y", b: "z" },
      { a: 'x","b":"y', b: "z" },
      { a: "null" },
      { a: null },
    ];
    const [window] = await packWindows(lookalikes.map((facts) => [facts, 0]));
    expect(window?.groups.map(({ facts }) => facts)).toEqual(lookalikes);
  });

  test("leaves at a hundred occurrences, and the next one opens another", async () => {
    const windows = await packWindows(Array.from({ length: 250 }, (_, n) => [{ link: `${n % 3}` }, n]));
    expect(windows.map(sizeOf)).toEqual([100, 100, 50]);
    expect(new Set(windows.map(({ id }) => id)).size).toBe(3);
    const times = windows.flatMap(({ groups }) => groups.flatMap(({ timesMs }) => timesMs));
    expect(times.sort((a, b) => a - b)).toEqual(Array.from({ length: 250 }, (_, n) => n));
  });

  test.each([
    ["long", "a".repeat(8_000), 8],
    ["of several bytes a character", "日".repeat(3_000), 8],
    ["escaped", "\u0001".repeat(1_500), 8],
  ])("leaves before a queue would refuse it, its facts %s", async (_, text, most) => {
    const windows = await packWindows(Array.from({ length: 40 }, (_, n) => [{ link: `${n}-${text}` }, n]));
    for (const window of windows) {
      expect(new TextEncoder().encode(JSON.stringify(window)).byteLength).toBeLessThan(MESSAGE_BYTES_MAX);
      expect(sizeOf(window)).toBeLessThanOrEqual(most);
    }
    expect(windows.reduce((sum, window) => sum + sizeOf(window), 0)).toBe(40);
  });

  test("bounds what a consumer makes of it, also where all is alike", async () => {
    const windows = await packWindows(Array.from({ length: 40 }, (_, n) => [{ link: "a".repeat(8_000) }, n]));
    expect(windows.map(sizeOf)).toEqual([8, 8, 8, 8, 8]);
  });
});
