import { beforeEach, expect, test } from "vitest";
import { assetResponse } from "../../src/assets/assets.schema.ts";
import { pageResponse } from "../../src/bio/bio.schema.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/core/time.ts";
import worker from "../../src/index.ts";
import type { EventType } from "../../src/webhooks/events.ts";
import { EVENTS } from "../../src/webhooks/events.ts";
import { presignAsset, TEXT, uploadFile } from "../support/assets.ts";
import { deliverScans } from "../support/deliver-scans.ts";
import {
  countingEnv,
  createLink,
  expectData,
  newWorkspace,
  onEachShard,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import { packWindow, type Scan } from "../support/scans.ts";
import { TestQueue } from "../support/test-queue.ts";
import { buildReceiverUrl, createWebhook } from "../support/webhooks.ts";

let queue: TestQueue;
beforeEach(() => {
  queue = new TestQueue();
});

interface Payload {
  event: EventType;
  timestamp: string;
  data: Record<string, unknown>;
}

/** Returns the payloads that wait for an endpoint, in order. Validates each by its event's schema. */
async function listPayloads(webhookId: string): Promise<Payload[]> {
  const results = await onEachShard<{ id: string; payload: string; lane: number }>(
    `SELECT delivery.id, payload, delivery.lane
       FROM webhook_lanes AS lane
       JOIN event_deliveries AS delivery ON delivery.lane = lane.id
       JOIN webhook_events AS event ON event.id = substr(delivery.id, 1, 32)
      WHERE webhook_id = ? ORDER BY delivery.id`,
    webhookId,
  );
  for (const { id, lane } of results) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(queue.waiting.map(({ body }) => body.lane)).toContain(lane);
  }
  return results.map(({ payload }) => {
    const parsed: Payload = JSON.parse(payload);
    expect(Object.keys(parsed)).toEqual(["event", "timestamp", "data"]);
    expect(new Date(parsed.timestamp).toISOString()).toBe(parsed.timestamp);
    expect(EVENTS[parsed.event].strict().parse(parsed.data)).toEqual(parsed.data);
    return parsed;
  });
}

const unusedUrl = buildReceiverUrl("unused");

function request(workspace: TestWorkspace, method: string, path: string, body?: unknown): Promise<Response> {
  return workspace.call(method, path, { body, env: queue.env });
}

test("the events of a link contain its fields after the change", async () => {
  const workspace = await newWorkspace();
  const { id: webhookId } = await createWebhook(workspace, unusedUrl, ["link.updated", "link.deleted"]);
  const link = await createLink(
    workspace,
    { note: "kept", starts_at: "2020-01-01T00:00:00.123Z" },
    queue.env,
  );
  const fields = {
    title: "Sale",
    archived: true,
    expires_at: "2126-01-01T00:00:00.001Z",
    early_url: "https://example.com/soon",
    expired_url: "https://example.com/over",
    forward_query: true,
    confirm: true,
    imported_scans: 7,
  };
  await request(workspace, "PATCH", `/v1/links/${link.id}`, fields);
  await request(workspace, "PATCH", `/v1/links/${link.id}`, { starts_at: null, title: null });
  await request(workspace, "DELETE", `/v1/links/${link.id}`);
  const kept = { note: "kept", starts_at: link.starts_at };
  expect(await listPayloads(webhookId)).toMatchObject([
    { event: "link.updated", data: { ...fields, ...kept } },
    { event: "link.updated", data: { ...fields, ...kept, starts_at: null, title: null } },
    { event: "link.deleted", data: { ...fields, ...kept, starts_at: null, title: null } },
  ]);
});

test("creating, changing and deleting a link creates events, and a request without effect creates none", async () => {
  const workspace = await newWorkspace();
  const { id: webhookId } = await createWebhook(workspace, unusedUrl);
  const link = await createLink(workspace, { url: 'https://example.com/ü?"q"' }, queue.env);
  const next = "https://example.com/next";
  await request(workspace, "PATCH", `/v1/links/${link.id}`, { url: next, enabled: false });
  await request(workspace, "PATCH", `/v1/links/${link.id}`, {});
  await request(workspace, "DELETE", `/v1/links/${link.id}`);
  await request(workspace, "DELETE", `/v1/links/${link.id}`);
  await request(workspace, "PATCH", `/v1/links/${link.id}`, { enabled: true });

  const facts = { link_id: link.id, short_code: link.short_code };
  expect(await listPayloads(webhookId)).toMatchObject([
    { event: "link.created", data: { ...facts, destination: 'https://example.com/ü?"q"' } },
    { event: "link.updated", data: { ...facts, destination: next, enabled: false } },
    { event: "link.deleted", data: { ...facts, destination: next, enabled: false } },
  ]);
});

