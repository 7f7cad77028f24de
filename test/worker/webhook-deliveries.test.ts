import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { formatSealPrefix, seal } from "../../src/core/seal.ts";
import { DAY_MS } from "../../src/core/time.ts";
import { openDatabase } from "../../src/db/database.ts";
import { deletedResponse } from "../../src/http/fields.ts";
import worker from "../../src/index.ts";
import { PAUSE_WEBHOOKS, RESUME_WEBHOOKS } from "../../src/tenant/webhook-pause.ts";
import { deriveSecretKey } from "../../src/webhooks/endpoints.ts";
import { resealSecrets } from "../../src/webhooks/reseal.ts";
import { LOGGED_BYTES_MAX } from "../../src/webhooks/turn.ts";
import {
  deliveryResponse,
  webhookResponse,
  webhookWithSecretResponse,
} from "../../src/webhooks/webhooks.schema.ts";
import { watchTrips } from "../support/counting.ts";
import { useEmptyDatabases } from "../support/databases.ts";
import {
  addDomain,
  createLink,
  eventually,
  expectData,
  expectError,
  newWorkspace,
  type TestWorkspace,
  workerEnv,
  wrapShards,
} from "../support/harness.ts";
import { TestQueue } from "../support/test-queue.ts";
import {
  buildReceiverUrl,
  createWebhook,
  getDelivery,
  listDeliveries,
  listReceived,
  newReceiverName,
  openGate,
} from "../support/webhooks.ts";

useEmptyDatabases();

/** Delays of the five retries, scaled down. */
const RETRY_DELAYS_MS = [5, 10, 15, 20, 25];

let queue: TestQueue;
beforeEach(() => {
  queue = new TestQueue();
});

/** Creates an endpoint, in a new workspace unless one is given. `query` sets the receiver's response. */
async function createListener(query = "", workspace?: TestWorkspace) {
  const owner = workspace ?? (await newWorkspace("enterprise"));
  const name = newReceiverName();
  const webhook = await createWebhook(owner, buildReceiverUrl(name, query));
  return { workspace: owner, name, webhook };
}

/** Returns the number of an endpoint's lane. */
async function findLane({ shard }: TestWorkspace, webhookId: string): Promise<number> {
  const row = shard.prepare("SELECT id FROM webhook_lanes WHERE webhook_id = ?").bind(webhookId);
  return (await row.first<number>("id")) ?? 0;
}

/** Returns the only delivery of an endpoint, with its attempts. */
async function getOnlyDelivery(workspace: TestWorkspace, webhookId: string) {
  const deliveries = await listDeliveries(workspace, webhookId);
  expect(deliveries).toHaveLength(1);
  return getDelivery(workspace, webhookId, deliveries[0]?.id ?? "");
}

async function postToWebhook(workspace: TestWorkspace, webhookId: string, path: string) {
  return workspace.call("POST", `/v1/webhooks/${webhookId}${path}`, { env: queue.env });
}

test("a delivery has the documented headers, signatures and payload", async () => {
  const { workspace, name, webhook } = await createListener();
  const link = await createLink(workspace);
  const [received] = await eventually(
    () => listReceived(name),
    (all) => all.length > 0,
  );
  const { headers = {}, body = "", method } = received ?? {};
  expect(method).toBe("POST");
  expect(JSON.parse(body)).toEqual({
    event: "link.created",
    timestamp: link.created_at,
    data: { link_id: link.id, short_code: link.short_code, destination: link.destination },
  });
  const delivery = await eventually(
    () => getOnlyDelivery(workspace, webhook.id),
    ({ status }) => status !== "pending",
  );
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "user-agent": "svc-Webhooks/1.0",
    "x-svc-event": "link.created",
    "x-svc-delivery": delivery.id,
    "webhook-id": delivery.id,
    "x-svc-signature": `sha256=${createHmac("sha256", webhook.secret).update(body).digest("hex")}`,
  });
  expect(new Webhook(webhook.secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(delivery).toMatchObject({
    status: "delivered",
    event_type: "link.created",
    failed_at: null,
    attempts: 1,
    response_status: 200,
    payload: JSON.parse(body),
    attempts_log: [{ response_status: 200, error: null, response_body: `response of ${name}` }],
  });
  expect(delivery.delivered_at).not.toBeNull();
});

