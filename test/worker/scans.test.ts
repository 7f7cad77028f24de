import {
  createExecutionContext,
  createMessageBatch,
  getQueueResult,
  waitOnExecutionContext,
} from "cloudflare:test";
import { expect, test, vi } from "vitest";
import { ingestScans } from "../../src/analytics/ingest.ts";
import { formatUuidTime } from "../../src/core/id.ts";
import { DAY_MS } from "../../src/core/time.ts";
import { sweepCountedSlices } from "../../src/counting/counted-slices.ts";
import type { Window } from "../../src/counting/window.ts";
import worker from "../../src/index.ts";
import { type LinkResponse, linkResponse } from "../../src/links/link-response.ts";
import type { ScanFacts } from "../../src/scans/scan-facts.ts";
import {
  createLink,
  eventually,
  expectData,
  newWorkspace,
  type TestWorkspace,
  workerEnv,
  wrapShards,
} from "../support/harness.ts";
import { buildScan, packWindow } from "../support/scans.ts";
import { seedLinks } from "../support/seed-links.ts";
import { buildReceiverUrl, createWebhook } from "../support/webhooks.ts";

const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1";

async function readLink(workspace: TestWorkspace, id: string): Promise<LinkResponse> {
  return (await expectData(await workspace.call("GET", `/v1/links/${id}`), linkResponse)).data;
}

/**
 * Waits until a link has `count` scans and a moment longer, in which extra scans would appear. Returns its
 * scans.
 */
async function readSettledCount(workspace: TestWorkspace, id: string, count: number): Promise<number> {
  await eventually(
    () => readLink(workspace, id),
    ({ scan_count }) => scan_count >= count,
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
  return (await readLink(workspace, id)).scan_count;
}

test("120 simultaneous scans are counted once each", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace);
  const startMs = Date.now();
  await Promise.all(Array.from({ length: 120 }, () => workspace.visit(`/${link.short_code}`)));
  expect(await readSettledCount(workspace, link.id, 120)).toBe(120);
  const { last_scan_at, updated_at } = await readLink(workspace, link.id);
  expect(Date.parse(last_scan_at ?? "")).toBeGreaterThanOrEqual(startMs);
  expect(updated_at).toBe(link.updated_at);
});

test("redirects of browsers and HTTP clients are scans; bots, scanners, prefetches, HEAD and rejected requests are not", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace);
  const path = `/${link.short_code}`;
  const counted = [
    { "User-Agent": PHONE },
    { "User-Agent": "curl/8.5.0" },
    { "User-Agent": "python-requests/2.32" },
    {},
  ];
  const ignored = [
    { "User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" },
    { "User-Agent": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)" },
    { "User-Agent": PHONE, "Sec-Purpose": "prefetch;prerender" },
    { "User-Agent": PHONE, Purpose: "prefetch" },
    { "User-Agent": PHONE, "CF-Connecting-IP": "40.92.0.1" },
  ];
  for (const headers of ignored) expect((await workspace.visit(path, { headers })).status).toBe(302);
  await workspace.visit(path, { method: "HEAD", headers: { "User-Agent": PHONE } });
  await workspace.call("PATCH", `/v1/links/${link.id}`, { body: { enabled: false } });
  expect((await workspace.visit(path)).status).toBe(410);
  await workspace.call("PATCH", `/v1/links/${link.id}`, { body: { enabled: true } });
  for (const headers of counted) await workspace.visit(path, { headers });
  expect(await readSettledCount(workspace, link.id, counted.length)).toBe(counted.length);
});

test("a browser that opens ten links of a workspace at once is redirected, and counts for seven", async () => {
  const workspace = await newWorkspace();
  const links = await Promise.all(Array.from({ length: 10 }, () => createLink(workspace)));
  const nowMs = Date.now();
  const clock = vi.spyOn(Date, "now").mockReturnValue(nowMs);
  const headers = { "User-Agent": PHONE, "CF-Connecting-IP": "203.0.113.77" };
  for (const { short_code } of links)
    expect((await workspace.visit(`/${short_code}`, { headers })).status).toBe(302);
  clock.mockRestore();
  const counted = await Promise.all(links.slice(0, 7).map(({ id }) => readSettledCount(workspace, id, 1)));
  expect(counted).toEqual(Array(7).fill(1));
  for (const { id } of links.slice(7)) expect((await readLink(workspace, id)).scan_count).toBe(0);
});

