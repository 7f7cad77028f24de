import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as z from "zod";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/core/time.ts";
import { openDatabase } from "../../src/db/database.ts";
import { watchDestinations } from "../../src/destination-watch/watch-destinations.ts";
import { getSettings } from "../../src/env.ts";
import { linkResponse } from "../../src/links/link-response.ts";
import { buildOutboundPolicy } from "../../src/tenant/own-hosts.ts";
import { EVENTS, type EventType } from "../../src/webhooks/events.ts";
import { createLink, expectData, newWorkspace, type TestWorkspace, workerEnv } from "../support/harness.ts";
import { seedLinks } from "../support/seed-links.ts";
import { TestQueue } from "../support/test-queue.ts";
import { createWebhook } from "../support/webhooks.ts";

/** Tests of the checks of destinations, with simulated time and a stub of the internet. */

const START_MS = Date.UTC(2030, 0, 1);
/** Response of a host, or the error of its connection. */
type Answer = (method: string, url: URL) => number | string | Error;

let queue: TestQueue;
let hosts: Map<string, Answer>;
let requests: { host: string; method: string; atMs: number }[];
/** Simulated time. */
let nowMs: number;

beforeEach(() => {
  queue = new TestQueue();
  hosts = new Map();
  requests = [];
  nowMs = START_MS;
  vi.stubGlobal("fetch", async (address: string, { method = "GET" }: RequestInit = {}) => {
    const url = new URL(address);
    requests.push({ host: url.hostname, method, atMs: nowMs });
    const answer = hosts.get(url.hostname)?.(method, url) ?? new TypeError("getaddrinfo ENOTFOUND");
    if (answer instanceof Error) throw answer;
    if (typeof answer === "number") return new Response(null, { status: answer });
    return new Response(null, { status: 302, headers: { Location: answer } });
  });
});
afterEach(() => void vi.unstubAllGlobals());

/** Returns a workspace on a shard where no other link is watched. */
async function newWatchedWorkspace(plan: "free" | "business" = "business"): Promise<TestWorkspace> {
  const workspace = await newWorkspace(plan);
  await workspace.shard.prepare("DELETE FROM watched_links").run();
  return workspace;
}

/** Counts a scan of all links of a workspace at the simulated time. */
async function scan({ id, shard }: TestWorkspace): Promise<void> {
  const statement = "UPDATE links SET scan_count = scan_count + 1, last_scan_at = ?2 WHERE workspace_id = ?1";
  await shard.prepare(statement).bind(id, nowMs).run();
}

/** Runs the checks once. Sleeping moves the simulated time. */
async function run({ shard, shardNumber }: TestWorkspace): Promise<void> {
  const woken: Promise<unknown>[] = [];
  const outbox = {
    db: openDatabase(shard),
    shard: shardNumber,
    nowMs,
    deliveryQueue: queue.env.DELIVERY_QUEUE,
    waitUntil: (promise: Promise<unknown>) => void woken.push(promise),
  };
  const policy = { ...buildOutboundPolicy(getSettings(workerEnv), new Set()), allowLoopback: false };
  const clock = {
    now: () => nowMs,
    sleep: async (ms: number) => {
      const endsAtMs = nowMs + ms;
      await Promise.resolve();
      nowMs = Math.max(nowMs, endsAtMs);
    },
  };
  await watchDestinations({ directory: workerEnv.DIRECTORY, outbox, policy, clock });
  await Promise.all(woken);
}

/** Runs the checks at times after the start. */
async function runAt(workspace: TestWorkspace, ...timesMs: number[]): Promise<void> {
  for (const timeMs of timesMs) {
    nowMs = START_MS + timeMs;
    await run(workspace);
  }
}

async function readStatus(workspace: TestWorkspace, id: string): Promise<string | null> {
  const response = await workspace.call("GET", `/v1/links/${id}`);
  return (await expectData(response, linkResponse)).data.destination_status;
}

/** Returns the events of a workspace. Validates each by its schema. */
async function listEvents({ id, shard }: TestWorkspace) {
  const select = "SELECT payload FROM webhook_events WHERE workspace_id = ? ORDER BY id";
  const { results } = await shard.prepare(select).bind(id).all<{ payload: string }>();
  return results.map(({ payload }) => {
    const { event, data } = JSON.parse(payload) as { event: EventType; data: unknown };
    return { event, ...EVENTS[event].strict().parse(data) };
  });
}

