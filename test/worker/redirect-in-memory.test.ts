import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forgetRecurringErrors } from "../../src/caching/recurring-errors.ts";
import { getSettings } from "../../src/env.ts";
import { redirect } from "../../src/redirect/redirect.ts";
import { forgetAll, resolver } from "../../src/resolving/resolve.ts";
import type { Target } from "../../src/resolving/target.ts";
import { workerEnv } from "../support/harness.ts";

/** Redirects of a link in memory: counted scans, and requests rejected before any look-up. */

const NOW_MS = 1_800_000_000_000;
const HOSTNAME = "go.acme.test";
const SETTINGS = getSettings(workerEnv);

const writeDataPoint = vi.fn();
const openDirectory = vi.fn(() => {
  throw new Error("the directory is down");
});

beforeEach(() => {
  forgetAll();
  forgetRecurringErrors();
  writeDataPoint.mockClear();
  openDirectory.mockClear();
  vi.spyOn(console, "error").mockReturnValue();
  vi.spyOn(Date, "now").mockReturnValue(NOW_MS);
  vi.spyOn(caches.default, "match").mockResolvedValue(undefined);
});
afterEach(() => void vi.restoreAllMocks());

/** Puts a link with the code `sale` and its host into the isolate's memory. */
function remember(change: Partial<Target> = {}, isSuspended = false): void {
  const { hosts, links, watch } = resolver;
  const place = { workspaceId: "w", shard: 0, prefix: "0/w/" };
  const host = {
    ...place,
    workspaceName: "W",
    isSuspended,
    rootUrl: null,
    notFoundUrl: null,
    expiredUrl: null,
    documents: null,
  };
  const value = {
    id: "l",
    workspaceId: "w",
    shortCode: "sale",
    enabled: true,
    expiresAt: null,
    bannedAt: null,
    address: "https://example.com/",
    routingRules: [],
    ruleAddresses: [],
    updatedAt: NOW_MS,
    options: null,
    guards: null,
    ...change,
  } as unknown as Target;
  hosts.remember(HOSTNAME, { value: host, readAtMs: NOW_MS, stamp: null }, watch.view, NOW_MS, "cache");
  links.remember("0/w/sale", { value, readAtMs: NOW_MS, stamp: null }, watch.view, NOW_MS, "cache");
}

async function visit(method: string, path = "/sale", hostname = HOSTNAME): Promise<Response> {
  const url = new URL(`http://${HOSTNAME}${path}`);
  const request = new Request(url, { method, headers: { Accept: "application/json" } });
  const queue = { send: async () => {} };
  const env = {
    ...workerEnv,
    SCANS: { writeDataPoint },
    SCAN_QUEUE: queue,
    SCAN_SPARE_QUEUE: queue,
    DIRECTORY: { withSession: openDirectory },
  } as unknown as Env;
  const { pathname } = url;
  return redirect({ request, url, pathname, hostname, settings: SETTINGS }, env, { waitUntil: () => {} });
}

test.each([
  ["GET", 1],
  ["HEAD", 0],
])("%s redirects and counts as %i scans", async (method, scans) => {
  remember();
  const response = await visit(method);
  expect([response.status, response.headers.get("Location")]).toEqual([302, "https://example.com/"]);
  expect(response.headers.get("Cache-Control")).toBe("private, no-store");
  expect(writeDataPoint).toHaveBeenCalledTimes(scans);
});

test.each(["POST", "PUT", "DELETE", "OPTIONS"])("%s is rejected and counts nothing", async (method) => {
  remember();
  const response = await visit(method);
  expect([response.status, response.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
  expect(writeDataPoint).not.toHaveBeenCalled();
});

test.each([
  ["that expires in a millisecond", { expiresAt: NOW_MS + 1 }, 302],
  ["that expires now", { expiresAt: NOW_MS }, 410],
  ["that is disabled", { enabled: false }, 410],
  ["whose destination would lead back", { address: null }, 404],
])("a link %s returns its status, and only a redirect counts", async (_, change, status) => {
  remember(change);
  expect((await visit("GET")).status).toBe(status);
  expect(writeDataPoint).toHaveBeenCalledTimes(status === 302 ? 1 : 0);
});

test("a link that is still in memory stops once its workspace is suspended", async () => {
  remember({}, true);
  expect((await visit("GET")).status).toBe(451);
  expect(writeDataPoint).not.toHaveBeenCalled();
});

test.each([
  ["a path with an empty segment", "/a//b", HOSTNAME],
  ["a path of 256 characters", `/${"a".repeat(256)}`, HOSTNAME],
  ["a host of 254 characters", "/sale", "a".repeat(254)],
])("%s is unknown without a look-up if its host is in memory", async (_, path, hostname) => {
  remember();
  expect((await visit("GET", path, hostname)).status).toBe(404);
  expect(openDirectory).not.toHaveBeenCalled();
});

test.each([
  ["a host of 253 characters", "a".repeat(253)],
  ["an unknown host", "other.test"],
])("%s is looked up, and returns 503 with Retry-After if the directory fails", async (_, hostname) => {
  const response = await visit("GET", "/sale", hostname);
  expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "5"]);
  expect(openDirectory).toHaveBeenCalled();
});