/** Packs scans of a link at the given times into a window. */
function packScans(link: LinkResponse, workspaceId: string, times: number[]): Window<ScanFacts> {
  return packWindow(times.map((scannedAtMs) => buildScan({ workspaceId, linkId: link.id, scannedAtMs })));
}

/** Delivers windows to the Worker's queue handler. */
async function deliverWindows(windows: object[], env: Env = workerEnv) {
  const messages = windows.map((body, index) => ({
    id: `message-${index}`,
    timestamp: new Date(),
    attempts: 1,
    body,
  }));
  const batch = createMessageBatch("signpost-scans", messages);
  const context = createExecutionContext();
  await worker.queue(batch, env, context);
  await waitOnExecutionContext(context);
  return getQueueResult(batch, context);
}

test("a window that is delivered twice, in one batch or in two, is counted once", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace);
  const other = await createLink(workspace);
  const window = packScans(link, workspace.id, [1_000, 3_000, 2_000]);
  const second = packScans(other, workspace.id, [4_000]);
  const result = await deliverWindows([window, window, second]);
  expect(result.ackAll).toBe(true);
  await deliverWindows([window, packScans(link, workspace.id, [500])]);
  expect(await readLink(workspace, link.id)).toMatchObject({
    scan_count: 4,
    last_scan_at: new Date(3_000).toISOString(),
  });
  expect(await readLink(workspace, other.id)).toMatchObject({ scan_count: 1 });
});

const brokenEnv = wrapShards(
  (d1) =>
    ({
      prepare: (query: string) => d1.prepare(query),
      batch: () => Promise.reject(new Error("D1 is down")),
    }) as unknown as D1Database,
);

test("a batch that fails in the database is retried and then counted completely", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace);
  const window = packScans(link, workspace.id, [1_000]);
  const result = await deliverWindows([window], brokenEnv);
  expect(result.ackAll).toBe(false);
  expect(result.retryMessages).toHaveLength(1);
  await deliverWindows([window]);
  expect((await readLink(workspace, link.id)).scan_count).toBe(1);
});

test("while the database is down, retries of a batch are delayed by 5 to 300 seconds", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace);
  const delays: (number | undefined)[] = [];
  const messages = [1, 2, 3, 7, 99].map((attempts) => ({
    body: packScans(link, workspace.id, [1_000]),
    attempts,
    retry: (options?: QueueRetryOptions) => delays.push(options?.delaySeconds),
  }));
  const batch = { queue: "signpost-scans", messages } as unknown as MessageBatch<Window<ScanFacts>>;
  await ingestScans(batch, brokenEnv, Date.now());
  expect(delays).toEqual([5, 10, 20, 300, 300]);
});

/** Builds a batch that records which messages it acknowledges and retries. */
function recordBatch(bodies: unknown[], attempts = 1) {
  const retried: unknown[] = [];
  let isAcknowledged = false;
  const messages = bodies.map((body) => ({ body, attempts, retry: () => retried.push(body) }));
  const ackAll = () => {
    isAcknowledged = true;
  };
  const batch = { queue: "signpost-scans", messages, ackAll } as unknown as MessageBatch<Window<ScanFacts>>;
  return { batch, retried, isAcknowledged: () => isAcknowledged };
}

test("messages that are no scan windows stay in the queue, and the others are counted", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace);
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const good = packScans(link, workspace.id, [1_000]);
  const build = (facts: object, timesMs: unknown) => ({
    id: crypto.randomUUID(),
    groups: [{ facts, timesMs }],
  });
  const facts = good.groups[0]?.facts as ScanFacts;
  const bad = [
    null,
    "text",
    {},
    { id: "x", groups: [] },
    { id: crypto.randomUUID() },
    build({ ...facts, linkId: "x" }, [1]),
    build({ ...facts, workspaceId: null }, [1]),
    build(facts, []),
    build(facts, [null]),
    build(facts, [-1]),
    build(facts, [1.5]),
    { id: crypto.randomUUID(), groups: [null] },
  ];
  const { batch, retried, isAcknowledged } = recordBatch([...bad, good]);
  await ingestScans(batch, workerEnv, Date.now());
  expect(retried).toEqual(bad);
  expect(isAcknowledged()).toBe(true);
  expect((await readLink(workspace, link.id)).scan_count).toBe(1);
  expect(JSON.stringify(log.mock.calls)).not.toContain(workspace.id);
  log.mockRestore();
});