const timeout = Object.assign(new Error("timed out"), { name: "TimeoutError" });

test("destinations get their status after one check, or three failed ones", async () => {
  const workspace = await newWatchedWorkspace();
  const cases: [string, Answer, "ok" | "broken" | null][] = [
    ["works", () => 200, "ok"],
    ["without-head", (method) => (method === "HEAD" ? 405 : 200), "ok"],
    ["head-not-found", (method) => (method === "HEAD" ? 404 : 200), "ok"],
    ["soft-redirect", (_, { pathname }) => (pathname === "/" ? 200 : "/"), "ok"],
    ["redirect-loop", () => "/again", "ok"],
    ["to-private", () => "https://10.0.0.1/", "ok"],
    ["forbidden", () => 403, "ok"],
    ["busy", () => 429, "ok"],
    ["not-found", () => 404, "broken"],
    ["gone", () => 410, "broken"],
    ["server-error", () => 503, "broken"],
    ["expired-tls", () => 526, "broken"],
    ["no-tls", () => new TypeError("certificate has expired"), "broken"],
    ["slow", () => timeout, "broken"],
    ["redirect-to-gone", (_, { pathname }) => (pathname === "/end" ? 410 : "/end"), "broken"],
  ];
  const links = new Map<string, string>();
  for (const [name, answer] of cases) {
    hosts.set(`${name}.example`, answer);
    links.set(name, (await createLink(workspace, { url: `https://${name}.example/x` })).id);
  }
  links.set("no-dns", (await createLink(workspace, { url: "https://no-dns.example/" })).id);
  links.set("http", (await createLink(workspace, { url: "http://plain.example/" })).id);
  await scan(workspace);
  // In one call, because a key may make 50 calls per second.
  const readAll = async () => {
    const response = await workspace.call("GET", "/v1/links?limit=100");
    const { data } = await expectData(response, z.array(linkResponse));
    const statuses = new Map(data.map(({ id, destination_status: status }) => [id, status]));
    return Object.fromEntries([...links].map(([name, id]) => [name, statuses.get(id)]));
  };
  const early = (status: string | null) => (status === "broken" ? null : status);
  const last = {
    ...Object.fromEntries(cases.map(([name, , status]) => [name, status])),
    "no-dns": "broken",
    http: null,
  };
  const first = Object.fromEntries(Object.entries(last).map(([name, status]) => [name, early(status)]));
  await runAt(workspace, 0);
  expect(await readAll()).toEqual(first);
  await runAt(workspace, 59 * MINUTE_MS, HOUR_MS + MINUTE_MS, 7 * HOUR_MS);
  expect(await readAll()).toEqual(first);
  await runAt(workspace, 7 * HOUR_MS + 2 * MINUTE_MS);
  expect(await readAll()).toEqual(last);
  expect(requests.map(({ host }) => host)).not.toContain("10.0.0.1");
  expect(requests.map(({ host }) => host)).not.toContain("plain.example");
  const list = await workspace.call("GET", "/v1/links?destination_status=broken&limit=100");
  const { data } = await expectData(list, z.array(linkResponse));
  const broken = Object.keys(last).filter((name) => last[name as keyof typeof last] === "broken");
  expect(data.map(({ id }) => id).sort()).toEqual(broken.map((name) => links.get(name)).sort());
});

test("a broken link sends one event, and another when it recovers", async () => {
  const workspace = await newWatchedWorkspace();
  await createWebhook(workspace, "https://hooks.example.com/", ["link.broken", "link.recovered"]);
  const { id, short_code } = await createLink(workspace, { url: "https://shop.example/" }, queue.env);
  let status = 404;
  hosts.set("shop.example", () => status);
  await scan(workspace);
  await runAt(workspace, 0, 2 * HOUR_MS, 9 * HOUR_MS, 34 * HOUR_MS);
  const base = { link_id: id, short_code, destination: "https://shop.example/" };
  const broken = {
    event: "link.broken",
    ...base,
    reason: "status 404",
    checked_at: "2030-01-01T09:00:00.000Z",
  };
  expect(await listEvents(workspace)).toEqual([broken]);
  status = 200;
  await runAt(workspace, 60 * HOUR_MS, 61 * HOUR_MS);
  expect(await readStatus(workspace, id)).toBe("ok");
  const recovered = { event: "link.recovered", ...base, checked_at: "2030-01-03T12:00:00.000Z" };
  expect(await listEvents(workspace)).toEqual([broken, recovered]);
});

