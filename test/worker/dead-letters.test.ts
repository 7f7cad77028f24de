import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDatabase } from "../../src/db/database.ts";
import { replayDeadLetters, sweepDeadLetters } from "../../src/dead-letters/dead-letters.ts";
import type { MessageKind } from "../../src/dead-letters/queue-name.ts";
import worker from "../../src/index.ts";
import { countingEnv, workerEnv } from "../support/harness.ts";

const directory = openDatabase(workerEnv.DIRECTORY);
const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 10, 21);

type QueueMessage = Parameters<typeof createMessageBatch>[1][number];

interface Row {
  id: string;
  kind: MessageKind;
  body: string;
  failed_at: number;
  replay_at: number | null;
}

async function readRows(): Promise<Row[]> {
  const { results } = await workerEnv.DIRECTORY.prepare("SELECT * FROM dead_letters ORDER BY id").all<Row>();
  return results;
}

/** Inserts dead letters of a kind, with their numbers as bodies. */
async function insertDeadLetters(
  kind: MessageKind,
  count: number,
  columns: Partial<Row> = {},
): Promise<void> {
  await workerEnv.DIRECTORY.prepare(
    `INSERT INTO dead_letters (id, kind, body, failed_at, replay_at)
     SELECT ?1 || printf('%05d', value), ?1, value, ?3, ?4
       FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?2) SELECT value FROM n)`,
  )
    .bind(kind, count, columns.failed_at ?? NOW_MS, columns.replay_at ?? null)
    .run();
}

/** Passes messages to the Worker as a queue batch. Returns the acknowledged and the retried messages. */
async function deliver(queue: string, messages: QueueMessage[], env: Env = workerEnv) {
  const batch = createMessageBatch(queue, messages);
  const context = createExecutionContext();
  await worker.queue(batch, env, context);
  const { explicitAcks, retryMessages } = await getQueueResult(batch, context);
  return { acknowledged: explicitAcks, retried: retryMessages.map(({ msgId }) => msgId) };
}

const message = (id: string, body: unknown, attempts = 1): QueueMessage => ({
  id,
  body,
  attempts,
  timestamp: new Date(NOW_MS),
});

/** Queues that record sent messages, or reject them. */
function buildQueues(refuses = false) {
  const sent: { kind: MessageKind; bodies: unknown[]; bytes: number }[] = [];
  const build = (kind: MessageKind) => ({
    sendBatch: async (messages: { body: unknown }[]) => {
      if (refuses) throw new Error("Too Many Requests");
      const bodies = messages.map(({ body }) => body);
      sent.push({ kind, bodies, bytes: JSON.stringify(bodies).length });
    },
  });
  const queues = { scans: build("scans"), "page-hits": build("page-hits"), deliveries: build("deliveries") };
  return { queues: queues as unknown as Record<MessageKind, Queue>, sent };
}

beforeEach(async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  await workerEnv.DIRECTORY.exec("DELETE FROM dead_letters");
});
afterEach(() => void vi.restoreAllMocks());

test("a dead letter is stored once, however often its queue delivers it", async () => {
  const messages = [message("a", { n: 1 }), message("b", { text: "it's" })];
  for (const queue of ["signpost-scans-dead", "signpost-production-scans-dead"]) {
    expect(await deliver(queue, messages)).toEqual({ acknowledged: ["a", "b"], retried: [] });
  }
  await deliver("signpost-deliveries-dead", [message("c", {})]);
  const row = { failed_at: NOW_MS, replay_at: null };
  expect(await readRows()).toEqual([
    { id: "a", kind: "scans", body: '{"n":1}', ...row },
    { id: "b", kind: "scans", body: '{"text":"it\'s"}', ...row },
    { id: "c", kind: "deliveries", body: "{}", ...row },
  ]);
});

test("while the database is down, dead letters wait in their queue: 100 deliveries span more than 14 days", async () => {
  const delays: number[] = [];
  const build = (attempts: number) => ({
    ...message("a", {}, attempts),
    ack: () => expect.unreachable(),
    retry: ({ delaySeconds = 0 }: QueueRetryOptions = {}) => delays.push(delaySeconds),
  });
  const messages = Array.from({ length: 100 }, (_, index) => build(index + 1));
  const DIRECTORY = { prepare: () => expect.unreachable("down") } as unknown as D1Database;
  await worker.queue(
    { queue: "signpost-scans-dead", messages } as unknown as MessageBatch,
    { ...workerEnv, DIRECTORY },
    createExecutionContext(),
  );
  expect(delays.slice(0, 3)).toEqual([60, 120, 240]);
  // The maximum delay of a queue is 12 hours.
  expect(Math.max(...delays)).toBe(4 * 3_600);
  expect(delays.reduce((sum, delay) => sum + delay, 0) * 1_000).toBeGreaterThan(14 * DAY_MS);
});