test("a window that the database keeps rejecting does not stop other windows of its batches", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace);
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const refused = await createLink(workspace);
  const [first, poison, last] = [link, refused, link].map((scanned) =>
    packScans(scanned, workspace.id, [1_000]),
  );
  const bound = new WeakMap<object, unknown[]>();
  const d1 = {
    prepare: (text: string) => ({
      bind: (...values: unknown[]) => {
        const statement = workspace.shard.prepare(text).bind(...values);
        bound.set(statement, values);
        return statement;
      },
    }),
    batch: (statements: D1PreparedStatement[]) =>
      JSON.stringify(statements.map((statement) => bound.get(statement))).includes(refused.id)
        ? Promise.reject(new Error("too big"))
        : workspace.shard.batch(statements),
  } as unknown as D1Database;
  const early = recordBatch([first, poison, last]);
  await ingestScans(
    early.batch,
    wrapShards(() => d1),
    Date.now(),
  );
  expect(early.retried).toHaveLength(3);
  const late = recordBatch([first, poison, last], 3);
  await ingestScans(
    late.batch,
    wrapShards(() => d1),
    Date.now(),
  );
  expect(late.retried).toEqual([poison]);
  expect((await readLink(workspace, link.id)).scan_count).toBe(2);
  log.mockRestore();
});

test("only scans by people trigger webhooks and count for the link", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace);
  await createWebhook(workspace, buildReceiverUrl("unused"), ["link.scanned"]);
  const scans = (["human", "bot", "preview", "prefetch"] as const).map((traffic) =>
    buildScan({ workspaceId: workspace.id, linkId: link.id, traffic }),
  );
  const env = { ...workerEnv, DELIVERY_QUEUE: { sendBatch: async () => {} } as unknown as Queue };
  await deliverWindows([packWindow(scans)], env);
  expect((await readLink(workspace, link.id)).scan_count).toBe(1);
  const deliveries = await workspace.shard
    .prepare("SELECT count(*) AS count FROM webhook_events WHERE workspace_id = ?")
    .bind(workspace.id)
    .first<{ count: number }>();
  expect(deliveries?.count).toBe(1);
});

test("a window counts scans of 1,001 links, which need more than one statement", async () => {
  const workspace = await newWorkspace("enterprise");
  await seedLinks({ workspace, count: 1_001, code: "'code-' || n", destination: "'https://example.com/'" });
  const ids = await workspace.shard
    .prepare("SELECT id FROM links WHERE workspace_id = ?")
    .bind(workspace.id)
    .raw<[string]>();
  const scans = ids.map(([linkId]) => buildScan({ workspaceId: workspace.id, linkId }));
  await deliverWindows([packWindow(scans)]);
  const count = (rows: string, id: string) =>
    workspace.shard.prepare(`SELECT count(*) AS n FROM ${rows}`).bind(id).first("n");
  expect(await count("links WHERE workspace_id = ? AND scan_count = 1", workspace.id)).toBe(1_001);
  // The counts of the links and of the workspace.
  expect(await count("scan_months WHERE owner = unhex(?, '-')", workspace.id)).toBe(1_002);
});

test("parallel consumers of one window count it once", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace);
  const window = packScans(link, workspace.id, [1_000, 2_000]);
  const others = Array.from({ length: 5 }, () => packScans(link, workspace.id, [3_000]));
  const results = await Promise.all(others.map((other) => deliverWindows([window, other])));
  expect(results.every(({ ackAll }) => ackAll)).toBe(true);
  expect((await readLink(workspace, link.id)).scan_count).toBe(2 + others.length);
});

/** Builds a window of one scan at the given time. */
function windowAt(link: LinkResponse, workspaceId: string, timeMs: number): Window<ScanFacts> {
  const id = `${formatUuidTime(timeMs)}-7abc-8def-${crypto.randomUUID().slice(-12)}`;
  return { ...packScans(link, workspaceId, [1_000]), id };
}

