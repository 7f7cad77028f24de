import { expect, test } from "vitest";
import { deriveUuid, isUuid } from "../../src/core/id.ts";

/** Number of imported copies of the module. */
let copies = 0;

/** Imports a new copy of the module, because the generator keeps its last id in module state. */
async function importGenerator(): Promise<(nowMs: number) => string> {
  const path = `../../src/core/id.ts?copy=${++copies}`;
  const copy: typeof import("../../src/core/id.ts") = await import(/* @vite-ignore */ path);
  return copy.generateUuidv7;
}

/** Reads Unix milliseconds from the first 48 bits. */
function readTime(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}

const NOW_MS = 0x017f22e279b0;

test("generateUuidv7 returns the layout of RFC 9562: time, version 7, variant 10", async () => {
  const generateUuidv7 = await importGenerator();
  const ids = Array.from({ length: 200 }, (_, i) => generateUuidv7(NOW_MS + i));
  // NOW_MS is the time of the example in RFC 9562, appendix A.6.
  expect(ids[0]).toMatch(/^017f22e2-79b0-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  for (const [i, id] of ids.entries()) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(readTime(id)).toBe(NOW_MS + i);
  }
});

test("generateUuidv7 returns 5,000 ids of one millisecond that are unique and sorted", async () => {
  const generateUuidv7 = await importGenerator();
  const ids = Array.from({ length: 5_000 }, () => generateUuidv7(NOW_MS));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
  // The counter has only 12 bits, so the last ids use the time of the next two milliseconds.
  expect(readTime(ids.at(-1) as string)).toBeLessThanOrEqual(NOW_MS + 2);
});

test("generateUuidv7 keeps ids sorted while the clock goes back by less than 10 seconds", async () => {
  const generateUuidv7 = await importGenerator();
  const ids = [NOW_MS, NOW_MS - 1, NOW_MS - 9_999, NOW_MS - 9_999, NOW_MS, NOW_MS + 1].map(generateUuidv7);
  expect(ids.toSorted()).toEqual(ids);
  expect(readTime(ids.at(-1) as string)).toBe(NOW_MS + 1);
});

test("generateUuidv7 returns to a clock that goes back by 10 seconds", async () => {
  const generateUuidv7 = await importGenerator();
  const ids = [NOW_MS, NOW_MS - 10_000, NOW_MS - 10_000].map(generateUuidv7);
  expect(ids.map(readTime)).toEqual([NOW_MS, NOW_MS - 10_000, NOW_MS - 10_000]);
  expect(ids.slice(1).toSorted()).toEqual(ids.slice(1));
});

test("generateUuidv7 returns different random bits for every id", async () => {
  const generateUuidv7 = await importGenerator();
  const tails = Array.from({ length: 1_000 }, () => generateUuidv7(NOW_MS).slice(19));
  expect(new Set(tails).size).toBe(tails.length);
});

test("deriveUuid replaces 14 bits of an id by an ordinal", () => {
  const request = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f";
  expect(deriveUuid(request, 0)).toBe("017f22e2-79b0-7cc3-8000-dc0c0c07398f");
  expect(deriveUuid(request, 199)).toBe("017f22e2-79b0-7cc3-80c7-dc0c0c07398f");
  expect(deriveUuid(request, 0x3fff)).toBe("017f22e2-79b0-7cc3-bfff-dc0c0c07398f");
});

test.each([
  ["017f22e2-79b0-7cc3-98c4-dc0c0c07398f", true],
  ["00000000-0000-0000-0000-000000000000", true],
  ["017F22E2-79B0-7CC3-98C4-DC0C0C07398F", false],
  ["017f22e279b07cc398c4dc0c0c07398f", false],
  ["{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}", false],
  ["017f22e2-79b0-7cc3-98c4-dc0c0c07398f\n", false],
  ["017f22e2-79b0-7cc3-98c4-dc0c0c07398g", false],
  ["", false],
])("isUuid(%j) returns %j", (text, expected) => {
  expect(isUuid(text)).toBe(expected);
});