test("bulk operations create one event per created or changed link, in order", async () => {
  const workspace = await newWorkspace();
  const { id: webhookId } = await createWebhook(workspace, unusedUrl);
  await createLink(workspace, { custom_slug: "taken" }, queue.env);
  const items = [
    { url: "https://example.com/0", custom_slug: "first" },
    { url: "https://example.com/1", custom_slug: "taken" },
    { url: "nonsense" },
    { url: "https://example.com/3" },
  ];
  const response = await request(workspace, "POST", "/v1/links/bulk", { links: items });
  const { data } = (await response.json()) as { data: { created: { id: string }[] } };
  const ids = data.created.map(({ id }) => id);
  expect(ids).toHaveLength(2);
  await request(workspace, "PATCH", `/v1/links/${ids[0]}`, { enabled: false });
  await request(workspace, "PATCH", "/v1/links/bulk/status", { ids: [...ids, webhookId], enabled: false });

  const payloads = await listPayloads(webhookId);
  expect(payloads.map(({ event, data }) => [event, data.link_id, data.enabled])).toEqual([
    ["link.created", expect.any(String), undefined],
    ["link.created", ids[0], undefined],
    ["link.created", ids[1], undefined],
    ["link.updated", ids[0], false],
    ["link.updated", ids[1], false],
  ]);

  const preview = { title: "P", description: null, image_url: null };
  const changes = [
    { id: ids[1], title: "One", aliases: ["_1"], preview },
    { id: ids[0], archived: true, password: "secret-1" },
    { id: webhookId, title: "unknown" },
  ];
  await request(workspace, "PATCH", "/v1/links/bulk", { links: changes });
  const updates = (await listPayloads(webhookId)).slice(5).map(({ data }) => data);
  expect(updates).toMatchObject([
    { link_id: ids[1], title: "One", aliases: ["_1"], preview, archived: false, has_password: false },
    { link_id: ids[0], title: null, aliases: [], preview: null, archived: true, has_password: true },
  ]);
});

test("POST /v1/links/bulk with a hundred links creates a hundred events", async () => {
  const workspace = await newWorkspace();
  const { id: webhookId } = await createWebhook(workspace, unusedUrl);
  const links = Array.from({ length: 100 }, (_, index) => ({ url: `https://example.com/${index}` }));
  await request(workspace, "POST", "/v1/links/bulk", { links });
  const payloads = await listPayloads(webhookId);
  expect(payloads.map(({ data }) => data.destination)).toEqual(links.map(({ url }) => url));
});

test("confirming and publishing an asset creates one event each, even for three parallel requests", async () => {
  const workspace = await newWorkspace();
  const { id: webhookId } = await createWebhook(workspace, unusedUrl);
  const { id, upload } = await presignAsset(workspace, TEXT, { filename: 'a "b".txt' });
  const postThreeTimes = (path: string) =>
    Promise.all([1, 2, 3].map(() => request(workspace, "POST", `/v1/assets/${id}${path}`)));
  await postThreeTimes("/confirm");
  expect(await listPayloads(webhookId)).toEqual([]);
  await uploadFile(upload);
  await postThreeTimes("/confirm");
  const [published] = await postThreeTimes("/publish");
  const { data } = await expectData(published as Response, assetResponse);
  await postThreeTimes("/confirm");
  const facts = { asset_id: id, filename: data.filename };
  expect(await listPayloads(webhookId)).toMatchObject([
    { event: "asset.uploaded", data: { ...facts, mime_type: "text/plain", file_size: TEXT.byteLength } },
    { event: "asset.published", data: { ...facts, public_url: data.public_url } },
  ]);
});

test("publishing and unpublishing a bio page creates one event each, even for three parallel requests", async () => {
  const workspace = await newWorkspace();
  const { id: webhookId } = await createWebhook(workspace, unusedUrl);
  const created = await request(workspace, "POST", "/v1/bio/pages", { title: 'Ann\'s "page"' });
  const { data: page } = await expectData(created, pageResponse, 201);
  const postThreeTimes = (path: string) =>
    Promise.all([1, 2, 3].map(() => request(workspace, "POST", `/v1/bio/pages/${page.id}${path}`)));
  await postThreeTimes("/unpublish");
  await postThreeTimes("/publish");
  await request(workspace, "PATCH", `/v1/bio/pages/${page.id}`, { title: "Another" });
  await postThreeTimes("/unpublish");
  const facts = { page_id: page.id, slug: page.slug, html_url: page.html_url };
  expect(await listPayloads(webhookId)).toMatchObject([
    { event: "bio.published", data: { ...facts, title: 'Ann\'s "page"' } },
    { event: "bio.unpublished", data: { ...facts, title: "Another" } },
  ]);
});

