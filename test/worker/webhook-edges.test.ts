import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { formatUuidTime } from "../../src/core/id.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/core/time.ts";
import { type Database, openDatabase, type ShardDatabase } from "../../src/db/database.ts";
import { getSettings } from "../../src/env.ts";
import { attempt } from "../../src/webhooks/attempt.ts";
import { releaseWaiting } from "../../src/webhooks/backlog.ts";
import { deleteExpired } from "../../src/webhooks/delete-deliveries.ts";
import { createDeliveryContext, deliverBatch } from "../../src/webhooks/deliver.ts";
import type { WakeUpMessage } from "../../src/webhooks/delivery-state.ts";
import { FAILURES_MAX } from "../../src/webhooks/endpoint-health.ts";
import { deriveSecretKey, unsealSigningSecrets, type Webhook } from "../../src/webhooks/endpoints.ts";
import { hasTurns, wakeWorkspace } from "../../src/webhooks/lane-turns.ts";
import { sweepDeliveries } from "../../src/webhooks/sweep-deliveries.ts";
import { endTurn, type LaneTurn, startTurn, type TurnAttempt } from "../../src/webhooks/turn.ts";
import { sendWakeUps } from "../../src/webhooks/wake-ups.ts";
import { createLink, eventually, newWorkspace, type TestWorkspace, workerEnv } from "../support/harness.ts";
import { buildReceiverUrl, createWebhook, newReceiverName } from "../support/webhooks.ts";

/** Times and limits of webhooks, each just inside and just outside, with a fixed clock. */

const NOW_MS = Date.UTC(2026, 10, 22, 12);
const LEASE_MS = 30 * SECOND_MS;

interface Sent extends WakeUpMessage {
  delaySeconds: number;
}

