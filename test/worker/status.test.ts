import { expect, test } from "vitest";
import { handle } from "../../src/app.ts";
import { MINUTE_MS } from "../../src/core/time.ts";
import { openDatabase } from "../../src/db/database.ts";
import { mapDatabases } from "../../src/db/shards.ts";
import { readStatus } from "../../src/status/read-status.ts";
import { RequestCounter } from "../../src/status/request-counter.ts";
import { addCounts, readCounts, sweepCounts } from "../../src/status/request-counts.ts";
import { recordRun } from "../../src/status/sweep-runs.ts";
import { useEmptyDatabases } from "../support/databases.ts";
import { workerEnv } from "../support/harness.ts";

/** The status: each part of the service is broken once, and nothing else is reported. */

useEmptyDatabases();

/** In the future, so that requests of this file are too old to count. */
const NOW_MS = Date.UTC(2100, 10, 23, 12);
const TOKEN = "status-token-of-at-least-32-letters";
const directory = openDatabase(workerEnv.DIRECTORY);

/** Returns a queue with a number of messages. `minutes` is the age of the oldest message. */
const queueOf = (backlogCount: number, minutes: number) => ({
  metrics: async () => ({
    backlogCount,
    backlogBytes: backlogCount * 100,
    oldestMessageTimestamp: new Date(NOW_MS - minutes * MINUTE_MS),
  }),
});

const queues = {
  SCAN_QUEUE: queueOf(3, 1),
  SCAN_SPARE_QUEUE: { metrics: async () => ({ backlogCount: 0, backlogBytes: 0 }) },
  PAGE_HIT_QUEUE: { metrics: () => Promise.reject(new Error("unknown here")) },
  PAGE_HIT_SPARE_QUEUE: queueOf(0, 0),
  DELIVERY_QUEUE: queueOf(100_000, 10),
};
const healthy = { ...workerEnv, ...queues } as unknown as Env;

/** Returns the measures that are out of order, as `name of: value`. */
async function listWrong(env: Env, nowMs = NOW_MS): Promise<string[]> {
  const { ok, measures } = await readStatus(env, nowMs);
  const wrong = measures
    .filter((measure) => !measure.ok)
    .map(({ name, of, value }) => `${name} ${of}: ${value}`);
  expect(ok).toBe(wrong.length === 0);
  return wrong;
}

test("a service whose measures are at their thresholds is in order", async () => {
  await recordRun(directory, "directory", ["sweepSlugs"], NOW_MS - 15 * MINUTE_MS);
  expect(await listWrong(healthy)).toEqual([]);
  const { measures } = await readStatus(healthy, NOW_MS);
  expect(measures).toContainEqual({
    name: "queue_messages",
    of: "page-hits",
    value: null,
    limit: 100_000,
    ok: true,
  });
  expect(measures.find(({ name }) => name === "scan_age_seconds")?.value).toBe(60);
});

test("a queue that stops is reported", async () => {
  const env = { ...healthy, SCAN_QUEUE: queueOf(100_001, 11) } as unknown as Env;
  expect(await listWrong(env)).toEqual([
    "queue_messages scans: 100001",
    "queue_age_seconds scans: 660",
    "scan_age_seconds scans: 660",
  ]);
});

test("a consumer that throws is reported by its dead letters", async () => {
  await workerEnv.DIRECTORY.prepare(
    "INSERT INTO dead_letters (id, kind, body, failed_at) VALUES ('letter', 'scans', '{}', ?)",
  )
    .bind(NOW_MS - 20 * MINUTE_MS)
    .run();
  expect(await listWrong(healthy)).toEqual(["dead_letters scans: 1", "scan_age_seconds dead-letters: 1200"]);
  await workerEnv.DIRECTORY.prepare("DELETE FROM dead_letters").run();
});

test("a database that can't be read doesn't hide the others", async () => {
  const fail = () => {
    throw new Error("the disk is full");
  };
  const env = mapDatabases(healthy, (d1, name) =>
    name === "SHARD_0" ? ({ prepare: fail } as unknown as D1Database) : d1,
  );
  expect(await listWrong(env)).toEqual(["database_failures shard 0: 1"]);
});

test("a shard that is almost full is reported", async () => {
  const sized = (bytes: number) =>
    mapDatabases(healthy, (d1, name) => {
      if (name !== "SHARD_1") return d1;
      const prepare = (text: string) =>
        text === "select 1"
          ? { bind: () => ({ run: async () => ({ meta: { size_after: bytes } }) }) }
          : d1.prepare(text);
      return { prepare } as unknown as D1Database;
    });
  expect(await listWrong(sized(9_000_000_000))).toEqual([]);
  expect(await listWrong(sized(9_000_000_001))).toEqual(["database_room_bytes shard 1: 999999999"]);
});

