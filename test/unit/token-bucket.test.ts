import fc from "fast-check";
import { expect, test } from "vitest";
import { isFull, isRefilled, type TokenBucket, takeToken } from "../../src/limits/token-bucket.ts";

const START_MS = 1_795_253_400_000;

/**
 * Counts the calls that get a token. A call follows each wait (milliseconds; negative if the clock goes
 * back).
 */
function countTaken(perSecond: number, waitsMs: readonly number[]): number {
  let bucket: TokenBucket | undefined;
  let nowMs = START_MS;
  let count = 0;
  for (const waitMs of waitsMs) {
    nowMs += waitMs;
    const result = takeToken(bucket, perSecond, nowMs);
    bucket = result.bucket;
    if (result.isTaken) count += 1;
  }
  return count;
}

const rate = fc.integer({ min: 1, max: 200 });

test("takeToken allows no more calls than the bucket holds and refills", () => {
  fc.assert(
    fc.property(
      rate,
      fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 300 }),
      (perSecond, waitsMs) => {
        const elapsedMs = waitsMs.slice(1).reduce((sum, wait) => sum + wait, 0);
        const allowed = Math.floor(perSecond + (perSecond * elapsedMs) / 1_000 + 1e-6);
        expect(countTaken(perSecond, waitsMs)).toBeLessThanOrEqual(allowed);
      },
    ),
  );
});

test("takeToken refills nothing if the clock goes back", () => {
  fc.assert(
    fc.property(
      rate,
      fc.array(fc.integer({ min: -500, max: 0 }), { maxLength: 300 }),
      (perSecond, waitsMs) => {
        expect(countTaken(perSecond, waitsMs)).toBe(Math.min(perSecond, waitsMs.length));
      },
    ),
  );
});

test("takeToken allows every call at the refill rate", () => {
  fc.assert(
    fc.property(rate, fc.integer({ min: 1, max: 300 }), (perSecond, calls) => {
      const waitMs = Math.ceil(1_000 / perSecond);
      expect(countTaken(perSecond, Array(calls).fill(waitMs))).toBe(calls);
    }),
  );
});

test("takeToken keeps the bucket between empty and full, and takes one token per call", () => {
  const state = fc.record({
    tokens: fc.double({ min: 0, max: 200, noNaN: true }),
    atMs: fc.constant(START_MS),
  });
  fc.assert(
    fc.property(rate, state, fc.integer({ min: 0, max: 10_000 }), (perSecond, { tokens, atMs }, waitMs) => {
      const before = { tokens: Math.min(tokens, perSecond), atMs };
      const available = Math.min(perSecond, before.tokens + (perSecond * waitMs) / 1_000);
      const { isTaken, bucket } = takeToken(before, perSecond, atMs + waitMs);
      expect(isTaken).toBe(available >= 1);
      expect(bucket.tokens).toBeCloseTo(isTaken ? available - 1 : available, 6);
      expect(bucket.tokens).toBeGreaterThanOrEqual(0);
      expect(bucket.tokens).toBeLessThanOrEqual(perSecond);
    }),
  );
});

test.each([
  ["allows a full burst at once", 10, Array(15).fill(0), 10],
  ["adds a token after a tenth of a second", 10, [...Array(11).fill(0), 99, 1], 11],
  [
    "holds no more than a full burst after an idle hour",
    10,
    [...Array(10).fill(0), 3_600_000, ...Array(20).fill(0)],
    20,
  ],
  ["allows nothing with a rate of 0", 0, [0, 1_000, 1_000], 0],
])("takeToken %s", (_, perSecond, waitsMs, expected) => {
  expect(countTaken(perSecond, waitsMs)).toBe(expected);
});

test("takeToken does not delay the next token for rejected calls", () => {
  const everyMs = Array(100).fill(1);
  expect(countTaken(10, [...Array(10).fill(0), ...everyMs])).toBe(11);
});

test("isFull returns true once the bucket has refilled", () => {
  const { bucket } = takeToken(undefined, 10, START_MS);
  expect(isFull(bucket, 10, START_MS + 99)).toBe(false);
  expect(isFull(bucket, 10, START_MS + 100)).toBe(true);
  expect(isFull(bucket, 10, START_MS - 1_000)).toBe(false);
});

test.each([1, 10, 1_000])(
  "isRefilled returns true after a second, when %i tokens a second are full",
  (perSecond) => {
    const empty = { tokens: 0, atMs: START_MS };
    expect(isRefilled(empty, START_MS + 999)).toBe(false);
    expect(isRefilled(empty, START_MS + 1_000)).toBe(true);
    expect(isFull(empty, perSecond, START_MS + 1_000)).toBe(true);
  },
);