let sent: Sent[];
let env: Env;
beforeEach(() => {
  sent = [];
  const sendBatch = async (messages: Iterable<{ body: WakeUpMessage }>, { delaySeconds = 0 } = {}) => {
    for (const { body } of messages) sent.push({ ...body, delaySeconds });
  };
  env = { ...workerEnv, DELIVERY_QUEUE: { sendBatch } as unknown as Queue };
  vi.useFakeTimers({ toFake: ["Date"], now: NOW_MS });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

interface Listener extends ShardDatabase {
  workspace: TestWorkspace;
  webhookId: string;
  lane: number;
}

/** Creates an endpoint in a new workspace. `query` sets the receiver's response. */
async function createListener(query = ""): Promise<Listener> {
  const workspace = await newWorkspace("enterprise");
  const webhook = await createWebhook(workspace, buildReceiverUrl(newReceiverName(), query));
  const row = workspace.shard.prepare("SELECT id FROM webhook_lanes WHERE webhook_id = ?").bind(webhook.id);
  const lane = (await row.first<number>("id")) as number;
  return {
    workspace,
    webhookId: webhook.id,
    lane,
    db: openDatabase(workspace.shard),
    shard: workspace.shardNumber,
  };
}

interface Row {
  id: string;
  status: string;
  attempts: number;
  failed_at: number | null;
  delivered_at: number | null;
  next_attempt_at: number | null;
}

async function readDeliveries({ workspace, lane }: Listener): Promise<Row[]> {
  const statement = workspace.shard.prepare("SELECT * FROM event_deliveries WHERE lane = ? ORDER BY id");
  return (await statement.bind(lane).all<Row>()).results;
}

async function readOnly(listener: Listener): Promise<Row> {
  const rows = await readDeliveries(listener);
  expect(rows).toHaveLength(1);
  return rows[0] as Row;
}

const readWaiting = ({ workspace }: Listener) =>
  workspace.shard
    .prepare("SELECT waiting FROM delivery_backlogs WHERE workspace_id = ?")
    .bind(workspace.id)
    .first<number>("waiting");

/** Wakes a lane at a given time, as a queue message does. Returns the delays of the message's retries. */
async function wakeAt({ workspace, lane, shard }: Listener, timeMs: number): Promise<(number | undefined)[]> {
  vi.setSystemTime(timeMs);
  const turns: Promise<unknown>[] = [];
  const retries: (number | undefined)[] = [];
  const context = await createDeliveryContext(env, (promise) => turns.push(promise));
  const message = {
    body: { workspaceId: workspace.id, shard, lane },
    retry: (options?: QueueRetryOptions) => retries.push(options?.delaySeconds),
  };
  await deliverBatch({ messages: [message] } as unknown as MessageBatch<WakeUpMessage>, context);
  await Promise.all(turns);
  return retries;
}

test("a failed delivery is retried after 5 s, 30 s, 5 min, 30 min and 2 h, and then fails permanently", async () => {
  const listener = await createListener("status=500");
  await createLink(listener.workspace, {}, env);
  let dueMs = (await readOnly(listener)).next_attempt_at as number;
  expect(dueMs).toBe(NOW_MS);
  const schedule = [5 * SECOND_MS, 30 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS];
  for (const [retry, delayMs] of schedule.entries()) {
    sent = [];
    expect(await wakeAt(listener, dueMs)).toEqual([]);
    expect(await readOnly(listener)).toMatchObject({
      status: "retrying",
      attempts: retry + 1,
      failed_at: null,
      next_attempt_at: dueMs + delayMs,
    });
    expect(sent.map(({ lane, delaySeconds }) => [lane, delaySeconds])).toEqual([
      [listener.lane, delayMs / SECOND_MS],
    ]);
    dueMs += delayMs;
    // A clock up to 2 seconds behind waits. An earlier wake-up belongs to another delivery.
    expect(await wakeAt(listener, dueMs - 2_001)).toEqual([]);
    expect(await wakeAt(listener, dueMs - 2_000)).toEqual([1]);
    expect(await wakeAt(listener, dueMs - 1)).toEqual([1]);
    expect((await readOnly(listener)).attempts).toBe(retry + 1);
  }
  sent = [];
  await wakeAt(listener, dueMs);
  expect(await readOnly(listener)).toMatchObject({
    status: "failed",
    attempts: 6,
    failed_at: dueMs,
    next_attempt_at: null,
  });
  expect(sent).toEqual([]);
  expect(await readWaiting(listener)).toBe(0);
});

describe("a turn", () => {
  /** Creates deliveries that are due at {@link NOW_MS}. */
  async function createDue(count: number): Promise<Listener> {
    const listener = await createListener();
    const links = Array.from({ length: count }, () => ({ url: "https://example.com" }));
    await listener.workspace.call("POST", "/v1/links/bulk", { body: { links }, env });
    expect(await readDeliveries(listener)).toHaveLength(count);
    return listener;
  }

  const start = ({ db, workspace, lane }: Listener, nowMs: number) =>
    startTurn(db, { workspaceId: workspace.id, lane }, nowMs);

  async function startDue(listener: Listener, nowMs = NOW_MS): Promise<LaneTurn> {
    const turn = await start(listener, nowMs);
    if (turn === null || turn === "early") return expect.unreachable(`no turn but ${turn}`);
    return turn;
  }

  /** Ends a turn with one attempt at its first delivery. */
  async function end(
    db: Database,
    turn: LaneTurn,
    succeeded: boolean,
    retryAtMs: number | null,
    nowMs: number,
  ) {
    const outcome = {
      attemptedAtMs: NOW_MS,
      latencyMs: 7,
      succeeded,
      responseStatus: succeeded ? 200 : 500,
      error: null,
      responseBody: "",
    };
    const made: TurnAttempt[] = turn.deliveries
      .slice(0, 1)
      .map((delivery) => ({ delivery, outcome, retryAtMs }));
    return endTurn(db, turn, made, nowMs);
  }

  test("has at most 10 due deliveries, and begins when they are due", async () => {
    const listener = await createDue(11);
    expect(await start(listener, NOW_MS - 2_001)).toBeNull();
    expect(await start(listener, NOW_MS - 2_000)).toBe("early");
    expect(await start(listener, NOW_MS - 1)).toBe("early");
    expect((await startDue(listener)).deliveries).toHaveLength(10);
  });

  test.each([
    [1_000, 10],
    [1_001, 5],
  ])("makes 5 attempts at a time, and after %i ms %i in total", async (durationMs, expected) => {
    const listener = await createDue(10);
    const started = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const counts = { all: 0, underWay: 0, most: 0 };
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
      counts.all += 1;
      counts.underWay += 1;
      counts.most = Math.max(counts.most, counts.underWay);
      if (counts.all === 5) setTimeout(started.resolve, 20);
      await released.promise;
      counts.underWay -= 1;
      return new Response("");
    });
    const waking = wakeAt(listener, NOW_MS);
    await started.promise;
    expect(counts).toMatchObject({ all: 5, most: 5 });
    vi.setSystemTime(NOW_MS + durationMs);
    released.resolve();
    await waking;
    expect(counts).toMatchObject({ all: expected, most: 5 });
  });

  test("is one of at most 100 in an isolate: further wake-ups wait", async () => {
    vi.useRealTimers();
    vi.spyOn(console, "error").mockReturnValue();
    let started = 0;
    const failing: (() => void)[] = [];
    const hanging = {
      prepare: (query: string) => workerEnv.SHARD_0.prepare(query),
      batch: () => {
        started += 1;
        return new Promise((_, reject) => failing.push(() => reject(new Error("down"))));
      },
    } as unknown as D1Database;
    const context = {
      ...(await createDeliveryContext(env, () => {})),
      openShard: (shard: number) => ({ db: openDatabase(hanging), shard }),
    };
    const wake = () => {
      const message = { body: { workspaceId: "w", shard: 0, lane: 1 }, retry() {} };
      return deliverBatch({ messages: [message] } as unknown as MessageBatch<WakeUpMessage>, context);
    };
    const batches = Array.from({ length: 101 }, wake);
    const countStarted = async () => started;
    // Turns of other tests may still be running.
    await eventually(countStarted, (count) => count >= 100);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(started).toBe(100);
    failing.pop()?.();
    await eventually(countStarted, (count) => count === 101);
    for (const fail of failing) fail();
    await Promise.all(batches);
  });

  test("is the only one of its lane for 30 seconds, longer than its attempts last", async () => {
    const listener = await createDue(1);
    const { db, workspace } = listener;
    const turn = await startDue(listener);
    // An attempt that begins a second after the turn and times out ten seconds later.
    expect(await start(listener, NOW_MS + 11 * SECOND_MS)).toBeNull();
    expect(await start(listener, NOW_MS + LEASE_MS - 1)).toBeNull();
    expect(await hasTurns(db, workspace.id, NOW_MS + LEASE_MS - 1)).toBe(true);
    expect(await hasTurns(db, workspace.id, NOW_MS + LEASE_MS)).toBe(false);
    const next = await startDue(listener, NOW_MS + LEASE_MS);
    // A late turn only ends its own lease.
    await end(db, turn, false, NOW_MS + HOUR_MS, NOW_MS + LEASE_MS + 1);
    expect(await hasTurns(db, workspace.id, NOW_MS + LEASE_MS + 1)).toBe(true);
    await end(db, next, false, NOW_MS + HOUR_MS, NOW_MS + LEASE_MS + 2);
    expect(await hasTurns(db, workspace.id, NOW_MS + LEASE_MS + 2)).toBe(false);
  });

  test("is one of at most 10 of its workspace", async () => {
    const listener = await createDue(1);
    const { workspace } = listener;
    const lease = async (count: number) => {
      const turns = JSON.stringify(Array.from({ length: count }, (_, n) => [-n, NOW_MS + 1]));
      await workspace.shard
        .prepare("UPDATE delivery_backlogs SET turns = ? WHERE workspace_id = ?")
        .bind(turns, workspace.id)
        .run();
    };
    await lease(10);
    expect(await start(listener, NOW_MS)).toBeNull();
    await lease(9);
    await startDue(listener);
    await lease(10);
    await startDue(listener, NOW_MS + 1);
  });

  test("wakes the lanes that may have been refused a turn, later ones first, if there are more than 10", async () => {
    const listener = await createDue(0);
    const { db, workspace } = listener;
    for (let n = 0; n < 9; n++) await createWebhook(workspace, buildReceiverUrl("unused"));
    const due = Array.from({ length: 2 }, () => ({ url: "https://example.com" }));
    await workspace.call("POST", "/v1/links/bulk", { body: { links: due }, env });
    const listLanes = async () => {
      const lanes = workspace.shard.prepare(
        "SELECT id FROM webhook_lanes WHERE workspace_id = ? ORDER BY id",
      );
      return (await lanes.bind(workspace.id).all<{ id: number }>()).results.map(({ id }) => id);
    };
    const endNext = async (lane: number) => {
      const woken = await end(db, await startDue({ ...listener, lane }), true, null, NOW_MS);
      return woken.map((wakeUp) => wakeUp.lane);
    };
    const [first, second, third] = (await listLanes()) as [number, number, number];
    expect(await endNext(first)).toEqual([first]);
    await createWebhook(workspace, buildReceiverUrl("unused"));
    const lanes = await listLanes();
    expect(lanes).toHaveLength(11);
    await workspace.call("POST", "/v1/links", { body: { url: "https://example.com" }, env });
    // Ten lanes may have a turn at a time, so the eleventh is left.
    expect(await endNext(second)).toEqual([...lanes.slice(2), first]);
    const turn = await startDue({ ...listener, lane: third });
    expect(turn.lane).toBe(third);
    expect(await endNext(second)).toEqual([...lanes.slice(3), first]);
  });

  test("that fails late does not change a delivery that was sent again in the meantime", async () => {
    const listener = await createDue(1);
    const turn = await startDue(listener);
    vi.setSystemTime(NOW_MS + 1);
    const [{ id } = { id: "" }] = turn.deliveries;
    const path = `/v1/webhooks/${listener.webhookId}/deliveries/${id}/resend`;
    expect((await listener.workspace.call("POST", path, { env })).status).toBe(200);
    await end(listener.db, turn, false, null, NOW_MS + 10);
    expect(await readOnly(listener)).toMatchObject({
      status: "pending",
      attempts: 1,
      failed_at: null,
      next_attempt_at: NOW_MS + 1,
    });
    expect(await readWaiting(listener)).toBe(1);
    const retry = await startDue(listener, NOW_MS + 10);
    await end(listener.db, retry, false, NOW_MS + HOUR_MS, NOW_MS + 11);
    expect(await readOnly(listener)).toMatchObject({ status: "retrying", next_attempt_at: NOW_MS + HOUR_MS });
  });

  test("that succeeds late also completes a delivery that was sent again in the meantime", async () => {
    const listener = await createDue(1);
    const turn = await startDue(listener);
    vi.setSystemTime(NOW_MS + 1);
    const path = `/v1/webhooks/${listener.webhookId}/deliveries/${turn.deliveries[0]?.id}/resend`;
    await listener.workspace.call("POST", path, { env });
    await end(listener.db, turn, true, null, NOW_MS + 10);
    expect(await readOnly(listener)).toMatchObject({
      status: "delivered",
      delivered_at: NOW_MS + 7,
      next_attempt_at: null,
    });
    expect(await readWaiting(listener)).toBe(0);
  });
});

