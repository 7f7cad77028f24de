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

/** Checks the limit for the visitor of this test at a given time. */
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

test("assertOpen throws for as long as the visitor must wait", async () => {
  await open(NOW_MS).count();
  expect(() => open(NOW_MS + 9_999).assertOpen()).toThrow(new UnknownLimitError(1));
  expect(() => open(NOW_MS + 10_000).assertOpen()).not.toThrow();
});

test("a request counts once, and not without an IP address", async () => {
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

test("a failing binding rejects no request", async () => {
  await open(NOW_MS, () => Promise.reject(new Error("the binding is down"))).count();
  expect(open(NOW_MS).retryAfterSeconds).toBe(0);
});

test.each([
  [49, 10],
  [51, 0],
])(
  "a binding that responds after %i ms rejects for %i seconds: it times out after 50 ms",
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
