import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import fc from "fast-check";
import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { getSettings } from "../../src/env.ts";
import worker from "../../src/index.ts";
import { UnknownLimit } from "../../src/limits/unknown-limit.ts";
import { readHost } from "../../src/resolving/host-read.ts";
import { buildContext, forgetAll, resolver } from "../../src/resolving/resolve.ts";
import { countingEnv, createLink, newWorkspace, workerEnv, wrapShards } from "../support/harness.ts";
import {
  age,
  buildEnvAround,
  buildEnvOnHold,
  buildVisit,
  changeElsewhere,
  evict,
  isCached,
  visitWithEnv,
  warmHost,
} from "../support/redirects.ts";

/** Reads of the database, and the delay until a change is seen. */

const OLD = "https://example.com/";
const NEW = "https://example.com/new";
const AS_JSON = { headers: { Accept: "application/json" } };

beforeEach(forgetAll);
afterEach(() => void vi.restoreAllMocks());

test("a busy link is refreshed before it expires, without delaying its visitors", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace, { custom_slug: "one" });
  await age(workspace, "one", 20_001);
  await changeElsewhere(workspace, id, NEW);
  const { env, trips, release } = buildEnvOnHold();
  const context = createExecutionContext();
  const visit = async () => {
    const request = buildVisit(workspace, "/one") as Parameters<typeof worker.fetch>[0];
    return (await worker.fetch(request, env, context)).headers.get("Location");
  };
  // The database does not respond before these redirects.
  for (const _ of [1, 2, 3]) expect(await visit()).toBe(OLD);
  expect(trips()).toBe(1);
  release();
  await waitOnExecutionContext(context);
  expect((await workspace.visit("/one")).headers.get("Location")).toBe(NEW);
  forgetAll();
  expect((await workspace.visit("/one")).headers.get("Location")).toBe(NEW);
  expect(trips()).toBe(1);
});

test("a read that began before a change elsewhere in the data centre does not overwrite it in the cache", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace, { custom_slug: "one" });
  await age(workspace, "one", 26_000);
  const env = buildEnvAround(async (makeTrip) => {
    const result = await makeTrip();
    // The change comes from another isolate, so this isolate's memory does not have it.
    await workspace.call("PATCH", `/v1/links/${id}`, { body: { url: NEW } });
    forgetAll();
    return result;
  });
  await visitWithEnv(workspace, "/one", env);
  forgetAll();
  expect((await workspace.visit("/one")).headers.get("Location")).toBe(NEW);
});

/** Returns an `env` whose nearest database is a replica that returns results changed by `alter`. */
function buildEnvWithReplica(alter: (results: Record<string, unknown>[]) => Record<string, unknown>[]) {
  const constraints: string[] = [];
  const withSession = (d1: D1Database) => (constraint: string) => {
    constraints.push(constraint);
    const session = d1.withSession(constraint as D1SessionConstraint);
    if (constraint === "first-primary") return session;
    const all = async (statement: D1PreparedStatement) => {
      const { results, meta } = await statement.all<Record<string, unknown>>();
      return { results: alter(results), meta: { ...meta, served_by_primary: false } };
    };
    const bind =
      (query: string) =>
      (...values: unknown[]) => {
        const statement = session.prepare(query).bind(...values);
        return { all: () => all(statement), first: (name: string) => statement.first(name) };
      };
    return { prepare: (query: string) => ({ bind: bind(query) }) };
  };
  return {
    env: wrapShards((d1) => ({ withSession: withSession(d1) }) as unknown as D1Database),
    constraints,
  };
}

test("a lagging replica neither hides new links nor reverts cached ones", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace, { custom_slug: "one" });
  const empty = buildEnvWithReplica(() => []);
  await evict(workspace, "one");
  expect((await visitWithEnv(workspace, "/one", empty.env, AS_JSON)).status).toBe(302);
  expect(empty.constraints).toEqual(["first-unconstrained", "first-primary"]);

  await workspace.call("PATCH", `/v1/links/${id}`, { body: { url: NEW } });
  await age(workspace, "one", 26_000);
  const behind = buildEnvWithReplica((rows) =>
    rows.map((row) => ({ ...row, destination: OLD, updatedAt: (row.updatedAt as number) - 1 })),
  );
  const visit = await visitWithEnv(workspace, "/one", behind.env);
  expect(visit.headers.get("Location")).toBe(NEW);
});

test("an up-to-date replica is enough to find a link, and only the primary decides that none exists", async () => {
  const workspace = await newWorkspace();
  await createLink(workspace, { custom_slug: "one" });
  await evict(workspace, "one");
  const { env, constraints } = buildEnvWithReplica((rows) => rows);
  expect((await visitWithEnv(workspace, "/one", env, AS_JSON)).status).toBe(302);
  expect(constraints).toEqual(["first-unconstrained"]);
  for (const _ of [1, 2]) expect((await visitWithEnv(workspace, "/none", env, AS_JSON)).status).toBe(404);
  expect(constraints).toEqual(["first-unconstrained", "first-unconstrained", "first-primary"]);
});