test("a delivery without an attempt is overdue after a minute, and the sweep wakes its lane", async () => {
  const listener = await createListener();
  const { workspace, lane, shard } = listener;
  await createLink(workspace, {}, env);
  const sweepAt = async (nowMs: number) => {
    sent = [];
    await sweepDeliveries(listener, env.DELIVERY_QUEUE, nowMs);
    return sent.filter(({ workspaceId }) => workspaceId === workspace.id);
  };
  expect(await sweepAt(NOW_MS + MINUTE_MS - 1)).toEqual([]);
  expect(await sweepAt(NOW_MS + MINUTE_MS)).toEqual([
    { workspaceId: workspace.id, lane, shard, delaySeconds: 0 },
  ]);
});

test.each([
  [19_999, 251],
  [20_000, 0],
])(
  "a sweep continues for 20 seconds, 250 lanes at a time: after %i ms, it wakes %i",
  async (passedMs, woken) => {
    const listener = await createListener();
    const { workspace, lane, webhookId } = listener;
    await createLink(workspace, {}, env);
    const copies =
      "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 250)";
    await workspace.shard.batch([
      workspace.shard
        .prepare(
          `${copies} INSERT INTO webhooks (id, workspace_id, url, hostname, description, events, enabled, secret,
                                         created_at, updated_at)
         SELECT id || n, workspace_id, url, hostname, '', '[]', 1, secret, 0, 0 FROM webhooks, numbers WHERE id = ?`,
        )
        .bind(webhookId),
      workspace.shard
        .prepare(
          `${copies} INSERT INTO webhook_lanes (id, webhook_id, workspace_id)
         SELECT id + n, webhook_id || n, workspace_id FROM webhook_lanes, numbers WHERE id = ?`,
        )
        .bind(lane),
      workspace.shard
        .prepare(
          `${copies} INSERT INTO event_deliveries (lane, id, event_type, status, attempts, attempts_before, created_at,
                                                 epoch, next_attempt_at)
         SELECT lane + n, id, event_type, status, 0, 0, created_at, epoch, next_attempt_at
           FROM event_deliveries, numbers WHERE lane = ?`,
        )
        .bind(lane),
    ]);
    sent = [];
    vi.spyOn(Date, "now")
      .mockReturnValueOnce(NOW_MS)
      .mockReturnValue(NOW_MS + passedMs);
    await sweepDeliveries(listener, env.DELIVERY_QUEUE, NOW_MS + MINUTE_MS);
    expect(sent.filter(({ workspaceId }) => workspaceId === workspace.id)).toHaveLength(woken);
    // Sweeps of other tests would wake their copies.
    await workspace.shard
      .prepare("DELETE FROM event_deliveries WHERE lane BETWEEN ?1 AND ?1 + 250")
      .bind(lane)
      .run();
  },
);