test("a delivery without a successful attempt fails after five retries, and its log has every attempt", async () => {
  const { workspace, name, webhook } = await createListener("status=500");
  await createLink(workspace, {}, queue.env);
  expect(await getOnlyDelivery(workspace, webhook.id)).toMatchObject({
    status: "pending",
    attempts: 0,
    response_status: null,
    attempts_log: [],
  });
  await queue.run(RETRY_DELAYS_MS);
  const delivery = await getOnlyDelivery(workspace, webhook.id);
  expect(delivery).toMatchObject({ status: "failed", attempts: 6, response_status: 500, delivered_at: null });
  expect(delivery.failed_at).not.toBeNull();
  expect(delivery.attempts_log.map(({ response_status }) => response_status)).toEqual(Array(6).fill(500));
  const received = await listReceived(name);
  expect(new Set(received.map(({ headers }) => headers["x-svc-delivery"]))).toEqual(new Set([delivery.id]));
  expect(received).toHaveLength(6);
  for (const [retry, delayMs] of RETRY_DELAYS_MS.entries()) {
    const failure = delivery.attempts_log[retry];
    const earliestMs = Date.parse(failure?.attempted_at ?? "") + (failure?.latency_ms ?? 0) + delayMs;
    expect(Date.parse(delivery.attempts_log[retry + 1]?.attempted_at ?? "")).toBeGreaterThanOrEqual(
      earliestMs,
    );
  }
});

test("a retry succeeds once the receiver recovers", async () => {
  const { workspace, name, webhook } = await createListener("failures=2");
  await createLink(workspace, {}, queue.env);
  await queue.run(RETRY_DELAYS_MS);
  const delivery = await getOnlyDelivery(workspace, webhook.id);
  expect(delivery).toMatchObject({ status: "delivered", attempts: 3, response_status: 200, failed_at: null });
  expect(delivery.attempts_log.map(({ response_status }) => response_status)).toEqual([503, 503, 200]);
  expect(await listReceived(name)).toHaveLength(3);
});

test("only a 2xx response is a success, and a redirect is not followed", async () => {
  const target = newReceiverName();
  for (const [query, status, expected] of [
    ["status=204", 204, "delivered"],
    ["status=299", 299, "delivered"],
    ["status=410", 410, "failed"],
    [`location=${encodeURIComponent(buildReceiverUrl(target))}`, 302, "failed"],
    ["status=304", 304, "failed"],
    ["bytes=67108864", 200, "delivered"],
    ["bytes=67108864&status=500", 500, "failed"],
  ] as const) {
    const { workspace, webhook } = await createListener(query);
    await createLink(workspace, {}, queue.env);
    await queue.run();
    const delivery = await getOnlyDelivery(workspace, webhook.id);
    expect(delivery, query).toMatchObject({ status: expected, response_status: status, attempts: 1 });
    const length = delivery.attempts_log[0]?.response_body?.length ?? 0;
    if (query.startsWith("bytes")) expect(length).toBe(expected === "delivered" ? 1_024 : 16_384);
  }
  expect(await listReceived(target)).toEqual([]);
});

test("the log keeps less of the responses to retries, and nothing beyond the bytes of a day", async () => {
  const { workspace, webhook } = await createListener("bytes=20000&status=500");
  const setLogged = (day: number, left: number) =>
    workspace.shard
      .prepare("UPDATE delivery_backlogs SET logged_on = ?, logged_bytes = ? WHERE workspace_id = ?")
      .bind(day, LOGGED_BYTES_MAX - left, workspace.id)
      .run();
  const listLengths = async () => {
    await queue.run();
    const [newest] = await listDeliveries(workspace, webhook.id);
    const { attempts_log } = await getDelivery(workspace, webhook.id, newest?.id ?? "");
    return attempts_log.map(({ response_body }) => response_body?.length ?? null);
  };
  const today = Math.floor(Date.now() / DAY_MS);
  await postToWebhook(workspace, webhook.id, "/test");
  await queue.run([0, 0]);
  expect(await listLengths()).toEqual([16_384, 512, 512]);
  await setLogged(today, 16_384 + 16_383);
  await postToWebhook(workspace, webhook.id, "/test");
  expect(await listLengths()).toEqual([16_384]);
  await postToWebhook(workspace, webhook.id, "/test");
  expect(await listLengths()).toEqual([null]);
  await setLogged(today - 1, 0);
  await postToWebhook(workspace, webhook.id, "/test");
  expect(await listLengths()).toEqual([16_384]);
});

test("a connection that is reset or refused is a failed attempt without a status", async () => {
  for (const url of [buildReceiverUrl(newReceiverName(), "reset"), "http://127.0.0.1:1/"]) {
    const workspace = await newWorkspace();
    const webhook = await createWebhook(workspace, url);
    await createLink(workspace, {}, queue.env);
    await queue.run();
    expect(await getOnlyDelivery(workspace, webhook.id)).toMatchObject({
      status: "failed",
      response_status: null,
      attempts_log: [{ response_status: null, error: "connection failed", response_body: null }],
    });
  }
});

test("the log keeps the received part of a response body that ends early", async () => {
  const { workspace, webhook } = await createListener("cut");
  await createLink(workspace, {}, queue.env);
  await queue.run();
  const { status, attempts_log } = await getOnlyDelivery(workspace, webhook.id);
  expect(status).toBe("delivered");
  expect(attempts_log).toMatchObject([{ response_status: 200, error: null, response_body: "the beginning" }]);
});

