import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import worker from "../../src/index.ts";
import {
  DurableQueue,
  type SelfHostBindings,
  useDurableQueues,
  wakeQueues,
} from "../../src/self-host/durable-queue.ts";

/** Tests the queue of `npm start` with its table in SQLite and its alarm fired by hand. */

const QUEUE_CONFIG = JSON.stringify({
  producers: [{ binding: "SCAN_QUEUE", queue: "scans" }],
  consumers: [
    {
      queue: "scans",
      max_batch_size: 2,
      max_batch_timeout: 2,
      max_retries: 1,
      dead_letter_queue: "scans-dead",
    },
    { queue: "scans-dead", max_batch_size: 10, max_batch_timeout: 5, max_retries: 1 },
  ],
});

/** Objects by the name of their queue, with the time of their alarm. */
let objects: Map<string, { object: DurableQueue; alarmMs: number | null }>;
let env: Env;

function open(name: string) {
  const existing = objects.get(name);
  if (existing !== undefined) return existing;
  const database = new DatabaseSync(":memory:");
  const exec = (sql: string, ...values: SQLInputValue[]) => {
    const rows = database.prepare(sql).all(...values);
    return { toArray: () => rows, one: () => rows[0] };
  };
  const storage = {
    sql: { exec },
    getAlarm: async () => entry.alarmMs,
    setAlarm: async (atMs: number) => {
      entry.alarmMs = atMs;
    },
  };
  const entry = { alarmMs: null as number | null } as { object: DurableQueue; alarmMs: number | null };
  entry.object = new DurableQueue({ storage } as never, bindings as never);
  objects.set(name, entry);
  return entry;
}

const bindings = { QUEUE_CONFIG, QUEUES: { getByName: (name: string) => open(name).object } };

/** Fires the alarm of a queue at its time. Returns how long that took, or null if no alarm is set. */
async function fire(name: string): Promise<number | null> {
  const entry = open(name);
  const { alarmMs } = entry;
  if (alarmMs === null) return null;
  const waitedMs = Math.max(0, alarmMs - Date.now());
  vi.setSystemTime(Date.now() + waitedMs);
  entry.alarmMs = null;
  await entry.object.alarm();
  return waitedMs;
}

/** Consumed batches, as `body attempt`. */
let batches: string[][];
let decide: (message: Message<{ n: number }>) => void;

beforeEach(() => {
  vi.useFakeTimers();
  objects = new Map();
  batches = [];
  decide = () => {};
  env = useDurableQueues({ ...bindings } as unknown as Env & SelfHostBindings);
  vi.spyOn(worker, "queue").mockImplementation(async ({ messages }) => {
    batches.push(messages.map(({ body, attempts }) => `${(body as { n: number }).n} ${attempts}`));
    for (const message of messages) decide(message as never);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const send = (...numbers: number[]) => env.SCAN_QUEUE.sendBatch(numbers.map((n) => ({ body: { n } })));

test("a batch is delivered at once if it is full, otherwise after its timeout, and then deleted", async () => {
  await send(1);
  expect(await fire("scans")).toBe(2_000);
  await send(2, 3, 4);
  expect(await fire("scans")).toBe(0);
  expect(batches).toEqual([["1 1"], ["2 1", "3 1"], ["4 1"]]);
  expect(await fire("scans")).toBeNull();
  expect(await env.SCAN_QUEUE.metrics()).toEqual({ backlogCount: 0, backlogBytes: 0 });
});

test("a delayed message waits, also in the metrics", async () => {
  const sentAtMs = Date.now();
  await env.SCAN_QUEUE.send({ n: 1 }, { delaySeconds: 60 });
  const oldestMessageTimestamp = new Date(sentAtMs);
  expect(await env.SCAN_QUEUE.metrics()).toEqual({
    backlogCount: 1,
    backlogBytes: 7,
    oldestMessageTimestamp,
  });
  expect(await fire("scans")).toBe(62_000);
});

test("a message is retried after its delay, and becomes a dead letter after the last attempt", async () => {
  decide = (message) => {
    if (message.body.n === 1) message.retry({ delaySeconds: 30 });
    else message.ack();
    message.retry();
  };
  await send(1, 2);
  await fire("scans");
  expect(await fire("scans")).toBe(32_000);
  expect(batches).toEqual([["1 1", "2 1"], ["1 2"]]);
  decide = () => {};
  expect(await fire("scans-dead")).toBe(5_000);
  expect(batches.at(-1)).toEqual(["1 1"]);
  expect(await fire("scans")).toBeNull();
});

test("a queue whose deliveries fail retries by itself, at least once a minute, and then delivers", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const consume = vi.mocked(worker.queue).getMockImplementation();
  vi.mocked(worker.queue).mockRejectedValue(new Error("the disk is full"));
  await send(1);
  const waits: (number | null)[] = [];
  for (let n = 0; n < 9; n++) waits.push(await fire("scans"));
  expect(waits).toEqual([2, 1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1_000));
  expect(log).toHaveBeenCalledTimes(9);
  vi.mocked(worker.queue).mockImplementation(consume as typeof worker.queue);
  expect(await fire("scans")).toBe(60_000);
  expect(batches).toEqual([["1 1"]]);
  expect(await fire("scans")).toBeNull();
});

test("the cron wakes a queue that has lost its alarm", async () => {
  await send(1);
  open("scans").alarmMs = null;
  await wakeQueues(bindings as unknown as SelfHostBindings);
  expect(await fire("scans")).toBe(2_000);
  expect(batches).toEqual([["1 1"]]);
});