test("the last possible lane of a workspace comes just before the next workspace's lanes", async () => {
  const workspace = await newWorkspace("enterprise");
  const number = await workspace.shard
    .prepare("UPDATE tenants SET lane_count = 1048574 WHERE id = ? RETURNING number")
    .bind(workspace.id)
    .first<number>("number");
  const { id } = await createWebhook(workspace, buildReceiverUrl(newReceiverName()));
  const lane = workspace.shard.prepare("SELECT id FROM webhook_lanes WHERE webhook_id = ?").bind(id);
  expect(await lane.first("id")).toBe(((number ?? 0) + 1) * 1_048_576 - 1);
});

test("events of scans are kept for 7 days, others for 30", async () => {
  const { workspace, db } = await createListener();
  const add = async (isScan: 0 | 1, timeMs: number) => {
    const id = `${formatUuidTime(timeMs)}-7000-8000-00000000`;
    await workspace.shard
      .prepare("INSERT INTO webhook_events VALUES (?, ?, ?, 'link.created', '[]', ?, NULL, '{}')")
      .bind(isScan, id, workspace.id, timeMs)
      .run();
    return id;
  };
  for (const [isScan, days] of [
    [1, 7],
    [0, 30],
  ] as const) {
    const kept = await add(isScan, NOW_MS - days * DAY_MS);
    await add(isScan, NOW_MS - days * DAY_MS - 1);
    // More than one step deletes.
    await workspace.shard
      .prepare(
        `INSERT INTO webhook_events SELECT ?1, printf('%s-7000-8000-%08x', ?2, key + 1), ?3, 'link.created', '[]', 0, NULL, '{}'
           FROM json_each(?4)`,
      )
      .bind(
        isScan,
        formatUuidTime(NOW_MS - days * DAY_MS - 1),
        workspace.id,
        JSON.stringify(Array(500).fill(0)),
      )
      .run();
    while (await deleteExpired(db, isScan, NOW_MS));
    const { results } = await workspace.shard
      .prepare("SELECT id FROM webhook_events WHERE is_scan = ? AND workspace_id = ?")
      .bind(isScan, workspace.id)
      .all();
    expect(results).toEqual([{ id: kept }]);
  }
});

