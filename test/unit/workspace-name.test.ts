import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forgetRecurringErrors } from "../../src/caching/recurring-errors.ts";
import { UnknownLimit } from "../../src/redirect/unknown-limit.ts";
import { findWorkspaceName } from "../../src/redirect/workspace-name.ts";

/** Names on error pages: for how long they are remembered, and how long a page waits for one. */

const NOW_MS = 1_800_000_000_000;
let hostCount = 0;
let hostname: string;

beforeEach(() => {
  forgetRecurringErrors();
  vi.spyOn(console, "error").mockReturnValue();
  hostCount += 1;
  hostname = `host-${hostCount}.test`;
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Finds the name of this test's host at a time. `read` is the directory. */
function findName(read: () => Promise<string | null>, passedMs = 0, limit?: UnknownLimit, host = hostname) {
  const statement = { bind: () => statement, first: read };
  const directory = { withSession: () => ({ prepare: () => statement }) } as unknown as D1Database;
  const nowMs = NOW_MS + passedMs;
  const open = new UnknownLimit({ limit: async () => ({ success: true }) }, new Headers(), nowMs);
  return findWorkspaceName({ directory, hostname: host, unknownLimit: limit ?? open, nowMs });
}

const fail = () => Promise.reject(new Error("the directory is down"));

test("a name is remembered for a minute", async () => {
  expect(await findName(async () => "Acme")).toBe("Acme");
  expect(await findName(fail, 59_999)).toBe("Acme");
  expect(await findName(async () => "New", 60_000)).toBe("New");
});

test("after a failure, the former name stays, and the directory is asked again 5 seconds later", async () => {
  const read = vi.fn(fail);
  expect(await findName(read)).toBeNull();
  expect(await findName(read, 4_999)).toBeNull();
  expect(read).toHaveBeenCalledTimes(1);
  expect(await findName(async () => "Acme", 5_000)).toBe("Acme");
  expect(await findName(fail, 65_000)).toBe("Acme");
  expect(await findName(async () => "New", 69_999)).toBe("Acme");
  expect(await findName(async () => "New", 70_000)).toBe("New");
});

test.each([
  [999, "Acme"],
  [1_001, null],
])("a directory that responds after %i ms gives the name %j: a second is its time", async (delayMs, name) => {
  vi.useFakeTimers();
  const slow = async () => {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    return "Acme";
  };
  const found = findName(slow);
  await vi.advanceTimersByTimeAsync(1_100);
  expect(await found).toBe(name);
});

test("a host of 253 characters is looked up, and a longer one is not", async () => {
  const read = vi.fn(async () => "Acme");
  expect(await findName(read, 0, undefined, "a".repeat(254))).toBeNull();
  expect(read).not.toHaveBeenCalled();
  expect(await findName(read, 0, undefined, "a".repeat(253))).toBe("Acme");
});

test("a host without a workspace counts as an unknown code, and a visitor beyond that limit reads nothing", async () => {
  const headers = new Headers({ "CF-Connecting-IP": "198.51.100.9" });
  const limit = vi.fn(async () => ({ success: false }));
  const open = () => new UnknownLimit({ limit }, headers, NOW_MS);
  expect(await findName(async () => "Acme", 0, open())).toBe("Acme");
  expect(limit).not.toHaveBeenCalled();
  expect(await findName(async () => null, 60_000, open())).toBeNull();
  expect(limit).toHaveBeenCalledTimes(1);
  const read = vi.fn(async () => "Acme");
  expect(await findName(read, 120_000, open())).toBeNull();
  expect(read).not.toHaveBeenCalled();
});
