import { createHmac } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DAY_MS, SECOND_MS } from "../../src/core/time.ts";
import { formatMark } from "../../src/scans/visitor-mark.ts";
import { VisitorMarker } from "../../src/scans/visitor-marker.ts";
import type { VisitorSalt } from "../../src/scans/visitor-salt.ts";

/** When the marks of visitors read the salt, and what a mark depends on. */

const SALT = "00112233445566778899aabbccddeeff".repeat(2);
const DAY = 20_785;
const NOW_MS = DAY * DAY_MS + 1;
const VISITOR = { address: "198.51.100.7", userAgent: "Mozilla/5.0" };

let marker: VisitorMarker;
const getSalt = vi.fn<() => Promise<{ day: number; salt: string }>>();
const getByName = vi.fn(() => ({ getSalt }));
const namespace = { getByName } as unknown as DurableObjectNamespace<VisitorSalt>;
const mark = (visitor = VISITOR, nowMs = NOW_MS) => marker.markLater(namespace, visitor, nowMs)();

beforeEach(() => {
  marker = new VisitorMarker();
  vi.spyOn(console, "error").mockReturnValue();
  getSalt.mockReset().mockResolvedValue({ day: DAY, salt: SALT });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Computes a mark as another implementation does. */
function computeMark(text: string): string {
  return formatMark(createHmac("sha256", Buffer.from(SALT, "hex")).update(text).digest());
}

test("a mark is the HMAC of address and user agent, with empty texts for those that are missing", async () => {
  expect(await mark()).toBe(computeMark("198.51.100.7\nMozilla/5.0"));
  expect(await marker.markLater(namespace, { address: null, userAgent: null }, NOW_MS)()).toBe(
    computeMark("\n"),
  );
  expect(getByName).toHaveBeenCalledWith("salt");
});

test("the first 1,000 characters of a user agent count", async () => {
  const markAgent = (userAgent: string) => mark({ ...VISITOR, userAgent });
  const agent = "a".repeat(1_000);
  expect(await markAgent(`${agent}b`)).toBe(await markAgent(agent));
  expect(await markAgent(`${agent.slice(1)}b`)).not.toBe(await markAgent(agent));
});

test("the salt is read once a day, also for parallel scans", async () => {
  await Promise.all([mark(), mark({ ...VISITOR, address: "::1" })]);
  expect(await mark()).not.toBe("");
  expect(getSalt).toHaveBeenCalledTimes(1);
  getSalt.mockResolvedValue({ day: DAY + 1, salt: SALT });
  expect(await mark(VISITOR, NOW_MS + DAY_MS)).not.toBe("");
  expect(getSalt).toHaveBeenCalledTimes(2);
});

test("a salt of another day makes no mark, and is read again", async () => {
  expect(await mark(VISITOR, NOW_MS + DAY_MS)).toBe("");
  expect(await mark(VISITOR, NOW_MS - DAY_MS)).toBe("");
  expect(getSalt).toHaveBeenCalledTimes(2);
});

test("after a failure, scans have no mark, and the salt is read again after 10 seconds", async () => {
  getSalt.mockRejectedValue(new Error("the object is unavailable"));
  expect(await mark()).toBe("");
  expect(await mark(VISITOR, NOW_MS + 10 * SECOND_MS - 1)).toBe("");
  expect(getSalt).toHaveBeenCalledTimes(1);
  expect(console.error).toHaveBeenCalledTimes(1);
  getSalt.mockResolvedValue({ day: DAY, salt: SALT });
  expect(await mark(VISITOR, NOW_MS + 10 * SECOND_MS)).not.toBe("");
  expect(getSalt).toHaveBeenCalledTimes(2);
});

test("a scan waits 5 seconds for the salt", async () => {
  vi.useFakeTimers();
  getSalt.mockReturnValue(new Promise(() => {}));
  const ended = vi.fn();
  const marked = mark().then(ended);
  await vi.advanceTimersByTimeAsync(5 * SECOND_MS - 1);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await marked;
  expect(ended).toHaveBeenCalledWith("");
});
