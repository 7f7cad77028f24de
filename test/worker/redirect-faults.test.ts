import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { forgetRecurringErrors } from "../../src/caching/recurring-errors.ts";
import worker from "../../src/index.ts";
import { forgetAll } from "../../src/resolving/resolve.ts";
import { createLink, eventually, newWorkspace, send, type TestWorkspace } from "../support/harness.ts";
import { hurryTimers } from "../support/quick-timers.ts";
import {
  age,
  buildEnvAround,
  buildEnvOnHold,
  buildEnvWithoutDatabase,
  buildVisit,
  changeElsewhere,
  evict,
  visitWithEnv,
} from "../support/redirects.ts";

/** Redirects while the data centre's cache or the database fails, hangs or is slow. */

const DESTINATION = "https://example.com/";
const NEW = "https://example.com/new";

let errors: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  hurryTimers();
  forgetAll();
  forgetRecurringErrors();
  errors = vi.spyOn(console, "error").mockReturnValue();
});
afterEach(() => void vi.restoreAllMocks());

const reject = () => Promise.reject(new Error("the cache is down"));
const hang = () => new Promise<never>(() => {});
const throwAtOnce = () => {
  throw new Error("the cache is down");
};

function breakCache(fault: () => Promise<never>): void {
  for (const method of ["match", "put", "delete"] as const) {
    vi.spyOn(caches.default, method).mockImplementation(fault);
  }
}

describe.each([
  ["rejects", reject],
  ["throws", throwAtOnce],
  ["hangs", hang],
])("a data centre's cache that %s", (_, fault) => {
  test("does not affect callers of the API or visitors", async () => {
    const workspace = await newWorkspace();
    breakCache(fault);
    const { id } = await createLink(workspace, { custom_slug: "one" });
    expect((await workspace.visit("/one")).headers.get("Location")).toBe(DESTINATION);
    forgetAll();
    expect((await workspace.visit("/one")).headers.get("Location")).toBe(DESTINATION);
    const patched = await workspace.call("PATCH", `/v1/links/${id}`, { body: { url: NEW } });
    expect(patched.status).toBe(200);
    expect((await workspace.visit("/one")).headers.get("Location")).toBe(NEW);
    const links = Array.from({ length: 7 }, () => ({ url: DESTINATION }));
    const bulk = await workspace.call("POST", "/v1/links/bulk", { body: { links } });
    expect(bulk.status).toBe(201);
    expect((await workspace.call("DELETE", `/v1/links/${id}`)).status).toBe(200);
    expect((await workspace.visit("/one")).status).toBe(404);
  });

  test("is logged once in ten seconds, not for each request", async () => {
    const workspace = await newWorkspace();
    await createLink(workspace, { custom_slug: "one" });
    breakCache(fault);
    for (let visit = 0; visit < 3; visit++) {
      forgetAll();
      expect((await workspace.visit("/one")).status).toBe(302);
    }
    const lines = errors.mock.calls.map(([line]: unknown[]): string => String(line));
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines.some((line: string) => line.includes("a lookup in the data centre's cache failed"))).toBe(
      true,
    );
  });
});

test.each([
  ["is no JSON", () => Promise.resolve(new Response("{"))],
  ["has a body that hangs", () => Promise.resolve(new Response(new ReadableStream()))],
])("a data centre cache entry that %s is read from the database", async (_, match) => {
  const workspace = await newWorkspace();
  await createLink(workspace, { custom_slug: "one" });
  forgetAll();
  vi.spyOn(caches.default, "match").mockImplementation(match);
  expect((await workspace.visit("/one")).headers.get("Location")).toBe(DESTINATION);
});

/** Visits a link whose entry was read some time ago, without waiting for work after the response. */
async function visitOnHold(workspace: TestWorkspace, path: string) {
  const { env, trips, release } = buildEnvOnHold();
  const context = createExecutionContext();
  const request = buildVisit(workspace, path) as Parameters<typeof worker.fetch>[0];
  const response = await worker.fetch(request, env, context);
  const finish = () => {
    release();
    return waitOnExecutionContext(context);
  };
  return { response, env, trips, finish };
}

test("a stale cached link redirects while the database hangs, and is refreshed afterwards", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace, { custom_slug: "one" });
  await age(workspace, "one", 3_600_000);
  await changeElsewhere(workspace, id, NEW);
  // The database responds only after the redirect.
  const first = await visitOnHold(workspace, "/one");
  expect(first.response.headers.get("Location")).toBe(DESTINATION);
  const others = await Promise.all(
    Array.from({ length: 20 }, () =>
      worker.fetch(
        buildVisit(workspace, "/one") as Parameters<typeof worker.fetch>[0],
        first.env,
        createExecutionContext(),
      ),
    ),
  );
  expect(others.map(({ status }) => status)).toEqual(Array(20).fill(302));
  expect(first.trips()).toBe(1);
  await first.finish();
  expect((await workspace.visit("/one")).headers.get("Location")).toBe(NEW);
});