test("a replaced secret signs for a day, together with others replaced less than a day before", async () => {
  const { workspace, webhookId } = await createListener();
  const rotateAt = async (timeMs: number) => {
    vi.setSystemTime(timeMs);
    await workspace.call("POST", `/v1/webhooks/${webhookId}/rotate-secret`, { body: {} });
    const row = workspace.shard.prepare("SELECT id, secret, previous_secrets FROM webhooks WHERE id = ?");
    const { previous_secrets, ...webhook } = (await row.bind(webhookId).first<{
      id: string;
      secret: string;
      previous_secrets: string;
    }>()) as { id: string; secret: string; previous_secrets: string };
    return { ...webhook, previousSecrets: JSON.parse(previous_secrets) } as Webhook;
  };
  const key = await deriveSecretKey(workerEnv);
  const once = await rotateAt(NOW_MS);
  expect(once.previousSecrets.map(({ until }) => until)).toEqual([NOW_MS + DAY_MS]);
  expect(await unsealSigningSecrets(once, key, NOW_MS + DAY_MS - 1)).toHaveLength(2);
  expect(await unsealSigningSecrets(once, key, NOW_MS + DAY_MS)).toHaveLength(1);
  const twice = await rotateAt(NOW_MS + DAY_MS - 1);
  expect(twice.previousSecrets.map(({ until }) => until)).toEqual([NOW_MS + 2 * DAY_MS - 1, NOW_MS + DAY_MS]);
  const later = await rotateAt(NOW_MS + DAY_MS);
  expect(later.previousSecrets.map(({ until }) => until)).toEqual([
    NOW_MS + 2 * DAY_MS,
    NOW_MS + 2 * DAY_MS - 1,
  ]);
});

