import fc from "fast-check";
import { expect, test } from "vitest";
import { isFull, type TokenBucket, takeToken } from "../../src/limits/token-bucket.ts";

const START_MS = 1_795_253_400_000;

/** How many of the calls made after these waits (milliseconds, negative where the clock goes back) get a token. */
function takenOf(perSecond: number, waitsMs: readonly number[]): number {
  let bucket: TokenBucket | undefined;
  let nowMs = START_MS;
  let count = 0;
  for (const waitMs of waitsMs) {
    nowMs += waitMs;
    const take = takeToken(bucket, perSecond, nowMs);
    bucket = take.bucket;
    if (take.taken) count += 1;
  }
  return count;
}

const rate = fc.integer({ min: 1, max: 200 });

test("never lets more through than it holds and refills", () => {
  fc.assert(
    fc.property(
      rate,
      fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 300 }),
      (perSecond, waitsMs) => {
        const elapsedMs = waitsMs.slice(1).reduce((sum, wait) => sum + wait, 0);
        const permitted = Math.floor(perSecond + (perSecond * elapsedMs) / 1_000 + 1e-6);
        expect(takenOf(perSecond, waitsMs)).toBeLessThanOrEqual(permitted);
      },
    ),
  );
});

test("a clock that goes back refills nothing", () => {
  fc.assert(
    fc.property(
      rate,
      fc.array(fc.integer({ min: -500, max: 0 }), { maxLength: 300 }),
      (perSecond, waitsMs) => {
        expect(takenOf(perSecond, waitsMs)).toBe(Math.min(perSecond, waitsMs.length));
      },
    ),
  );
});

test("never refuses who keeps to the rate", () => {
  fc.assert(
    fc.property(rate, fc.integer({ min: 1, max: 300 }), (perSecond, calls) => {
      const waitMs = Math.ceil(1_000 / perSecond);
      expect(takenOf(perSecond, Array(calls).fill(waitMs))).toBe(calls);
    }),
  );
});

test("is always between empty and full, and its tokens cost one each", () => {
  const state = fc.record({
    tokens: fc.double({ min: 0, max: 200, noNaN: true }),
    atMs: fc.constant(START_MS),
  });
  fc.assert(
    fc.property(rate, state, fc.integer({ min: 0, max: 10_000 }), (perSecond, { tokens, atMs }, waitMs) => {
      const before = { tokens: Math.min(tokens, perSecond), atMs };
      const held = Math.min(perSecond, before.tokens + (perSecond * waitMs) / 1_000);
      const { taken, bucket } = takeToken(before, perSecond, atMs + waitMs);
      expect(taken).toBe(held >= 1);
      expect(bucket.tokens).toBeCloseTo(taken ? held - 1 : held, 6);
      expect(bucket.tokens).toBeGreaterThanOrEqual(0);
      expect(bucket.tokens).toBeLessThanOrEqual(perSecond);
    }),
  );
});

test.each([
  ["a full burst at once", 10, Array(15).fill(0), 10],
  ["a token after a tenth of a second", 10, [...Array(11).fill(0), 99, 1], 11],
  [
    "nothing more after an idle hour than the bucket holds",
    10,
    [...Array(10).fill(0), 3_600_000, ...Array(20).fill(0)],
    20,
  ],
  ["nothing on a plan without calls", 0, [0, 1_000, 1_000], 0],
])("gives %s", (_, perSecond, waitsMs, expected) => {
  expect(takenOf(perSecond, waitsMs)).toBe(expected);
});

test("a refused call costs nothing: calls in vain do not put off the next token", () => {
  const everyMs = Array(100).fill(1);
  expect(takenOf(10, [...Array(10).fill(0), ...everyMs])).toBe(11);
});

test("a bucket that has refilled to the brim may be forgotten", () => {
  const { bucket } = takeToken(undefined, 10, START_MS);
  expect(isFull(bucket, 10, START_MS + 99)).toBe(false);
  expect(isFull(bucket, 10, START_MS + 100)).toBe(true);
  expect(isFull(bucket, 10, START_MS - 1_000)).toBe(false);
});
