import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import worker from "../../src/index.ts";
import { deliveryResponse, webhookResponse } from "../../src/webhooks/webhooks.schema.ts";
import { useEmptyDatabases } from "../support/databases.ts";
import { deliverScans } from "../support/deliver-scans.ts";
import {
  countingEnv,
  createLink,
  eventually,
  expectData,
  expectError,
  newWorkspace,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import { newPerson } from "../support/people.ts";
import { buildScan, packWindow } from "../support/scans.ts";
import { TestQueue } from "../support/test-queue.ts";
import {
  addWaiting,
  buildReceiverUrl,
  createWebhook,
  getDelivery,
  listDeliveries,
  listReceived,
  newReceiverName,
  readNumber,
} from "../support/webhooks.ts";

/** Limits that keep one workspace's deliveries from affecting others. */

useEmptyDatabases();

const unusedUrl = buildReceiverUrl("unused");

let queue: TestQueue;
beforeEach(() => {
  queue = new TestQueue();
});

function runCron(): Promise<void> {
  return worker.scheduled({} as ScheduledController, queue.env);
}

/** Returns the stored number of waiting deliveries of a workspace. Fails if it is not the real number. */
async function countWaiting({ id }: TestWorkspace): Promise<number> {
  const counted = await readNumber("SELECT waiting FROM delivery_backlogs WHERE workspace_id = ?", id);
  const written = await readNumber(
    `SELECT count(*) FROM event_deliveries JOIN webhook_lanes AS lane ON lane.id = lane
      WHERE workspace_id = ? AND next_attempt_at IS NOT NULL`,
    id,
  );
  const unwritten = await readNumber(
    `SELECT coalesce(sum(json_array_length(recipients) - fanned_out), 0) FROM webhook_events
      WHERE workspace_id = ? AND fanned_out IS NOT NULL`,
    id,
  );
  expect(counted).toBe(written + unwritten);
  return counted;
}

/** Adds copies of an endpoint, which are faster than creations. Their secrets don't work. */
async function copyWebhook({ id, shard }: TestWorkspace, webhookId: string, count: number): Promise<void> {
  const { results } = await shard.prepare("SELECT name FROM pragma_table_info('webhooks')").all();
  const columns = results.map(({ name }) => `"${name}"`).join(", ");
  const copies = JSON.stringify(Array.from({ length: count }, () => crypto.randomUUID()));
  await shard.batch([
    shard
      .prepare(
        `INSERT INTO webhooks (${columns})
         SELECT ${columns.replace('"id"', "value")} FROM webhooks, json_each(?2) AS copies WHERE webhooks.id = ?1`,
      )
      .bind(webhookId, copies),
    shard
      .prepare("INSERT INTO webhook_lanes (webhook_id, workspace_id) SELECT value, ?1 FROM json_each(?2)")
      .bind(id, copies),
  ]);
}

async function getWebhook(workspace: TestWorkspace, webhookId: string) {
  return (await expectData(await workspace.call("GET", `/v1/webhooks/${webhookId}`), webhookResponse)).data;
}

test("the payload of an event is stored once: 4,000 deliveries of 200 long links take less than 3 MB", async () => {
  const workspace = await newWorkspace("business");
  const url = `https://example.com/${"x".repeat(8_080)}`;
  const ids: string[] = [];
  for (let call = 0; call < 2; call++) {
    const links = Array.from({ length: 100 }, () => ({ url }));
    const response = await workspace.call("POST", "/v1/links/bulk", { body: { links } });
    const { data } = await response.json<{ data: { created: { id: string }[] } }>();
    ids.push(...data.created.map(({ id }) => id));
  }
  const endpoint = await createWebhook(workspace, unusedUrl);
  await copyWebhook(workspace, endpoint.id, 19);
  const measure = async () => (await workspace.shard.prepare("SELECT 1").run()).meta.size_after;
  const before = await measure();
  const body = { ids, enabled: false };
  const response = await workspace.call("PATCH", "/v1/links/bulk/status", { body, env: queue.env });
  expect(response.status).toBe(200);
  expect(await countWaiting(workspace)).toBe(4_000);
  // No statement writes more than a thousand deliveries. The queue writes the others.
  expect(await readNumber("SELECT count(*) FROM event_deliveries")).toBe(1_000);
  for (const message of queue.waiting.splice(0)) {
    if (message.body.lane === null) await queue.deliver([message], []);
  }
  expect(await readNumber("SELECT count(*) FROM event_deliveries")).toBe(4_000);
  expect(await countWaiting(workspace)).toBe(4_000);
  const bytes = (await measure()) - before;
  console.log(`4,000 deliveries of 200 long links: ${bytes} bytes`);
  expect(bytes).toBeLessThan(3_000_000);
  const writtenEvents = "SELECT count(*) FROM webhook_events WHERE workspace_id = ? AND fanned_out IS NULL";
  expect(await readNumber(writtenEvents, workspace.id)).toBe(200);
  const [delivery] = await listDeliveries(workspace, endpoint.id);
  const { payload } = await getDelivery(workspace, endpoint.id, delivery?.id ?? "");
  expect(payload.data).toMatchObject({ destination: url, enabled: false });
  await workspace.shard.prepare("DELETE FROM event_deliveries").run();
});

test("a change beyond the plan's waiting deliveries returns 429 and changes nothing, also in parallel", async () => {
  const workspace = await newWorkspace("pro");
  const { id } = await createWebhook(workspace, unusedUrl);
  const link = await createLink(workspace, {}, queue.env);
  await addWaiting(workspace, id, 9_996);
  const create = () =>
    workspace.call("POST", "/v1/links", { body: { url: "https://example.com" }, env: queue.env });
  const responses = await Promise.all(Array.from({ length: 8 }, create));
  const refused = responses.filter(({ status }) => status === 429);
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(refused).toHaveLength(5);
  expect(refused[0]?.headers.get("Retry-After")).toBe("60");
  await expectError(refused[0] as Response, 429, "DELIVERY_BACKLOG");
  expect(await countWaiting(workspace)).toBe(10_000);
  const count = () => readNumber("SELECT count(*) FROM links WHERE workspace_id = ?", workspace.id);
  expect(await count()).toBe(4);

  const calls = [
    ["PATCH", `/v1/links/${link.id}`, { url: "https://example.com/changed" }],
    ["DELETE", `/v1/links/${link.id}`, undefined],
    ["POST", "/v1/links/bulk", { links: [{ url: "https://example.com" }] }],
    ["POST", `/v1/webhooks/${id}/test`, undefined],
  ] as const;
  // The calls above have used up the burst of this second.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 1_000 });
  onTestFinished(() => void vi.useRealTimers());
  for (const [method, path, body] of calls) {
    const response = await workspace.call(method, path, { body, env: queue.env });
    await expectError(response, 429, "DELIVERY_BACKLOG");
  }
  expect(await count()).toBe(4);
  const read = await workspace.call("GET", `/v1/links/${link.id}`);
  expect(await read.json()).toMatchObject({ data: { destination: "https://example.com/" } });

  // The same Idempotency-Key succeeds once fewer deliveries wait, and a change without recipients always
  // succeeds.
  const headers = { "Idempotency-Key": "one" };
  const again = () => workspace.call("POST", `/v1/webhooks/${id}/test`, { headers, env: queue.env });
  await expectError(await again(), 429, "DELIVERY_BACKLOG");
  await workspace.call("PATCH", `/v1/webhooks/${id}`, { body: { events: ["asset.published"] } });
  expect((await create()).status).toBe(201);
  await workspace.shard
    .prepare("UPDATE delivery_backlogs SET waiting = waiting - 1 WHERE workspace_id = ?")
    .bind(workspace.id)
    .run();
  expect((await again()).status).toBe(201);
});

test("a finished delivery that is sent again waits, and counts against the plan", async () => {
  const workspace = await newWorkspace("pro");
  const { id } = await createWebhook(workspace, buildReceiverUrl(newReceiverName()));
  await createLink(workspace, {}, queue.env);
  await queue.run();
  expect(await countWaiting(workspace)).toBe(0);
  const [delivery] = await listDeliveries(workspace, id);
  const resend = () =>
    workspace.call("POST", `/v1/webhooks/${id}/deliveries/${delivery?.id}/resend`, { env: queue.env });
  await Promise.all([resend(), resend(), resend()]);
  expect(await countWaiting(workspace)).toBe(1);
  await queue.run();
  expect(await countWaiting(workspace)).toBe(0);
  await addWaiting(workspace, id, 10_000);
  await expectError(await resend(), 429, "DELIVERY_BACKLOG");
  expect(await getDelivery(workspace, id, delivery?.id ?? "")).toMatchObject({ status: "delivered" });
});

test("a scan beyond the plan is counted and skipped, only once if its window is delivered twice", async () => {
  const workspace = await newWorkspace("pro");
  const first = await createWebhook(workspace, unusedUrl, ["link.scanned"]);
  const second = await createWebhook(workspace, unusedUrl, ["*"]);
  const unsubscribed = await createWebhook(workspace, unusedUrl, ["link.created"]);
  const other = await newWorkspace("pro");
  const otherEndpoint = await createWebhook(other, unusedUrl);
  const link = await createLink(workspace, {}, queue.env);
  const waiting = await countWaiting(workspace);
  await addWaiting(workspace, unsubscribed.id, 9_995 - waiting);
  const scans = Array.from({ length: 7 }, (_, n) =>
    buildScan({ workspaceId: workspace.id, linkId: link.id, scannedAtMs: Date.now() + n }),
  );
  const window = packWindow([...scans, buildScan({ workspaceId: other.id, linkId: other.id })]);
  await deliverScans(queue.env, window, window);
  await deliverScans(queue.env, window);
  expect(await countWaiting(workspace)).toBe(9_999);
  for (const { id } of [first, second]) {
    const { skipped_count, skipped_at } = await getWebhook(workspace, id);
    expect(skipped_count).toBe(5);
    expect(Date.parse(skipped_at ?? "")).toBeGreaterThan(Date.now() - 60_000);
  }
  expect(await getWebhook(workspace, unsubscribed.id)).toMatchObject({ skipped_count: 0, skipped_at: null });
  expect(await getWebhook(other, otherEndpoint.id)).toMatchObject({ skipped_count: 0 });
  expect(await listDeliveries(other, otherEndpoint.id)).toHaveLength(1);
  expect(await readNumber("SELECT scan_count FROM links WHERE id = ?", link.id)).toBe(7);
});

test("1,000 scans for 30 endpoints are counted immediately and delivered in steps of 1,000 rows", async () => {
  const workspace = await newWorkspace("enterprise");
  const { id: copied } = await createWebhook(workspace, unusedUrl, ["link.scanned"]);
  await copyWebhook(workspace, copied, 29);
  const other = await newWorkspace("pro");
  const otherEndpoint = await createWebhook(other, unusedUrl, ["link.scanned"]);
  const link = await createLink(workspace);
  const nowMs = Date.now();
  const windows = Array.from({ length: 10 }, (_, window) =>
    packWindow([
      ...Array.from({ length: 100 }, (_, n) =>
        buildScan({ workspaceId: workspace.id, linkId: link.id, scannedAtMs: nowMs + window * 100 + n }),
      ),
      ...(window === 0 ? [buildScan({ workspaceId: other.id, linkId: link.id, scannedAtMs: nowMs })] : []),
    ]),
  );
  const { env, counts } = countingEnv(queue.env);
  await deliverScans(env, ...windows);
  expect(await countWaiting(workspace)).toBe(30_000);
  expect(await listDeliveries(other, otherEndpoint.id)).toHaveLength(1);
  // An event writes one row, and one index row while its deliveries are not written.
  expect(counts.rowsWritten).toBeLessThan(6_667);
  const fanOut = {
    body: { workspaceId: workspace.id, shard: workspace.shardNumber, lane: null },
    attempts: 1,
  };
  const countRows = () =>
    readNumber(
      "SELECT count(*) FROM event_deliveries JOIN webhook_lanes AS lane ON lane.id = lane WHERE workspace_id = ?",
      workspace.id,
    );
  const before = await countRows();
  await Promise.all([queue.deliver([fanOut], []), queue.deliver([fanOut], [])]);
  expect(await countRows()).toBe(before + 10_000);
  expect(await countWaiting(workspace)).toBe(30_000);
  expect(queue.waiting.some(({ body }) => body.workspaceId === workspace.id && body.lane === null)).toBe(
    true,
  );

  // A disabled and a deleted endpoint release their unwritten deliveries.
  const { id: disabled = "" } =
    (await workspace.shard
      .prepare("SELECT id FROM webhooks WHERE workspace_id = ? LIMIT 1")
      .bind(workspace.id)
      .first<{ id: string }>()) ?? {};
  await workspace.call("PATCH", `/v1/webhooks/${disabled}`, { body: { enabled: false } });
  await queue.deliver([fanOut], []);
  expect(await countWaiting(workspace)).toBeLessThan(30_000);
  await workspace.shard.prepare("DELETE FROM webhook_events WHERE workspace_id = ?").bind(workspace.id).run();
  await workspace.shard.prepare("DELETE FROM event_deliveries").run();
}, 90_000);

test("30,000 waiting deliveries of one workspace do not delay another's test event", async () => {
  const busy = await newWorkspace("business");
  const names = [newReceiverName(), newReceiverName(), newReceiverName()];
  for (const [n, name] of names.entries()) {
    const webhook = await createWebhook(busy, buildReceiverUrl(name, n === 0 ? "hang" : "slow=20"));
    await addWaiting(busy, webhook.id, 10_000);
    await workerEnv.DELIVERY_QUEUE.sendBatch(
      (
        await busy.shard
          .prepare("SELECT workspace_id AS workspaceId, id AS lane FROM webhook_lanes WHERE webhook_id = ?")
          .bind(webhook.id)
          .all()
      ).results.map((body) => ({ body: { ...body, shard: busy.shardNumber } })),
    );
  }
  await eventually(
    async () => (await Promise.all(names.map((name) => listReceived(name)))).map(({ length }) => length),
    (counts) => counts.every((count) => count >= 5),
  );
  const workspace = await newWorkspace("pro");
  const name = newReceiverName();
  const { id } = await createWebhook(workspace, buildReceiverUrl(name));
  const startMs = Date.now();
  await workspace.call("POST", `/v1/webhooks/${id}/test`);
  await eventually(
    () => listReceived(name),
    (received) => received.length === 1,
    4_000,
  );
  console.log(`test event beside 30,000 waiting deliveries: ${Date.now() - startMs} ms`);
  expect((await listReceived(names[0] ?? "")).length).toBeLessThanOrEqual(10);
  await workspace.shard.prepare("DELETE FROM event_deliveries").run();
}, 60_000);

test("a workspace with more endpoints than turns serves all of them", async () => {
  // Turns must not end early because a busy machine is slow.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const workspace = await newWorkspace("enterprise");
  const names = Array.from({ length: 11 }, newReceiverName);
  for (const name of names) await createWebhook(workspace, buildReceiverUrl(name, "slow=20"));
  const links = Array.from({ length: 11 }, () => ({ url: "https://example.com" }));
  await workspace.call("POST", "/v1/links/bulk", { body: { links }, env: queue.env });
  // All wake-ups arrive simultaneously. Wake-ups without a free turn are lost, and ending turns wake their lanes
  // again.
  while (queue.waiting.length > 0) {
    await Promise.all(queue.waiting.splice(0).map((message) => queue.deliver([message], [])));
  }
  const received = await Promise.all(names.map((name) => listReceived(name)));
  expect(received.map(({ length }) => length)).toEqual(names.map(() => 11));
  expect(await countWaiting(workspace)).toBe(0);
});

test("a filtered list examines 2,000 deliveries and returns a cursor to continue", async () => {
  const workspace = await newWorkspace("enterprise");
  const { id } = await createWebhook(workspace, unusedUrl);
  await addWaiting(workspace, id, 2_001);
  const lane = await readNumber("SELECT id FROM webhook_lanes WHERE webhook_id = ?", id);
  await workspace.shard
    .prepare("UPDATE event_deliveries SET status = 'failed' WHERE lane = ? AND substr(id, -4) < '0002'")
    .bind(lane)
    .run();
  const path = `/v1/webhooks/${id}/deliveries`;
  const list = async (address: string) => {
    const response = await workspace.call("GET", address);
    const { data, meta } = await expectData(response, z.array(deliveryResponse));
    const link = response.headers.get("Link");
    return {
      ids: data.map((delivery) => delivery.id.slice(-4)),
      link,
      meta,
      next: link?.slice(1, link.indexOf(">")),
    };
  };
  const first = await list(`${path}?status=failed&limit=2&offset=0`);
  expect(first.ids).toEqual(["0001"]);
  expect(first.link).toMatch(
    /^<\/v1\/webhooks\/[^?]+\?status=failed&limit=2&before=[0-9a-f-]{36}>; rel="next"$/,
  );
  expect(first.meta).toMatchObject({ warnings: [expect.stringContaining("before=")] });
  expect(await list(first.next ?? "")).toMatchObject({ ids: ["0000"], link: null });
  const full = await list(`${path}?status=failed&limit=1`);
  expect([full.ids, full.next === first.next?.replace("limit=2", "limit=1")]).toEqual([["0001"], true]);
  expect(full.meta).not.toHaveProperty("warnings");
  const newest = await list(`${path}?limit=1&offset=1`);
  expect(newest.ids).toEqual(["07cf"]);
  expect(newest.meta).not.toHaveProperty("warnings");
  expect((await list(newest.next ?? "")).ids).toEqual(["07ce"]);
  await workspace.shard.prepare("DELETE FROM event_deliveries WHERE lane = ?").bind(lane).run();
});

test("attempts_log shows the last 50 attempts, and no more are stored", async () => {
  const workspace = await newWorkspace("enterprise");
  const { id } = await createWebhook(workspace, buildReceiverUrl(newReceiverName(), "failures=1000"));
  await createLink(workspace, {}, queue.env);
  await queue.run();
  const [delivery] = await listDeliveries(workspace, id);
  await workspace.shard.batch([
    workspace.shard
      .prepare(
        `INSERT INTO delivery_attempts (delivery_id, number, attempted_at, latency_ms)
         SELECT ?1, key + 2, attempted_at, 1 FROM json_each(?2), delivery_attempts WHERE delivery_id = ?1`,
      )
      .bind(delivery?.id, JSON.stringify(Array(46).fill(0))),
    workspace.shard.prepare("UPDATE event_deliveries SET attempts = 47 WHERE id = ?").bind(delivery?.id),
  ]);
  for (let n = 0; n < 8; n++) {
    await workspace.shard
      .prepare("UPDATE event_deliveries SET status = 'retrying', next_attempt_at = 1 WHERE id = ?")
      .bind(delivery?.id)
      .run();
    const lane = await readNumber("SELECT id FROM webhook_lanes WHERE webhook_id = ?", id);
    await workspace.shard
      .prepare("UPDATE delivery_backlogs SET waiting = 1 WHERE workspace_id = ?")
      .bind(workspace.id)
      .run();
    await queue.deliver(
      [{ body: { workspaceId: workspace.id, shard: workspace.shardNumber, lane }, attempts: 1 }],
      [],
    );
  }
  const { attempts, attempts_log } = await getDelivery(workspace, id, delivery?.id ?? "");
  expect(attempts).toBe(55);
  expect(attempts_log).toHaveLength(50);
  const kept = "SELECT min(number) * 1000 + count(*) FROM delivery_attempts WHERE delivery_id = ?";
  expect(await readNumber(kept, delivery?.id)).toBe(6_050);
});

test("deleting an endpoint hides its log immediately, and the cron deletes it and releases its deliveries", async () => {
  const workspace = await newWorkspace("business");
  const gone = await createWebhook(workspace, buildReceiverUrl(newReceiverName()));
  const kept = await createWebhook(workspace, buildReceiverUrl(newReceiverName()));
  await createLink(workspace, {}, queue.env);
  await queue.run();
  await addWaiting(workspace, gone.id, 2_300);
  // The first step has more attempts than it deletes.
  await workspace.shard
    .prepare(
      `INSERT INTO delivery_attempts (delivery_id, number, attempted_at, latency_ms, error)
       SELECT delivery.id, value, 1, 1, 'purged' FROM event_deliveries AS delivery, json_each('[1, 2, 3]')
        WHERE lane = (SELECT id FROM webhook_lanes WHERE webhook_id = ?) AND attempts = 0
          AND substr(delivery.id, -4) < '01f4'`,
    )
    .bind(gone.id)
    .run();
  await workspace.call("DELETE", `/v1/webhooks/${gone.id}`);
  await expectError(
    await workspace.call("GET", `/v1/webhooks/${gone.id}/deliveries`),
    404,
    "RESOURCE_NOT_FOUND",
  );
  await runCron();
  const left = (table: string) =>
    readNumber(`SELECT count(*) FROM ${table} WHERE workspace_id = ?`, workspace.id);
  expect(await countWaiting(workspace)).toBe(0);
  expect(await readNumber("SELECT count(*) FROM delivery_attempts WHERE error = 'purged'")).toBe(0);
  expect(await left("webhook_lanes")).toBe(1);
  // An event that the other endpoint also received is kept with its delivery.
  expect(await left("webhook_events")).toBe(1);
  const [delivery] = await listDeliveries(workspace, kept.id);
  expect((await getDelivery(workspace, kept.id, delivery?.id ?? "")).attempts_log).toHaveLength(1);
});

test("waiting deliveries of a disabled endpoint fail in steps without attempts, even if it is enabled again", async () => {
  const workspace = await newWorkspace("business");
  const name = newReceiverName();
  const { id } = await createWebhook(workspace, buildReceiverUrl(name));
  await addWaiting(workspace, id, 2_300);
  const patch = (enabled: boolean) => workspace.call("PATCH", `/v1/webhooks/${id}`, { body: { enabled } });
  await patch(false);
  expect(await countWaiting(workspace)).toBe(1_800);
  const lane = await readNumber("SELECT id FROM webhook_lanes WHERE webhook_id = ?", id);
  const wakeUp = { body: { workspaceId: workspace.id, shard: workspace.shardNumber, lane }, attempts: 1 };
  await queue.deliver([wakeUp], []);
  await patch(true);
  const link = await createLink(workspace, {}, queue.env);
  await queue.run();
  const received = await listReceived(name);
  expect(received.map(({ body }) => JSON.parse(body).data.link_id)).toEqual([link.id]);
  await runCron();
  expect(await countWaiting(workspace)).toBe(0);
  const failed =
    "SELECT count(*) FROM event_deliveries WHERE lane = ? AND status = 'failed' AND attempts = 0";
  expect(await readNumber(failed, lane)).toBe(2_300);
});

test("a workspace whose new plan has no webhooks can change links, and its endpoints skip the events", async () => {
  const workspace = await newWorkspace("business");
  const link = await createLink(workspace);
  const endpoint = await createWebhook(workspace, unusedUrl);
  await workerEnv.DIRECTORY.prepare("UPDATE workspaces SET plan = 'free' WHERE id = ?")
    .bind(workspace.id)
    .run();
  const owner = await newPerson(workspace);
  const body = { title: "Free" };
  expect((await owner.call("PATCH", `/v1/links/${link.id}`, { body })).status).toBe(200);
  expect(await readNumber("SELECT count(*) FROM webhook_events WHERE workspace_id = ?", workspace.id)).toBe(
    0,
  );
  const response = await owner.call("GET", `/v1/webhooks/${endpoint.id}`);
  expect((await expectData(response, webhookResponse)).data.skipped_count).toBe(1);
});