test("deliveries that are due for too long are reported, unless webhooks are paused", async () => {
  const d1 = workerEnv.SHARD_0;
  const insert = d1.prepare(
    `INSERT INTO event_deliveries (lane, id, event_type, status, attempts, attempts_before, created_at, epoch, next_attempt_at)
     VALUES (1 << 20, ?, 'link.created', 'pending', 0, 0, 0, 0, ?)`,
  );
  await d1.batch([insert.bind("due", NOW_MS - 16 * MINUTE_MS), insert.bind("later", NOW_MS + 1)]);
  expect(await listWrong(healthy)).toEqual(["due_delivery_age_seconds shard 0: 960"]);
  const { measures } = await readStatus(healthy, NOW_MS);
  expect(measures).toContainEqual(
    expect.objectContaining({ name: "due_deliveries", of: "shard 0", value: 1 }),
  );
  const pause = d1.prepare("INSERT INTO transits (workspace_id, epoch, state) VALUES (?, 0, 'pausing')");
  const owner =
    "INSERT INTO tenants (id, number, link_count, archived_count, lane_count) VALUES ('owner', 1, 0, 0, 1)";
  await d1.prepare(owner).run();
  for (const id of ["*owner", "*"]) {
    await pause.bind(id).run();
    expect(await listWrong(healthy)).toEqual([]);
    await d1.prepare("DELETE FROM transits").run();
  }
  await d1.batch([d1.prepare("DELETE FROM event_deliveries"), d1.prepare("DELETE FROM tenants")]);
});

test("a sweep that stops succeeding is reported, and the others of its run are not", async () => {
  await recordRun(directory, "shard 0", ["sweepTrash", "sweepScans"], NOW_MS - 16 * MINUTE_MS);
  await recordRun(directory, "shard 0", ["sweepTrash"], NOW_MS);
  expect(await listWrong(healthy)).toEqual(["sweep_age_seconds shard 0 sweepScans: 960"]);
  await recordRun(directory, "shard 0", ["sweepScans"], NOW_MS);
});

test("failed requests are counted, and reported from a share of more than 5 %", async () => {
  const add = (failures: number, requests: number, atMs = NOW_MS) =>
    addCounts(workerEnv.DIRECTORY, new Map([["api", { requests, failures }]]), atMs);
  await add(5, 60);
  await add(0, 40);
  expect(await listWrong(healthy)).toEqual([]);
  await add(1, 1);
  expect(await listWrong(healthy)).toEqual(["failure_ratio api: 0.0594059405940594"]);
  await add(1_000, 1_000, NOW_MS - 61 * MINUTE_MS);
  expect(await readCounts(directory, NOW_MS)).toEqual([{ surface: "api", requests: 101, failures: 6 }]);
  await sweepCounts(directory, NOW_MS + 121 * MINUTE_MS);
  expect(await readCounts(directory, NOW_MS)).toEqual([]);
});

test("an isolate reports a failure at once, then at most every 10 seconds, and otherwise every 10 minutes", () => {
  const counter = new RequestCounter();
  expect(counter.count("api", 200, 0)).toBeNull();
  expect(counter.count("api", 500, 1)).toEqual(new Map([["api", { requests: 2, failures: 1 }]]));
  expect(counter.count("short", 503, 10_000)).toBeNull();
  expect(counter.count("short", 302, 10_001)).toEqual(new Map([["short", { requests: 2, failures: 1 }]]));
  expect(counter.count("short", 302, 600_000)).toBeNull();
  expect(counter.count("short", 302, 610_001)).toEqual(new Map([["short", { requests: 2, failures: 0 }]]));
});

test("/status needs its token, and responds with JSON or with text for Prometheus", async () => {
  const ask = (headers: Record<string, string>, token: string | undefined = TOKEN, method = "GET") =>
    handle(
      new Request(`${workerEnv.API_URL}/status`, { method, headers }),
      { ...healthy, STATUS_TOKEN: token } as Env,
      { waitUntil: () => {}, passThroughOnException: () => {}, props: {} } as unknown as ExecutionContext,
    );
  const authorized = { Authorization: `Bearer ${TOKEN}` };
  const json = await ask(authorized);
  expect(json.status).toBe(200);
  expect(await json.json()).toMatchObject({ ok: expect.any(Boolean), measures: expect.any(Array) });
  const text = await (await ask({ ...authorized, Accept: "text/plain;version=0.0.4" })).text();
  expect(text).toMatch(/^signpost_ok [01]$/m);
  expect(text).toMatch(/^signpost_queue_messages\{of="scans"\} 3$/m);
  expect(text).not.toMatch(/null|undefined/);
  expect((await ask({ Authorization: "Bearer wrong" })).status).toBe(401);
  expect((await ask(authorized, TOKEN.slice(0, 31))).status).toBe(404);
  expect((await ask(authorized, TOKEN, "POST")).status).toBe(404);
  // Without the header, the path is a short code.
  expect((await ask({})).headers.get("content-type")).toContain("text/html");
});