test("windows are counted up to an age of 15 days; older ones may have been counted and become dead letters", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace);
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const madeAtMs = Date.UTC(2026, 10, 1);
  const [window, other] = [madeAtMs, madeAtMs + 1].map((timeMs) => windowAt(link, workspace.id, timeMs));
  const countAt = async (nowMs: number, ...windows: (Window<ScanFacts> | undefined)[]) => {
    const { batch, retried } = recordBatch(windows);
    await ingestScans(batch, workerEnv, nowMs);
    return { retried, count: (await readLink(workspace, link.id)).scan_count };
  };
  // A window's dead letter is replayed repeatedly, even after the records of counted windows were swept.
  expect(await countAt(madeAtMs + 15 * DAY_MS, window)).toEqual({ retried: [], count: 1 });
  await sweepCountedSlices(workspace.shard, madeAtMs + 15 * DAY_MS);
  expect(await countAt(madeAtMs + 15 * DAY_MS, window)).toEqual({ retried: [], count: 1 });
  expect(log).not.toHaveBeenCalled();
  await sweepCountedSlices(workspace.shard, madeAtMs + 17 * DAY_MS);
  expect(await countAt(madeAtMs + 15 * DAY_MS + 1, window, other)).toEqual({ retried: [window], count: 2 });
  expect(log.mock.calls.map(([line]) => JSON.parse(line).message)).toEqual([
    "signpost-scans contained 1 window older than 15 days. They may have been counted before, so they are not counted, " +
      "and become dead letters",
  ]);
  log.mockRestore();
});

test("counted windows are remembered for 16 days and deleted in bounded steps", async () => {
  const { shard } = await newWorkspace();
  // Times of windows at the start of a bucket of 4,096 ms.
  const startMs = 4_096 * 400_000_000;
  const count = () => shard.prepare("SELECT count(*) AS n FROM counted_buckets").first<number>("n");
  await shard.exec("DELETE FROM counted_buckets");
  await shard
    .prepare(
      `INSERT INTO counted_buckets (bucket, ids)
       SELECT printf('%09x', 400000000 - value), '' FROM
         (WITH RECURSIVE n(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM n WHERE value < 1002) SELECT value FROM n)`,
    )
    .run();
  await sweepCountedSlices(shard, startMs + 16 * DAY_MS - 1);
  expect(await count()).toBe(3);
  await sweepCountedSlices(shard, startMs + 16 * DAY_MS - 1);
  expect(await count()).toBe(2);
  await sweepCountedSlices(shard, startMs + 16 * DAY_MS);
  expect(await count()).toBe(1);
  await sweepCountedSlices(shard, startMs + 16 * DAY_MS + 4_095);
  expect(await count()).toBe(1);
  expect(await sweepCountedSlices(shard, startMs + 16 * DAY_MS + 4_096)).toBeGreaterThan(0);
  expect(await count()).toBe(0);
});

test("scans of a deleted link do not prevent other scans in the batch from being counted", async () => {
  const workspace = await newWorkspace();
  const [gone, link] = [await createLink(workspace), await createLink(workspace)];
  await workspace.call("DELETE", `/v1/links/${gone.id}`);
  await deliverWindows([packScans(gone, workspace.id, [1_000]), packScans(link, workspace.id, [1_000])]);
  expect((await readLink(workspace, link.id)).scan_count).toBe(1);
});

test("a short failure of the scan queue neither breaks a redirect nor loses a scan", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace);
  const context = createExecutionContext();
  let refusals = 2;
  const SCAN_QUEUE = {
    send: (message: unknown) =>
      refusals-- > 0 ? Promise.reject(new Error("the queue is down")) : workerEnv.SCAN_QUEUE.send(message),
  };
  const env = { ...workerEnv, SCAN_QUEUE: SCAN_QUEUE as unknown as Queue };
  const request = new Request(`http://${workspace.hostname}:8787/${link.short_code}`, { redirect: "manual" });
  const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], env, context);
  expect(response.status).toBe(302);
  await waitOnExecutionContext(context);
  expect(await readSettledCount(workspace, link.id, 1)).toBe(1);
});