test("each attempt checks the endpoint's address again", async () => {
  const { workspace, webhook } = await createListener();
  const addresses = [
    "https://10.0.0.1/",
    "http://localhost:8787/v1",
    "http://192.168.1.1/",
    "https://a.internal/",
  ];
  for (const address of addresses) {
    await workspace.shard.prepare("UPDATE webhooks SET url = ? WHERE id = ?").bind(address, webhook.id).run();
    await postToWebhook(workspace, webhook.id, "/test");
    await queue.run();
    const [newest] = await listDeliveries(workspace, webhook.id);
    const { attempts_log } = await getDelivery(workspace, webhook.id, newest?.id ?? "");
    expect(attempts_log[0]?.error, address).toMatch(/^refused: url must/);
  }
});

test("an attempt is rejected if the endpoint's host has become a workspace's domain", async () => {
  const { workspace, webhook } = await createListener();
  const hostname = "hooks.partner.test";
  await workspace.shard
    .prepare("UPDATE webhooks SET url = ?, hostname = ? WHERE id = ?")
    .bind(`https://${hostname}:8787/`, hostname, webhook.id)
    .run();
  await addDomain(workspace, hostname);
  await postToWebhook(workspace, webhook.id, "/test");
  await queue.run();
  const { attempts_log } = await getOnlyDelivery(workspace, webhook.id);
  expect(attempts_log[0]?.error).toBe("refused: url must not be a URL of this service");
});

test("an endpoint whose host no workspace added is not treated as a workspace's domain", async () => {
  const { workspace, webhook } = await createListener();
  await addDomain(workspace, "links.partner.test");
  const hostname = "hooks.elsewhere.invalid";
  await workspace.shard
    .prepare("UPDATE webhooks SET url = ?, hostname = ? WHERE id = ?")
    .bind(`https://${hostname}:8787/`, hostname, webhook.id)
    .run();
  await postToWebhook(workspace, webhook.id, "/test");
  await queue.run();
  const { attempts_log } = await getOnlyDelivery(workspace, webhook.id);
  expect(attempts_log[0]?.error).toBe("refused: url must use port 443 or 8443");
});

test("an attempt fails with its reason if the signing secret was encrypted with another WEBHOOK_KEY", async () => {
  const { workspace, name, webhook } = await createListener();
  await createLink(workspace, {}, queue.env);
  queue.env.WEBHOOK_KEY = "another webhook key, as long as it must be";
  await queue.run();
  expect((await getOnlyDelivery(workspace, webhook.id)).attempts_log[0]?.error).toBe(
    "the signing secret cannot be read; rotate it",
  );
  expect(await listReceived(name)).toEqual([]);
});

test("after a change of WEBHOOK_KEY, the old key decrypts signing secrets until the cron re-encrypts them", async () => {
  const { workspace, name, webhook } = await createListener();
  const readSecret = () =>
    workspace.shard
      .prepare("SELECT secret FROM webhooks WHERE id = ?")
      .bind(webhook.id)
      .first<string>("secret");
  const former = queue.env.WEBHOOK_KEY;
  const sendEvent = async () => {
    await createLink(workspace, {}, queue.env);
    await queue.run();
  };
  Object.assign(queue.env, { WEBHOOK_KEY: "another webhook key, as long as it must be" });
  const changing = { ...queue.env, WEBHOOK_KEY_PREVIOUS: former };
  Object.assign(queue.env, { WEBHOOK_KEY_PREVIOUS: former });
  await sendEvent();
  expect(await listReceived(name)).toHaveLength(1);

  const before = await readSecret();
  await resealSecrets(openDatabase(workspace.shard), changing);
  const after = await readSecret();
  expect(after).not.toBe(before);
  await resealSecrets(openDatabase(workspace.shard), changing);
  expect(await readSecret()).toBe(after);

  Object.assign(queue.env, { WEBHOOK_KEY_PREVIOUS: "" });
  await sendEvent();
  const received = await listReceived(name);
  expect(received).toHaveLength(2);
  for (const { headers, body } of received) new Webhook(webhook.secret).verify(body, headers);
  // This file's other tests need their secrets encrypted with the old key.
  await resealSecrets(openDatabase(workspace.shard), {
    WEBHOOK_KEY: former,
    WEBHOOK_KEY_PREVIOUS: changing.WEBHOOK_KEY,
  });
  expect(await readSecret()).not.toBe(after);
});