test("an attempt times out after 10 seconds", async () => {
  const limits: number[] = [];
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, "timeout").mockImplementation((limitMs) => {
    limits.push(limitMs);
    return timeout(50);
  });
  const outcome = await attempt(
    {
      url: buildReceiverUrl(newReceiverName(), "hang"),
      ownDomains: new Set(),
      deliveryId: crypto.randomUUID(),
      eventType: "webhook.test",
      isFirst: true,
      payload: "{}",
      secrets: async () => [`whsec_${btoa("secret")}`],
    },
    getSettings(workerEnv),
  );
  expect(limits).toEqual([10_000]);
  expect(outcome).toMatchObject({
    succeeded: false,
    responseStatus: null,
    error: "timeout: no response within 10 seconds",
  });
});

test("an attempt reads 64 KiB of the response", async () => {
  let bytes = 0;
  const body = new ReadableStream(
    {
      pull(controller) {
        bytes += 4_096;
        controller.enqueue(new Uint8Array(4_096));
      },
    },
    { highWaterMark: 0 },
  );
  vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response(body));
  const request = {
    url: buildReceiverUrl(newReceiverName()),
    ownDomains: new Set<string>(),
    payload: "{}",
    deliveryId: crypto.randomUUID(),
    eventType: "webhook.test" as const,
    isFirst: true,
    secrets: async (): Promise<[string]> => [`whsec_${btoa("secret")}`],
  };
  expect(await attempt(request, getSettings(workerEnv))).toMatchObject({ succeeded: true });
  // The chunk that exceeds the limit is read too.
  expect(bytes).toBe(65_536 + 4_096);
});

test("a turn that is counted again is recognized among the last 8", async () => {
  expect(FAILURES_MAX).toBe(100);
  const health = workerEnv.ENDPOINT_HEALTH.getByName(newReceiverName());
  expect(await health.record([false], "first")).toBe(1);
  for (let turn = 2; turn <= 8; turn++) expect(await health.record([false], `turn ${turn}`)).toBe(turn);
  expect(await health.record([false], "first")).toBe(1);
  expect(await health.record([false], "ninth")).toBe(9);
  expect(await health.record([false], "first")).toBe(10);
});

test("a workspace is woken when its deliveries are due, at most 12 hours later", async () => {
  const listener = await createListener();
  const { workspace, lane } = listener;
  await createLink(workspace, {}, env);
  const delayAt = async (nowMs: number) => {
    sent = [];
    await wakeWorkspace(listener, env.DELIVERY_QUEUE, workspace.id, nowMs);
    expect(sent.map((wakeUp) => wakeUp.lane)).toEqual([lane]);
    return sent[0]?.delaySeconds;
  };
  expect(await delayAt(NOW_MS + 1)).toBe(0);
  expect(await delayAt(NOW_MS - 1)).toBe(1);
  expect(await delayAt(NOW_MS - 1_000)).toBe(1);
  expect(await delayAt(NOW_MS - 1_001)).toBe(2);
  expect(await delayAt(NOW_MS - 13 * HOUR_MS)).toBe(12 * 3_600);
});

