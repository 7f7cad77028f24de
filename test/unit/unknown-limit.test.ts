import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forgetRecurringErrors } from "../../src/caching/recurring-errors.ts";
import { UnknownLimit, UnknownLimitError } from "../../src/resolving/unknown-limit.ts";

const NOW_MS = 1_800_000_000_000;

let addressCount = 0;

beforeEach(() => {
  forgetRecurringErrors();
  vi.spyOn(console, "error").mockReturnValue();
  addressCount += 1;
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Opens the limit for the visitor of this test at a time. */
function open(nowMs: number, limit: RateLimit["limit"] = async () => ({ success: false })) {
  const headers = new Headers({ "CF-Connecting-IP": `192.0.2.${addressCount}` });
  return new UnknownLimit({ limit }, headers, nowMs);
}

test.each([
  [0, 10],
  [1, 10],
  [1_000, 9],
  [9_000, 1],
  [9_999, 1],
  [10_000, 0],
  [20_000, 0],
])(
  "%i ms after a visitor exceeded the limit, Retry-After is %i: never too early",
  async (passedMs, seconds) => {
    await open(NOW_MS).count();
    expect(open(NOW_MS + passedMs).retryAfterSeconds).toBe(seconds);
  },
);

test("assertOpen throws for as long as the visitor is to wait", async () => {
  await open(NOW_MS).count();
  expect(() => open(NOW_MS + 9_999).assertOpen()).toThrow(new UnknownLimitError(1));
  expect(() => open(NOW_MS + 10_000).assertOpen()).not.toThrow();
});

test("a request counts once, and none without an address", async () => {
  const limit = vi.fn(async () => ({ success: true }));
  const once = open(NOW_MS, limit);
  await once.count();
  await once.count();
  expect(limit).toHaveBeenCalledTimes(1);
  expect(once.retryAfterSeconds).toBe(0);
  const anonymous = new UnknownLimit({ limit }, new Headers(), NOW_MS);
  await anonymous.count();
  expect(limit).toHaveBeenCalledTimes(1);
  expect(anonymous.retryAfterSeconds).toBe(0);
});

test("a binding that fails refuses nobody", async () => {
  await open(NOW_MS, () => Promise.reject(new Error("the binding is down"))).count();
  expect(open(NOW_MS).retryAfterSeconds).toBe(0);
});

test.each([
  [49, 10],
  [51, 0],
])(
  "a binding that responds after %i ms refuses for %i seconds: 50 ms are its time",
  async (delayMs, seconds) => {
    vi.useFakeTimers();
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      return { success: false };
    };
    const counted = open(NOW_MS, slow).count();
    await vi.advanceTimersByTimeAsync(60);
    await counted;
    expect(open(NOW_MS).retryAfterSeconds).toBe(seconds);
  },
);