describe("secrets encrypted with the old WEBHOOK_KEY", () => {
  const FORMER = { WEBHOOK_KEY: "the former webhook key, as long as it must be" };
  const CHANGED = {
    WEBHOOK_KEY: workerEnv.WEBHOOK_KEY,
    WEBHOOK_KEY_PREVIOUS: FORMER.WEBHOOK_KEY,
  };
  afterEach(() => void vi.restoreAllMocks());

  /**
   * Adds endpoints whose secrets are encrypted with the old key. Returns a function that counts the remaining
   * ones.
   */
  async function addEndpoints(count: number, secrets = FORMER) {
    const { workspace, webhook } = await createListener();
    const statement = workspace.shard.prepare("SELECT * FROM webhooks WHERE id = ?").bind(webhook.id);
    const row = (await statement.first()) as Record<string, unknown>;
    const key = await deriveSecretKey(secrets);
    const ids = Array.from({ length: count }, () => crypto.randomUUID());
    const columns = Object.keys(row);
    const insert = workspace.shard.prepare(
      `INSERT INTO webhooks (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    );
    const rows = ids.map(async (id) => ({ ...row, id, secret: await seal(key, "svc_whsec_x", id) }));
    await workspace.shard.batch(
      (await Promise.all(rows)).map((added) =>
        insert.bind(...columns.map((column) => (added as Record<string, unknown>)[column])),
      ),
    );
    const prefix = formatSealPrefix(key);
    const countLeft = () =>
      workspace.shard
        .prepare("SELECT count(*) AS n FROM webhooks WHERE substr(secret, 1, ?) = ?")
        .bind(prefix.length, prefix)
        .first<number>("n");
    return { workspace, countLeft };
  }

  test("are re-encrypted a hundred at a time, and no step begins after 10 seconds", async () => {
    const { workspace, countLeft } = await addEndpoints(201);
    const startMs = Date.now();
    const clock = vi.spyOn(Date, "now").mockReturnValue(startMs);
    let steps = 0;
    /** Re-encrypts secrets with a given time after each step. */
    const sealSteps = (...times: number[]) => {
      steps = 0;
      clock.mockReturnValue(startMs);
      const shard = watchTrips(workspace.shard, async (makeTrip) => {
        const result = await makeTrip();
        // Each step reads rows with one statement; the others write one row each.
        if (Array.isArray(result) && result.length > 0)
          clock.mockReturnValue(startMs + (times[steps++] ?? 0));
        return result;
      });
      return resealSecrets(openDatabase(shard), CHANGED);
    };
    await sealSteps(10_000);
    expect(await countLeft()).toBe(101);
    await sealSteps(9_999, 10_000);
    expect(await countLeft()).toBe(0);
  });

  test("are skipped without the old key, and while their workspace moves", async () => {
    const { workspace, countLeft } = await addEndpoints(1);
    const db = openDatabase(workspace.shard);
    await resealSecrets(db, { WEBHOOK_KEY: workerEnv.WEBHOOK_KEY });
    expect(await countLeft()).toBe(1);
    const enter = (state: string) =>
      workspace.shard
        .prepare("INSERT OR REPLACE INTO transits (workspace_id, epoch, state) VALUES (?, 1, ?)")
        .bind(workspace.id, state)
        .run();
    await enter("arriving");
    await resealSecrets(db, CHANGED);
    expect(await countLeft()).toBe(1);
    await enter("settled");
    await resealSecrets(db, CHANGED);
    expect(await countLeft()).toBe(0);
  });

  test("are counted in the log if neither key decrypts them", async () => {
    const { workspace, countLeft } = await addEndpoints(2, {
      WEBHOOK_KEY: "a key that nobody has any more, and nothing else",
    });
    const log = vi.spyOn(console, "error").mockReturnValue();
    await resealSecrets(openDatabase(workspace.shard), CHANGED);
    expect(String(log.mock.calls)).toContain("2 signing secrets can be opened neither with");
    expect(await countLeft()).toBe(2);
    await workspace.shard.prepare("DELETE FROM webhooks WHERE workspace_id = ?").bind(workspace.id).run();
  });
});

test("a delivery whose message arrives many times in parallel is attempted once", async () => {
  const { workspace, name, webhook } = await createListener();
  await createLink(workspace, {}, queue.env);
  const [waiting] = queue.waiting.splice(0);
  const copies = (count: number) => Array.from({ length: count }, () => ({ ...waiting })) as never[];
  await Promise.all([
    queue.deliver(copies(5), []),
    queue.deliver(copies(5), []),
    queue.deliver(copies(5), []),
  ]);
  await queue.deliver(copies(1), []);
  expect(await listReceived(name)).toHaveLength(1);
  expect(await getOnlyDelivery(workspace, webhook.id)).toMatchObject({ status: "delivered", attempts: 1 });
});

test("the sweep repeats an attempt whose process was killed", async () => {
  const { workspace, name, webhook } = await createListener();
  await createLink(workspace, {}, queue.env);
  queue.waiting = [];
  // A process killed during a turn leaves the lane's lease, and the delivery stays due.
  const dieAt = async (dueMs: number, leaseEndMs: number) => {
    await workspace.shard.prepare("UPDATE event_deliveries SET next_attempt_at = ?").bind(dueMs).run();
    await workspace.shard
      .prepare(
        `UPDATE delivery_backlogs SET turns = json_array(json_array(
         (SELECT id FROM webhook_lanes AS lane WHERE lane.workspace_id = delivery_backlogs.workspace_id), ?))`,
      )
      .bind(leaseEndMs)
      .run();
  };
  const sweep = () => worker.scheduled({} as ScheduledController, queue.env);
  await dieAt(Date.now() - 30_000, Date.now() + 20_000);
  await sweep();
  expect(queue.waiting).toEqual([]);
  await dieAt(Date.now() - 61_000, Date.now() + 20_000);
  await sweep();
  await queue.run();
  expect(await listReceived(name)).toEqual([]);
  await dieAt(Date.now() - 61_000, Date.now() - 1);
  await sweep();
  await queue.run();
  expect(await listReceived(name)).toHaveLength(1);
  expect(await getOnlyDelivery(workspace, webhook.id)).toMatchObject({ status: "delivered", attempts: 1 });
});

test("no turn begins on a shard that was restored, or while a move of the workspace pauses it, blocks changes or copies to it", async () => {
  const { workspace, name } = await createListener();
  await createLink(workspace, {}, queue.env);
  const [waiting] = queue.waiting.splice(0);
  const wake = async () => {
    await queue.deliver([{ ...waiting }] as never[], []);
    return (await listReceived(name)).length;
  };
  await workspace.shard.prepare(PAUSE_WEBHOOKS).run();
  expect(await wake()).toBe(0);
  await workspace.shard.prepare(RESUME_WEBHOOKS).run();
  const wakeIn = async (state: string) => {
    await workspace.shard
      .prepare("INSERT OR REPLACE INTO transits (workspace_id, epoch, state) VALUES (?, 1, ?)")
      .bind(workspace.id, state)
      .run();
    return wake();
  };
  for (const state of ["pausing", "fenced", "arriving"]) expect(await wakeIn(state), state).toBe(0);
  // Webhooks continue while the workspace's rows are copied.
  expect(await wakeIn("leaving")).toBe(1);
});

test("the sweep makes a retry whose message was lost", async () => {
  const { workspace, name, webhook } = await createListener("failures=1");
  await createLink(workspace, {}, queue.env);
  await queue.deliver(queue.waiting.splice(0), [60_000]);
  expect(await getOnlyDelivery(workspace, webhook.id)).toMatchObject({ status: "retrying", attempts: 1 });
  queue.waiting = [];
  await workspace.shard.exec("UPDATE event_deliveries SET next_attempt_at = next_attempt_at - 180000");
  await worker.scheduled({} as ScheduledController, queue.env);
  await queue.run([60_000]);
  expect(await getOnlyDelivery(workspace, webhook.id)).toMatchObject({ status: "delivered", attempts: 2 });
  expect(await listReceived(name)).toHaveLength(2);
});

test("the backlog of one endpoint does not delay the sweep of other endpoints", async () => {
  const { workspace, webhook } = await createListener();
  const other = await createListener("", workspace);
  await createLink(workspace, {}, queue.env);
  queue.waiting = [];
  const lane = await findLane(workspace, webhook.id);
  await workspace.shard.batch([
    workspace.shard.prepare("UPDATE event_deliveries SET next_attempt_at = ?").bind(Date.now() - 61_000),
    workspace.shard
      .prepare(
        `WITH RECURSIVE backlog (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM backlog WHERE n < 6000)
       INSERT INTO event_deliveries
       SELECT lane, id || '-' || n, event_type, status, attempts, attempts_before, response_status, created_at,
              delivered_at, failed_at, epoch, next_attempt_at - n
         FROM event_deliveries, backlog WHERE lane = ?`,
      )
      .bind(lane),
  ]);
  await worker.scheduled({} as ScheduledController, queue.env);
  const swept = queue.waiting.map(({ body }) => body).filter((body) => body.workspaceId === workspace.id);
  await workspace.shard.prepare("UPDATE event_deliveries SET next_attempt_at = NULL").run();
  expect(swept).toEqual(
    [lane, await findLane(workspace, other.webhook.id)].map((lane) => ({
      workspaceId: workspace.id,
      lane,
      shard: workspace.shardNumber,
    })),
  );
});

test("the queue keeps its messages while the database fails", async () => {
  const { workspace, name } = await createListener();
  await createLink(workspace, {}, queue.env);
  const broken = new TestQueue(
    wrapShards(
      (d1) =>
        new Proxy(d1, {
          get: (db, property) =>
            property === "batch"
              ? () => Promise.reject(new Error("no database"))
              : Reflect.get(db, property).bind(db),
        }),
    ),
  );
  await broken.deliver(queue.waiting.splice(0), []);
  expect(broken.waiting).toHaveLength(1);
  queue.waiting = broken.waiting;
  await queue.run();
  expect(await listReceived(name)).toHaveLength(1);
});

test("a hundred consecutive failures disable an endpoint, and other endpoints receive webhook.disabled", async () => {
  // Turns must not end early because a busy machine is slow.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const { workspace, name, webhook } = await createListener("gate");
  const subscriber = await createListener("", workspace);
  const unsubscribed = await createWebhook(workspace, buildReceiverUrl(newReceiverName()), ["link.created"]);
  const earlier = Array.from({ length: 80 }, () => false);
  await workerEnv.ENDPOINT_HEALTH.getByName(webhook.id).record(earlier, "earlier attempts");
  const bulk = { body: { links: Array.from({ length: 20 }, () => ({ url: "https://example.com" })) } };
  await workspace.call("POST", "/v1/links/bulk", { ...bulk, env: queue.env });
  const lane = await findLane(workspace, webhook.id);
  const takeTurns = async (count: number) => {
    for (let turn = 0; turn < count; turn++) {
      await queue.deliver(
        [{ body: { workspaceId: workspace.id, shard: workspace.shardNumber, lane }, attempts: 1 }],
        [],
      );
    }
  };
  await takeTurns(1);
  const read = async () =>
    (await expectData(await workspace.call("GET", `/v1/webhooks/${webhook.id}`), webhookResponse)).data;
  expect(await read()).toMatchObject({ enabled: true, disabled_at: null });
  await createLink(workspace, {}, queue.env);
  queue.waiting = [];

  await takeTurns(1);
  const disabled = await read();
  expect(disabled.enabled).toBe(false);
  expect(disabled.disabled_at).not.toBeNull();
  const deliveries = await listDeliveries(workspace, webhook.id, "?limit=200");
  expect(deliveries).toHaveLength(21);
  expect(deliveries.every(({ status, failed_at }) => status === "failed" && failed_at !== null)).toBe(true);
  expect(await listReceived(name)).toHaveLength(20);

  await createLink(workspace, {}, queue.env);
  await worker.scheduled({} as ScheduledController, queue.env);
  await takeTurns(1);
  expect(await listReceived(name)).toHaveLength(20);
  const [notification] = await listDeliveries(
    workspace,
    subscriber.webhook.id,
    "?event_type=webhook.disabled",
  );
  const { payload } = await getDelivery(workspace, subscriber.webhook.id, notification?.id ?? "");
  const { id: webhook_id, url, disabled_at } = disabled;
  expect(payload).toEqual({
    event: "webhook.disabled",
    timestamp: disabled_at,
    data: { webhook_id, url: `${new URL(url).origin}/…`, disabled_at },
  });
  expect(await listDeliveries(workspace, unsubscribed.id, "?event_type=webhook.disabled")).toEqual([]);

  await expectError(await postToWebhook(workspace, webhook.id, "/test"), 409, "WEBHOOK_DISABLED");
  const failedId = deliveries[0]?.id ?? "";
  await expectError(
    await postToWebhook(workspace, webhook.id, `/deliveries/${failedId}/resend`),
    409,
    "WEBHOOK_DISABLED",
  );
  await expectError(
    await postToWebhook(workspace, webhook.id, `/deliveries/${webhook.id}/resend`),
    404,
    "RESOURCE_NOT_FOUND",
  );

  const enable = await workspace.call("PATCH", `/v1/webhooks/${webhook.id}`, { body: { enabled: true } });
  expect((await expectData(enable, webhookResponse)).data).toMatchObject({
    enabled: true,
    disabled_at: null,
  });
  await postToWebhook(workspace, webhook.id, `/deliveries/${failedId}/resend`);
  await queue.run();
  expect(await read()).toMatchObject({ enabled: true });
  await openGate(name);
  await postToWebhook(workspace, webhook.id, `/deliveries/${failedId}/resend`);
  await queue.run();
  expect(await getDelivery(workspace, webhook.id, failedId)).toMatchObject({
    status: "delivered",
    response_status: 200,
  });
});

test("EndpointHealth.record returns the consecutive failures, which a success resets to 0", async () => {
  const health = workerEnv.ENDPOINT_HEALTH.getByName(newReceiverName());
  const failures = (count: number) => Array.from({ length: count }, () => false);
  expect(await health.record([true], "1")).toBe(0);
  expect(await health.record(failures(40), "2")).toBe(40);
  expect(await health.record([], "3")).toBe(0);
  expect(await health.record([...failures(59), true, ...failures(2)], "4")).toBe(99);
  expect(await health.record(failures(1), "5")).toBe(3);
  expect(await health.record([true, false], "6")).toBe(1);
  await health.reset();
  expect(await health.record([false], "7")).toBe(1);
  // A call that is repeated after its response was lost counts once.
  expect(await health.record([false], "7")).toBe(1);
  expect(await health.record([false], "next")).toBe(2);
});

test("disabling or deleting an endpoint ends its pending deliveries", async () => {
  const { workspace, name, webhook } = await createListener();
  const second = await createListener("", workspace);
  await createLink(workspace, {}, queue.env);
  await workspace.call("PATCH", `/v1/webhooks/${webhook.id}`, { body: { enabled: false } });
  const deleted = await workspace.call("DELETE", `/v1/webhooks/${second.webhook.id}`);
  await expectData(deleted, deletedResponse);
  await queue.run();
  expect(await listReceived(name)).toEqual([]);
  expect(await listReceived(second.name)).toEqual([]);
  expect(await getOnlyDelivery(workspace, webhook.id)).toMatchObject({ status: "failed", attempts: 0 });
  await expectError(
    await workspace.call("GET", `/v1/webhooks/${second.webhook.id}/deliveries`),
    404,
    "RESOURCE_NOT_FOUND",
  );
});

test("POST /v1/webhooks/{webhook_id}/test only sends to that endpoint, whatever events it subscribes to", async () => {
  const { workspace, name } = await createListener();
  const chosen = await createWebhook(workspace, buildReceiverUrl(newReceiverName()), ["asset.published"]);
  const response = await postToWebhook(workspace, chosen.id, "/test");
  const { data } = await expectData(response, deliveryResponse, 201);
  expect(data).toMatchObject({ status: "pending", event_type: "webhook.test", attempts: 0 });
  await queue.run();
  const delivery = await getOnlyDelivery(workspace, chosen.id);
  expect(delivery).toMatchObject({ id: data.id, status: "delivered" });
  expect(delivery.payload.data).toEqual({ webhook_id: chosen.id });
  expect(await listReceived(name)).toEqual([]);
});

test("resend attempts the same delivery immediately and gives it five new retries", async () => {
  const { workspace, name, webhook } = await createListener("failures=8");
  await createLink(workspace, {}, queue.env);
  await queue.run(RETRY_DELAYS_MS);
  const { id } = await getOnlyDelivery(workspace, webhook.id);
  const response = await postToWebhook(workspace, webhook.id, `/deliveries/${id}/resend`);
  expect((await expectData(response, deliveryResponse)).data).toMatchObject({
    id,
    status: "retrying",
    attempts: 6,
    delivered_at: null,
    failed_at: null,
  });
  await queue.run(RETRY_DELAYS_MS);
  expect(await getOnlyDelivery(workspace, webhook.id)).toMatchObject({ status: "delivered", attempts: 9 });
  const received = await listReceived(name);
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
});

test("rotation signs with the new secret immediately, and with the old one for a day unless it is immediate", async () => {
  const { workspace, name, webhook } = await createListener();
  const rotate = async (body: object) => {
    const response = await workspace.call("POST", `/v1/webhooks/${webhook.id}/rotate-secret`, { body });
    return (await expectData(response, webhookWithSecretResponse)).data.secret;
  };
  const sendTestEvent = async () => {
    await postToWebhook(workspace, webhook.id, "/test");
    await queue.run();
    const { headers = {}, body = "" } = (await listReceived(name)).at(-1) ?? {};
    const verifyWith = (secret: string) => {
      const hmac = createHmac("sha256", secret).update(body).digest("hex");
      let isStandard = true;
      try {
        new Webhook(secret).verify(body, headers);
      } catch {
        isStandard = false;
      }
      return { isSvc: headers["x-svc-signature"] === `sha256=${hmac}`, isStandard };
    };
    return { verifyWith, signatures: headers["webhook-signature"]?.split(" ").length };
  };
  const second = await rotate({});
  let sent = await sendTestEvent();
  expect(sent.signatures).toBe(2);
  expect(sent.verifyWith(second)).toEqual({ isSvc: true, isStandard: true });
  expect(sent.verifyWith(webhook.secret)).toEqual({ isSvc: false, isStandard: true });

  const third = await rotate({});
  sent = await sendTestEvent();
  expect(sent.signatures).toBe(3);
  expect(sent.verifyWith(third)).toEqual({ isSvc: true, isStandard: true });
  expect([second, webhook.secret].every((secret) => sent.verifyWith(secret).isStandard)).toBe(true);

  // A day after the first rotation, but not after the second.
  await workspace.shard
    .prepare("UPDATE webhooks SET previous_secrets = json_set(previous_secrets, '$[1].until', ?)")
    .bind(Date.now() - 1)
    .run();
  sent = await sendTestEvent();
  expect(sent.signatures).toBe(2);
  expect(sent.verifyWith(second).isStandard).toBe(true);
  expect(sent.verifyWith(webhook.secret).isStandard).toBe(false);

  await Promise.all(Array.from({ length: 12 }, () => rotate({})));
  expect((await sendTestEvent()).signatures).toBe(11);

  const last = await rotate({ immediate: true });
  sent = await sendTestEvent();
  expect(sent.signatures).toBe(1);
  expect(sent.verifyWith(last)).toEqual({ isSvc: true, isStandard: true });
});

test("GET /v1/webhooks/{webhook_id}/deliveries lists newest first, in pages, and filters by status and type", async () => {
  const { workspace, webhook } = await createListener("failures=1");
  const link = await createLink(workspace, {}, queue.env);
  await queue.run([1]);
  await workspace.call("DELETE", `/v1/links/${link.id}`, { env: queue.env });
  await postToWebhook(workspace, webhook.id, "/test");
  const listEventTypes = async (query: string) =>
    (await listDeliveries(workspace, webhook.id, query)).map(({ event_type }) => event_type);
  expect(await listEventTypes("")).toEqual(["webhook.test", "link.deleted", "link.created"]);
  expect(await listEventTypes("?limit=1&offset=1")).toEqual(["link.deleted"]);
  expect(await listEventTypes("?status=delivered")).toEqual(["link.created"]);
  expect(await listEventTypes("?status=pending&event_type=link.deleted")).toEqual(["link.deleted"]);
  for (const query of [
    "?status=lost",
    "?event_type=link.eaten",
    "?limit=201",
    "?limit=0",
    "?offset=-1",
    "?page=2",
  ]) {
    const response = await workspace.call("GET", `/v1/webhooks/${webhook.id}/deliveries${query}`);
    await expectError(response, 400, "VALIDATION_ERROR");
  }
});

test("the cron deletes scans older than 7 days and other events older than 30, with deliveries and attempts", async () => {
  const { workspace, webhook } = await createListener();
  await createLink(workspace, {}, queue.env);
  await queue.run();
  const lane = await findLane(workspace, webhook.id);
  /** Copies the delivery with its event and attempt, dated some days ago. */
  const copy = async (days: number, eventType: string) => {
    const timeMs = Date.now() - days * 86_400_000;
    const time = timeMs.toString(16).padStart(12, "0");
    const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
    const isScan = eventType === "link.scanned" ? 1 : 0;
    await workspace.shard.batch([
      workspace.shard
        .prepare(
          `INSERT INTO webhook_events SELECT ?, ?, workspace_id, ?, recipients, ?, NULL, payload
           FROM webhook_events WHERE workspace_id = ? LIMIT 1`,
        )
        .bind(isScan, id.slice(0, 32), eventType, timeMs, workspace.id),
      workspace.shard
        .prepare(
          `INSERT INTO event_deliveries SELECT lane, ?, ?, status, attempts, attempts_before, response_status, ?,
                delivered_at, failed_at, epoch, next_attempt_at FROM event_deliveries WHERE lane = ? LIMIT 1`,
        )
        .bind(id, eventType, timeMs, lane),
      workspace.shard
        .prepare("INSERT INTO delivery_attempts VALUES (?, 1, ?, 5, 200, NULL, NULL)")
        .bind(id, timeMs),
    ]);
    return id;
  };
  const kept = [await copy(6, "link.scanned"), await copy(29, "link.created")];
  const gone = [await copy(8, "link.scanned"), await copy(31, "link.created")];
  await worker.scheduled({} as ScheduledController, workerEnv);
  const ids = (await listDeliveries(workspace, webhook.id)).map(({ id }) => id);
  expect(ids).toHaveLength(3);
  expect(ids).toEqual(expect.arrayContaining(kept));
  for (const id of gone) {
    const left = await workspace.shard
      .prepare(
        `SELECT (SELECT count(*) FROM delivery_attempts WHERE delivery_id = ?1)
            + (SELECT count(*) FROM webhook_events WHERE id = substr(?1, 1, 32)) AS rows`,
      )
      .bind(id)
      .first("rows");
    expect(left).toBe(0);
  }
  for (const id of kept) expect(await getDelivery(workspace, webhook.id, id)).toMatchObject({ id });
});

test("an endpoint that hangs does not delay other endpoints", async () => {
  const { workspace, name, webhook } = await createListener("hang");
  const other = await createListener("", workspace);
  const links = Array.from({ length: 100 }, () => ({ url: "https://example.com" }));
  await workspace.call("POST", "/v1/links/bulk", { body: { links } });
  // Less than the 10 s of each attempt at the hanging endpoint.
  await eventually(
    () => listReceived(other.name),
    (received) => received.length === 100,
    9_000,
  );
  const hanging = await listDeliveries(workspace, webhook.id, "?limit=200");
  expect(hanging.every(({ status }) => status === "pending")).toBe(true);
  expect((await listReceived(name)).length).toBeLessThanOrEqual(45);
}, 20_000);