test("the entry in this isolate's memory is used while the database is slow", async () => {
  const workspace = await newWorkspace();
  await createLink(workspace, { custom_slug: "one" });
  await age(workspace, "one", 24_500);
  expect((await workspace.visit("/one")).status).toBe(302);
  vi.spyOn(caches.default, "match").mockImplementation(hang);
  const nowMs = Date.now();
  vi.spyOn(Date, "now").mockImplementation(() => nowMs + 60_000);
  const { response, finish } = await visitOnHold(workspace, "/one");
  expect(response.status).toBe(302);
  await finish();
});

test("a late cache entry is used when the database fails", async () => {
  const workspace = await newWorkspace();
  await createLink(workspace, { custom_slug: "one" });
  await age(workspace, "one", 60_000);
  const match = caches.default.match.bind(caches.default);
  vi.spyOn(caches.default, "match").mockImplementation(async (url) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return match(url);
  });
  const env = buildEnvAround(async () => {
    await new Promise((resolve) => setTimeout(resolve, 150));
    throw new Error("D1_ERROR: D1 DB is overloaded. Too many requests queued.");
  });
  expect((await visitWithEnv(workspace, "/one", env)).status).toBe(302);
});

test("an expired cache entry of an unknown code returns 503, not 404, while the database fails", async () => {
  const workspace = await newWorkspace();
  const down = buildEnvWithoutDatabase();
  expect((await workspace.visit("/later")).status).toBe(404);
  expect((await visitWithEnv(workspace, "/later", down)).status).toBe(404);
  const nowMs = Date.now();
  vi.spyOn(Date, "now").mockImplementation(() => nowMs + 25_001);
  const response = await visitWithEnv(workspace, "/later", down);
  expect(response.status).toBe(503);
  expect(response.headers.get("Retry-After")).toBe("5");
});

test("an uncached link returns 503 while the database hangs", async () => {
  const workspace = await newWorkspace();
  await createLink(workspace, { custom_slug: "one" });
  await evict(workspace, "one");
  const { env } = buildEnvOnHold();
  const response = await visitWithEnv(workspace, "/one", env);
  expect(response.status).toBe(503);
  const lines = errors.mock.calls.map(([line]: unknown[]) => JSON.parse(String(line)));
  expect(lines).toContainEqual({
    ...{ message: "a visit failed", request_id: response.headers.get("X-Request-Id"), operation: "short" },
    ...{ status: 503, duration_ms: expect.any(Number) },
  });
});

test("an outage of the database costs a busy link one read every few seconds, and one log line", async () => {
  const workspace = await newWorkspace();
  await createLink(workspace, { custom_slug: "one" });
  await age(workspace, "one", 60_000);
  let reads = 0;
  const env = buildEnvAround(async () => {
    reads += 1;
    throw new Error("D1_ERROR: Network connection lost.");
  });
  for (const _ of [1, 2]) {
    const visits = Array.from({ length: 30 }, () => visitWithEnv(workspace, "/one", env));
    expect((await Promise.all(visits)).map(({ status }) => status)).toEqual(Array(30).fill(302));
  }
  // The read and its single retry.
  expect(reads).toBe(2);
  const faults = errors.mock.calls.map(([line]: unknown[]): string => JSON.parse(String(line)).message);
  expect(faults.filter((fault: string) => fault !== "a call to storage failed and is retried")).toEqual([
    "a link could not be read",
    "a link was served from an old entry",
  ]);
});

test("a link created during a look-up of its code is found immediately", async () => {
  const workspace = await newWorkspace();
  const hold = Promise.withResolvers<void>();
  let isReading = false;
  const env = buildEnvAround(async (makeTrip) => {
    const result = await makeTrip();
    isReading = true;
    await hold.promise;
    return result;
  });
  const early = send(buildVisit(workspace, "/born", { headers: { Accept: "application/json" } }), env);
  await eventually(async () => isReading, Boolean);
  await createLink(workspace, { custom_slug: "born" });
  hold.resolve();
  expect((await early).status).toBe(302);
  expect((await workspace.visit("/born")).status).toBe(302);
  forgetAll();
  expect((await workspace.visit("/born")).status).toBe(302);
});