test("a day of short failures raises no alarm, and working destinations are checked once", async () => {
  const workspace = await newWatchedWorkspace();
  await createLink(workspace, { url: "https://steady.example/" });
  const shaky = await createLink(workspace, { url: "https://shaky.example/" });
  hosts.set("steady.example", () => 200);
  // Down for the first three hours, then again for six hours in the afternoon.
  hosts.set("shaky.example", () => {
    const hour = (nowMs - START_MS) / HOUR_MS;
    return hour < 3 || (hour > 12 && hour < 18) ? 503 : 200;
  });
  await scan(workspace);
  const times = Array.from({ length: 72 }, (_, index) => index * 20 * MINUTE_MS);
  await runAt(workspace, ...times);
  expect(await readStatus(workspace, shaky.id)).toBe("ok");
  expect(requests.filter(({ host }) => host === "steady.example")).toHaveLength(1);
  expect(await listEvents(workspace)).toEqual([]);
});

test("1,000 links of one host get at most one request a second, and do not keep other hosts waiting", async () => {
  const workspace = await newWatchedWorkspace();
  await seedLinks({ workspace, count: 1_000, code: "'n' || n", destination: "'https://big.example/' || n" });
  await createLink(workspace, { url: "https://small.example/" });
  hosts.set("big.example", () => 200);
  hosts.set("small.example", () => 200);
  await scan(workspace);
  for (let n = 0; n < 20; n++) {
    const before = requests.length;
    await runAt(workspace, n * MINUTE_MS);
    expect(requests.length - before).toBeLessThanOrEqual(32);
    expect(nowMs).toBeLessThan(START_MS + (n + 1) * MINUTE_MS);
  }
  const times = requests.filter(({ host }) => host === "big.example").map(({ atMs }) => atMs);
  expect(times.length).toBeGreaterThan(200);
  const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] as number));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(SECOND_MS);
  expect(requests.filter(({ host }) => host === "small.example")).toHaveLength(1);
});

test("links are checked only if the plan includes it, they redirect and were scanned within a week", async () => {
  const free = await newWatchedWorkspace("free");
  hosts.set("shop.example", () => 200);
  await seedLinks({ workspace: free, count: 1, code: "'a'", destination: "'https://shop.example/'" });
  await scan(free);
  await run(free);
  const workspace = await newWatchedWorkspace();
  const off = await createLink(workspace, { url: "https://shop.example/off" });
  await workspace.call("PATCH", `/v1/links/${off.id}`, { body: { enabled: false } });
  await createLink(workspace, { url: "https://shop.example/old" });
  await scan(workspace);
  await runAt(workspace, 8 * DAY_MS);
  expect(requests).toEqual([]);
  // The first scan of a day watches a link again.
  await scan(workspace);
  await run(workspace);
  expect(requests).toHaveLength(1);
  expect(await readStatus(workspace, off.id)).toBeNull();
});

test("a changed destination is checked like a new one, and a deleted link is not checked", async () => {
  const workspace = await newWatchedWorkspace();
  const { id } = await createLink(workspace, { url: "https://shop.example/" });
  hosts.set("shop.example", () => 404);
  hosts.set("new.example", () => 200);
  await scan(workspace);
  await runAt(workspace, 0, 2 * HOUR_MS, 9 * HOUR_MS);
  expect(await readStatus(workspace, id)).toBe("broken");
  await workspace.call("PATCH", `/v1/links/${id}`, { body: { url: "https://new.example/" } });
  expect(await readStatus(workspace, id)).toBeNull();
  await runAt(workspace, 10 * HOUR_MS);
  expect(await readStatus(workspace, id)).toBe("ok");
  await workspace.call("DELETE", `/v1/links/${id}`);
  const count = () => workspace.shard.prepare("SELECT count(*) AS n FROM watched_links").first<number>("n");
  expect(await count()).toBe(0);
  await workspace.call("POST", `/v1/links/${id}/restore`, { body: {} });
  expect(await count()).toBe(1);
});