test("a host that must be read from the primary is not read from a replica first", async () => {
  const d1 = workerEnv.DIRECTORY;
  const withSession = vi.fn((constraint?: string) => d1.withSession(constraint));
  const directory = { withSession } as unknown as D1Database;
  const read = (isPrimaryOnly: boolean) =>
    readHost(directory, getSettings(workerEnv), "none.example", 0, isPrimaryOnly);
  expect((await read(true)).value).toBeNull();
  expect(withSession.mock.calls).toEqual([["first-primary"]]);
  await read(false);
  expect(withSession.mock.calls.slice(1)).toContainEqual(["first-unconstrained"]);
});

test("an unknown code is only written to the data centre's cache after repeated requests", async () => {
  const workspace = await newWorkspace();
  warmHost(workspace);
  const put = vi.spyOn(caches.default, "put");
  const nowMs = Date.now();
  const clock = vi.spyOn(Date, "now");
  const { env, trips } = countingEnv();
  for (const [passedMs, reads, isWritten] of [
    [0, 1, false],
    [4_000, 1, false],
    // The host is refreshed while it is used.
    [24_000, 2, false],
    [29_000, 3, true],
    [50_000, 4, true],
  ] as const) {
    clock.mockImplementation(() => nowMs + passedMs);
    expect((await visitWithEnv(workspace, "/dead", env, AS_JSON)).status).toBe(404);
    const isPut = put.mock.calls.some(([request]) => String(request).endsWith("dead"));
    expect([trips(), isPut], `after ${passedMs} ms`).toEqual([reads, isWritten]);
  }
  expect(await isCached(workspace, "dead")).toBe(true);
});

/** Change before the visit. */
interface Step {
  /** Time since the last visit. */
  pauseMs: number;
  /** True if another isolate of the data centre, with empty memory, handles the visit. */
  isOtherIsolate: boolean;
}

const step = fc.record({
  pauseMs: fc.oneof(fc.integer({ min: 1, max: 6_000 }), fc.constantFrom(4_000, 4_999, 5_000, 20_000, 40_000)),
  isOtherIsolate: fc.boolean(),
});

const refuse = () => Promise.reject(new Error("the collector is down"));

// `npm run fuzz` uses twenty times as many.
const { runs, seed } = inject("fuzz");

/** Lag of the replica in the test below. */
const LAG_MS = 5_000;

test("without the feed, a change made elsewhere is seen within 35 seconds, whatever the visits", async () => {
  const workspace = await newWorkspace();
  const { short_code } = await createLink(workspace);
  const startMs = Date.now();
  let nowMs = startMs;
  vi.spyOn(Date, "now").mockImplementation(() => nowMs);
  const settings = getSettings(workerEnv);

  const seesChange = async (steps: readonly Step[], changeAfterMs: number) => {
    await evict(workspace, short_code);
    const firstMs = nowMs;
    const changedAtMs = firstMs + changeAfterMs;
    const { env } = buildEnvWithReplica((rows) =>
      nowMs < changedAtMs + LAG_MS
        ? rows
        : rows.map((row) => ({
            ...row,
            destination: NEW,
            updatedAt: (row.updatedAt as number) + changedAtMs,
          })),
    );
    for (const { pauseMs, isOtherIsolate } of steps) {
      nowMs += pauseMs;
      if (isOtherIsolate) forgetAll();
      const work: Promise<unknown>[] = [];
      const request = {
        nowMs,
        getUnknownLimit: () => new UnknownLimit(workerEnv.UNKNOWN_LIMIT, new Headers(), nowMs),
        waitUntil: (promise: Promise<unknown>) => void work.push(promise),
      };
      const getContext = () => ({ ...buildContext(env, settings, request), pollCollector: refuse });
      const codeKey = short_code.toLowerCase();
      const target = await resolver.resolve(workspace.hostname, codeKey, nowMs, getContext);
      for (const promise of work) await promise;
      if (nowMs >= changedAtMs + 35_000) expect(target?.address, `${nowMs - changedAtMs} ms`).toBe(NEW);
    }
    nowMs += 3_600_000;
  };
  const steps = fc.array(step, { minLength: 15, maxLength: 40 });
  const property = fc.asyncProperty(steps, fc.integer({ min: 0, max: 60_000 }), seesChange);
  await fc.assert(property, { numRuns: Math.ceil(runs / 80), seed, endOnFailure: true });
  // Busy and steady visits, in one isolate and in several.
  for (const pauseMs of [500, 4_500, 6_000]) {
    for (const isOtherIsolate of [false, true]) {
      await seesChange(Array(Math.ceil(80_000 / pauseMs)).fill({ pauseMs, isOtherIsolate }), 7_000);
    }
  }
}, 1_800_000);