test("wake-ups are sent a hundred at a time, and a queue that rejects them is logged", async () => {
  const sizes: number[] = [];
  const queue = { sendBatch: async (batch: unknown[]) => void sizes.push(batch.length) } as unknown as Queue;
  const wakeUps = Array.from({ length: 201 }, (_, lane) => ({ workspaceId: "w", lane }));
  await sendWakeUps(queue, 0, wakeUps);
  expect(sizes).toEqual([100, 100, 1]);
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const refusing = { sendBatch: () => Promise.reject(new Error("Too Many Requests")) } as unknown as Queue;
  await sendWakeUps(refusing, 0, wakeUps);
  expect(String(log.mock.calls[0]?.[0])).toContain("sending 201 wake-ups to the queue failed");
});

describe("a turn continues", () => {
  const useHealth = (record: () => Promise<unknown>) => {
    env = { ...env, ENDPOINT_HEALTH: { getByName: () => ({ record }) } as unknown as Env["ENDPOINT_HEALTH"] };
  };
  const failTurn = async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const listener = await createListener("status=500");
    await createLink(listener.workspace, {}, env);
    await wakeAt(listener, NOW_MS);
    const enabled = await listener.workspace.shard
      .prepare("SELECT enabled FROM webhooks WHERE id = ?")
      .bind(listener.webhookId)
      .first<number>("enabled");
    return { row: await readOnly(listener), enabled, logged: String(log.mock.calls) };
  };

  test("if its failures cannot be counted", async () => {
    useHealth(() => Promise.reject(new Error("the object is down")));
    const { row, enabled, logged } = await failTurn();
    expect([row.status, row.attempts, enabled]).toEqual(["retrying", 1, 1]);
    expect(logged).toContain("were not counted");
  });

  test("if its endpoint cannot be disabled", async () => {
    useHealth(async () => {
      env.DIRECTORY = {} as D1Database;
      return FAILURES_MAX;
    });
    const { row, enabled, logged } = await failTurn();
    expect([row.status, row.attempts, enabled]).toEqual(["retrying", 1, 1]);
    expect(logged).toContain("was not disabled");
  });

  test.each([
    [99, 1],
    [100, 0],
  ])("after %i failures in a row with its endpoint set to enabled = %i", async (failures, expected) => {
    useHealth(async () => failures);
    expect((await failTurn()).enabled).toBe(expected);
  });
});

test("a wake-up without database is retried after 5 seconds, and the sweep repeats a turn without an end", async () => {
  const log = vi.spyOn(console, "error").mockReturnValue();
  const listener = await createListener();
  await createLink(listener.workspace, {}, env);
  const name = `SHARD_${listener.shard}` as "SHARD_0";
  const { [name]: shard } = env;
  let batches = 0;
  const batch: D1Database["batch"] = (statements) =>
    ++batches === 2 ? shard.batch(statements) : Promise.reject(new Error("the database is down"));
  env = { ...env, [name]: { prepare: (query: string) => shard.prepare(query), batch } as D1Database };
  expect(await wakeAt(listener, NOW_MS)).toEqual([5]);
  expect(await wakeAt(listener, NOW_MS)).toEqual([]);
  expect(String(log.mock.calls)).toContain("was interrupted; the sweep will");
  expect((await readOnly(listener)).status).toBe("pending");
  env = { ...env, [name]: shard };
  await wakeAt(listener, NOW_MS + LEASE_MS);
  expect((await readOnly(listener)).status).toBe("delivered");
});

test("releasing one workspace's waiting deliveries does not change another workspace's number", async () => {
  const [workspace, other] = [await newWorkspace(), await newWorkspace()];
  const { shard } = workspace;
  for (const { id } of [workspace, other])
    await shard.prepare("INSERT INTO delivery_backlogs VALUES (?, 5, 100, '[]', 0, 0)").bind(id).run();
  await releaseWaiting(openDatabase(shard), workspace.id, sql`2`);
  const readWaiting = ({ id }: TestWorkspace) =>
    shard.prepare("SELECT waiting FROM delivery_backlogs WHERE workspace_id = ?").bind(id).first("waiting");
  expect([await readWaiting(workspace), await readWaiting(other)]).toEqual([3, 5]);
});
