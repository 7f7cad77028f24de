import { expect, test, vi } from "vitest";
import { deriveUuid, isUuid } from "../../src/core/id.ts";

/** The maker of identifiers remembers the last one, so each test takes a fresh copy of the module. */
async function freshUuidv7(): Promise<(nowMs: number) => string> {
  vi.resetModules();
  return (await import("../../src/core/id.ts")).uuidv7;
}

/** Milliseconds since the epoch in the first 48 bits. */
function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}

const NOW_MS = 0x017f22e279b0;

test("an identifier has the layout of RFC 9562: time, version 7, variant 10", async () => {
  const uuidv7 = await freshUuidv7();
  const ids = Array.from({ length: 200 }, (_, i) => uuidv7(NOW_MS + i));
  // The time of the RFC's own example (appendix A.6).
  expect(ids[0]).toMatch(/^017f22e2-79b0-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  for (const [i, id] of ids.entries()) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(timeOf(id)).toBe(NOW_MS + i);
  }
});

test("5,000 identifiers of one millisecond are unique and sort in the order they were made", async () => {
  const uuidv7 = await freshUuidv7();
  const ids = Array.from({ length: 5_000 }, () => uuidv7(NOW_MS));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
  // The counter's 12 bits are not enough for as many: they may borrow from the next two milliseconds, no more.
  expect(timeOf(ids.at(-1) as string)).toBeLessThanOrEqual(NOW_MS + 2);
});

test("identifiers keep their order while the clock goes back", async () => {
  const uuidv7 = await freshUuidv7();
  const ids = [NOW_MS, NOW_MS - 1, NOW_MS - 60_000, NOW_MS - 60_000, NOW_MS, NOW_MS + 1].map(uuidv7);
  expect(ids.toSorted()).toEqual(ids);
  expect(timeOf(ids.at(-1) as string)).toBe(NOW_MS + 1);
});

test("the random bits differ between identifiers", async () => {
  const uuidv7 = await freshUuidv7();
  const tails = Array.from({ length: 1_000 }, () => uuidv7(NOW_MS).slice(19));
  expect(new Set(tails).size).toBe(tails.length);
});

test("the identifiers of a request are UUIDv7 of its moment, the same each time, in order, and distinct", () => {
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
])("%j is an identifier of ours: %j", (text, expected) => {
  expect(isUuid(text)).toBe(expected);
});