test("a rejected change creates no event", async () => {
  const workspace = await newWorkspace();
  const { id: webhookId } = await createWebhook(workspace, unusedUrl);
  await createLink(workspace, { custom_slug: "same" }, queue.env);
  const body = { url: "https://example.com", custom_slug: "SAME" };
  expect((await request(workspace, "POST", "/v1/links", body)).status).toBe(409);
  expect(await listPayloads(webhookId)).toHaveLength(1);
});

test("an enabled endpoint receives the events of its workspace that it subscribes to, each once", async () => {
  const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
  const all = await createWebhook(workspace, unusedUrl);
  const deletions = await createWebhook(workspace, unusedUrl, ["link.deleted", "bio.published"]);
  const both = await createWebhook(workspace, unusedUrl, ["*", "link.created"]);
  const disabled = await createWebhook(workspace, unusedUrl);
  await workspace.call("PATCH", `/v1/webhooks/${disabled.id}`, { body: { enabled: false } });
  const foreign = await createWebhook(other, unusedUrl);
  await createLink(workspace, {}, queue.env);
  for (const [webhook, count] of [
    [all, 1],
    [deletions, 0],
    [both, 1],
    [disabled, 0],
    [foreign, 0],
  ] as const) {
    expect(await listPayloads(webhook.id)).toHaveLength(count);
  }
});

test("POST /v1/links takes two round trips to D1, with and without endpoints", async () => {
  const workspace = await newWorkspace();
  // The first use of a key on a day adds a trip.
  await workspace.call("GET", "/v1/workspace");
  const { env, trips } = countingEnv(queue.env);
  await createLink(workspace, {}, env);
  expect(trips()).toBe(2);
  await createWebhook(workspace, unusedUrl);
  await createLink(workspace, {}, env);
  expect(trips()).toBe(4);
});

test("a link is created even if the delivery queue fails, and the cron queues its delivery", async () => {
  const workspace = await newWorkspace();
  const { id: webhookId } = await createWebhook(workspace, unusedUrl);
  const DELIVERY_QUEUE = { sendBatch: () => Promise.reject(new Error("no queue")) } as unknown as Queue;
  await createLink(workspace, {}, { ...workerEnv, DELIVERY_QUEUE });
  await workspace.shard.exec("UPDATE event_deliveries SET next_attempt_at = next_attempt_at - 60000");
  await worker.scheduled({} as ScheduledController, queue.env);
  expect(await listPayloads(webhookId)).toHaveLength(1);
});

test("each scan creates one event, even if its window is delivered more than once", async () => {
  const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
  const { id: webhookId } = await createWebhook(workspace, unusedUrl, ["link.scanned"]);
  const unsubscribed = await createWebhook(other, unusedUrl, ["link.created"]);
  const link = await createLink(workspace);
  const scan: Scan = {
    workspaceId: workspace.id,
    linkId: link.id,
    shortCode: link.short_code,
    destination: "https://example.com/used",
    rule: null,
    // Not too long ago: an old window is no longer counted.
    scannedAtMs: Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - HOUR_MS,
    country: "DE",
    region: "DE-BE",
    device: "mobile",
    os: "ios",
    browser: null,
    language: "de",
    referrer: "example.org",
  };
  const laterMs = scan.scannedAtMs + 250;
  const window = packWindow([
    scan,
    { ...scan, scannedAtMs: laterMs, country: null, source: "qr" },
    { ...scan, scannedAtMs: laterMs + 1 },
    { ...scan, workspaceId: other.id },
  ]);
  await deliverScans(queue.env, window, window);
  await deliverScans(queue.env, window);
  const data = {
    link_id: link.id,
    short_code: link.short_code,
    destination: "https://example.com/used",
    country: "DE",
    device: "mobile",
    os: "ios",
    browser: null,
    referrer: "example.org",
    source: "link",
  };
  const eventAt = (timeMs: number, changed: object = {}) => {
    const scanned_at = new Date(timeMs).toISOString();
    return { event: "link.scanned", timestamp: scanned_at, data: { ...data, scanned_at, ...changed } };
  };
  expect(await listPayloads(webhookId)).toEqual([
    eventAt(scan.scannedAtMs),
    eventAt(laterMs, { country: null, source: "qr" }),
    eventAt(laterMs + 1),
  ]);
  expect(await listPayloads(unsubscribed.id)).toEqual([]);
});
