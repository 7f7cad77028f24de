import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../src/core/time.ts";
import { type CheckResult, decideNext, type WatchState } from "../../src/destination-watch/watch-state.ts";

const FAILED: CheckResult = { status: "failed", reason: "status 404" };

test.each<[string, WatchState, CheckResult, object]>([
  [
    "a first success",
    { status: null, failures: 0 },
    { status: "ok" },
    { status: "ok", failures: 0, dueAt: DAY_MS },
  ],
  ["a first failure", { status: null, failures: 0 }, FAILED, { status: null, failures: 1, dueAt: HOUR_MS }],
  [
    "a second failure",
    { status: "ok", failures: 1 },
    FAILED,
    { status: "ok", failures: 2, dueAt: 6 * HOUR_MS },
  ],
  [
    "a third failure",
    { status: "ok", failures: 2 },
    FAILED,
    { status: "broken", failures: 2, dueAt: DAY_MS },
  ],
  [
    "a success in between",
    { status: "ok", failures: 2 },
    { status: "ok" },
    { status: "ok", failures: 0, dueAt: DAY_MS },
  ],
  [
    "another failure",
    { status: "broken", failures: 0 },
    FAILED,
    { status: "broken", failures: 0, dueAt: DAY_MS },
  ],
  [
    "a recovery",
    { status: "broken", failures: 2 },
    { status: "ok" },
    { status: "ok", failures: 0, dueAt: DAY_MS },
  ],
  [
    "a URL that may not be requested",
    { status: "ok", failures: 1 },
    { status: "unchecked" },
    { status: null, failures: 0, dueAt: DAY_MS },
  ],
])("decideNext after %s", (_, state, result, expected) => {
  expect(decideNext(state, result, 0)).toEqual(expected);
});