test("at most 10,000 dead letters of a kind are stored, and further ones wait in their queue", async () => {
  await insertDeadLetters("scans", 9_999);
  await insertDeadLetters("page-hits", 10);
  expect(await deliver("signpost-scans-dead", [message("x", 1)])).toMatchObject({ acknowledged: ["x"] });
  expect(await deliver("signpost-scans-dead", [message("x", 1), message("y", 2)])).toMatchObject({
    acknowledged: ["x"],
    retried: ["y"],
  });
  expect(await deliver("signpost-page-hits-dead", [message("z", 1)])).toMatchObject({ acknowledged: ["z"] });
  // The cron finds overdue deliveries without their messages.
  await insertDeadLetters("deliveries", 10_000);
  expect(await deliver("signpost-deliveries-dead", [message("d", 1)])).toMatchObject({ acknowledged: ["d"] });
  expect(await readRows()).toHaveLength(10_000 + 11 + 10_000);
});

test("marked dead letters return to their queues in bounded batches and are deleted", async () => {
  await insertDeadLetters("scans", 250, { replay_at: NOW_MS });
  await insertDeadLetters("deliveries", 1, { replay_at: NOW_MS });
  await insertDeadLetters("page-hits", 1);
  for (let n = 0; n < 5; n++) {
    await workerEnv.DIRECTORY.prepare("INSERT INTO dead_letters VALUES (?, 'page-hits', ?, 0, 0)")
      .bind(`large ${n}`, JSON.stringify("x".repeat(90_000)))
      .run();
  }
  const { queues, sent } = buildQueues();
  await replayDeadLetters(directory, queues);
  const batches = sent.filter(({ kind }) => kind === "scans").map(({ bodies }) => bodies as number[]);
  expect(batches.map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(batches.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
  expect(sent.filter(({ kind }) => kind === "deliveries").flatMap(({ bodies }) => bodies)).toEqual([1]);
  expect(sent.filter(({ kind }) => kind === "page-hits").flatMap(({ bodies }) => bodies)).toHaveLength(5);
  for (const { bytes } of sent) expect(bytes).toBeLessThan(256_000);
  expect((await readRows()).map(({ id }) => id)).toEqual(["page-hits00001"]);
});

test.each([
  ["together if they have 200,000 bytes", 99_998, [2]],
  ["apart if they have a byte more", 99_999, [1, 1]],
])("replay sends two letters %s", async (_, length, expected) => {
  // JSON adds two quotes to a string.
  for (const size of [99_998, length]) {
    await workerEnv.DIRECTORY.prepare("INSERT INTO dead_letters VALUES (?, 'scans', ?, 0, 0)")
      .bind(crypto.randomUUID(), JSON.stringify("x".repeat(size)))
      .run();
  }
  const { queues, sent } = buildQueues();
  await replayDeadLetters(directory, queues);
  expect(sent.map(({ bodies }) => bodies.length)).toEqual(expected);
});

test("a replay keeps its letters for the next run if the queue rejects them or the run dies before deleting", async () => {
  await insertDeadLetters("scans", 3, { replay_at: NOW_MS });
  await expect(replayDeadLetters(directory, buildQueues(true).queues)).rejects.toThrow(
    "a replay of dead letters failed",
  );
  expect(await readRows()).toHaveLength(3);

  const first = buildQueues();
  const { env } = countingEnv();
  const dying = {
    prepare: (text: string) => (text.startsWith("delete") ? fail() : env.DIRECTORY.prepare(text)),
  };
  await expect(
    replayDeadLetters(openDatabase(dying as unknown as D1Database), first.queues),
  ).rejects.toMatchObject({
    errors: [new Error("died")],
  });
  const second = buildQueues();
  await replayDeadLetters(directory, second.queues);
  expect(second.sent).toEqual(first.sent);
  expect(await readRows()).toEqual([]);

  function fail(): never {
    throw new Error("died");
  }
});

test("a queue that rejects its letters does not stop the other queues", async () => {
  await insertDeadLetters("scans", 150, { replay_at: NOW_MS - 1 });
  await insertDeadLetters("deliveries", 150, { replay_at: NOW_MS });
  const { queues, sent } = buildQueues();
  const mixed = { ...queues, scans: buildQueues(true).queues.scans };
  await expect(replayDeadLetters(directory, mixed)).rejects.toMatchObject({
    errors: [new Error("Too Many Requests")],
  });
  expect(sent.flatMap(({ kind, bodies }) => bodies.map(() => kind))).toEqual(Array(150).fill("deliveries"));
  expect(new Set((await readRows()).map(({ kind }) => kind))).toEqual(new Set(["scans"]));
});

test("the sweep deletes dead letters older than 14 days, in steps", async () => {
  await insertDeadLetters("scans", 2_500, { failed_at: NOW_MS - 14 * DAY_MS });
  await insertDeadLetters("page-hits", 2, { failed_at: NOW_MS - 14 * DAY_MS + 1 });
  await sweepDeadLetters(directory, NOW_MS);
  expect((await readRows()).map(({ kind }) => kind)).toEqual(["page-hits", "page-hits"]);
});

test("batches of unknown queues and batches whose consumer fails are retried", async () => {
  for (const [queue, env] of [
    ["signpost-unknown", workerEnv],
    ["signpost-deliveries", { ...workerEnv, WEBHOOK_KEY: "" }],
  ] as const) {
    const batch = createMessageBatch(queue, [message("a", {})]);
    const context = createExecutionContext();
    await worker.queue(batch, env, context);
    expect((await getQueueResult(batch, context)).retryBatch).toMatchObject({ retry: true });
  }
});
