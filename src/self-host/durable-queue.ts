import { DurableObject } from "cloudflare:workers";
import { logError } from "../core/log.ts";
import { memoizeByObject } from "../core/memo.ts";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import worker from "../index.ts";
import { pauseCalls } from "./paced-databases.ts";

/** Queues of wrangler.toml: which binding sends to which queue, and how each queue is consumed. */
export interface QueueConfig {
  producers: { binding: string; queue: string }[];
  consumers: {
    queue: string;
    max_batch_size: number;
    max_batch_timeout: number;
    max_retries: number;
    dead_letter_queue?: string;
  }[];
}

/** Bindings that the Worker has on one machine only. */
export interface SelfHostBindings {
  QUEUES: DurableObjectNamespace<DurableQueue>;
  /** {@link QueueConfig} as JSON. */
  QUEUE_CONFIG: string;
  /** Secret of the reverse proxy. Empty if every request comes from the proxy. */
  PROXY_SECRET: string;
  /** Secret of the process that runs the Worker. */
  CONTROL_SECRET: string;
}

interface StoredMessage {
  [column: string]: string | number;
  id: number;
  queue: string;
  body: string;
  sent_at: number;
  attempts: number;
}

/** Delay after the first failure of a queue, which doubles with each further one. */
const RETRY_MIN_MS = SECOND_MS;
const RETRY_MAX_MS = MINUTE_MS;

/**
 * One queue of a service on one machine, kept in the object's database. Miniflare keeps its queues in memory, where a
 * crash loses them. Delivers at least once: a message is deleted after its consumer has returned.
 */
export class DurableQueue extends DurableObject<Env & SelfHostBindings> {
  readonly #sql: SqlStorage;
  /** Number of consecutive alarms that failed. */
  #failures = 0;

  constructor(ctx: DurableObjectState, env: Env & SelfHostBindings) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.#sql.exec(`CREATE TABLE IF NOT EXISTS messages
      (id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT, body TEXT, sent_at INTEGER, due_at INTEGER, attempts INTEGER)`);
    this.#sql.exec("CREATE INDEX IF NOT EXISTS messages_due ON messages (due_at, id)");
  }

  /** Stores messages, as JSON. Returns once they are on the disk. */
  async push(queue: string, messages: readonly { body: string; delayMs: number }[]): Promise<void> {
    const nowMs = Date.now();
    for (const { body, delayMs } of messages) {
      this.#sql.exec(
        "INSERT INTO messages (queue, body, sent_at, due_at, attempts) VALUES (?, ?, ?, ?, 0)",
        ...[queue, body, nowMs, nowMs + delayMs],
      );
    }
    await this.#schedule(queue);
  }

  /** Returns the number, size and age of the waiting messages. */
  metrics(): QueueMetrics {
    const { count, bytes, oldest } = this.#sql
      .exec<{ count: number; bytes: number; oldest: number | null }>(
        `SELECT count(*) AS count, coalesce(sum(octet_length(body)), 0) AS bytes, min(sent_at) AS oldest
           FROM messages`,
      )
      .one();
    const oldestMessageTimestamp = oldest === null ? null : new Date(oldest);
    return {
      backlogCount: count,
      backlogBytes: bytes,
      ...(oldestMessageTimestamp && { oldestMessageTimestamp }),
    };
  }

  /** Sets the alarm if messages wait without one, for example because the disk was full. */
  async wake(queue: string): Promise<void> {
    await this.#schedule(queue);
  }

  /** Delivers what is due. Retries by itself after a failure, because workerd gives up an alarm after six retries. */
  override async alarm(): Promise<void> {
    try {
      await this.#deliverDue();
      this.#failures = 0;
    } catch (error) {
      logError("a queue could not deliver its messages and will retry", error);
      const delayMs = Math.min(RETRY_MIN_MS * 2 ** this.#failures, RETRY_MAX_MS);
      this.#failures++;
      await this.ctx.storage.setAlarm(Date.now() + delayMs);
    }
  }

  async #deliverDue(): Promise<void> {
    const [first] = this.#select(1, Number.MAX_SAFE_INTEGER);
    if (first === undefined) return;
    const { max_batch_size: size } = this.#getConsumer(first.queue);
    for (;;) {
      const batch = this.#select(size, Date.now());
      if (batch.length === 0) break;
      await this.#deliver(first.queue, batch);
    }
    await this.#schedule(first.queue);
  }

  #select(count: number, dueAtMs: number): StoredMessage[] {
    return this.#sql
      .exec<StoredMessage>(
        "SELECT * FROM messages WHERE due_at <= ? ORDER BY due_at, id LIMIT ?",
        dueAtMs,
        count,
      )
      .toArray();
  }

  /** Sets the alarm for the next batch: at once if it is full, otherwise once its first message has waited. */
  async #schedule(queue: string): Promise<void> {
    const { max_batch_size: size, max_batch_timeout: timeoutSeconds } = this.#getConsumer(queue);
    const nowMs = Date.now();
    const { first, due } = this.#sql
      .exec<{ first: number | null; due: number }>(
        `SELECT (SELECT min(due_at) FROM messages) AS first,
                (SELECT count(*) FROM (SELECT 1 FROM messages WHERE due_at <= ? LIMIT ?)) AS due`,
        ...[nowMs, size],
      )
      .one();
    if (first === null) return;
    const atMs = due === size ? nowMs : first + timeoutSeconds * SECOND_MS;
    const current = await this.ctx.storage.getAlarm();
    if (current === null || atMs < current) await this.ctx.storage.setAlarm(atMs);
  }

  /** Passes a batch to the Worker's consumer, then deletes, delays or buries each message. */
  async #deliver(queue: string, rows: readonly StoredMessage[]): Promise<void> {
    const { max_retries: retriesMax, dead_letter_queue: deadQueue } = this.#getConsumer(queue);
    /** Delay until the next attempt, or null for a processed message. The first call for a message counts. */
    const outcomes = new Map<number, number | null>();
    const decide = (id: number, delay: number | null) => void (outcomes.has(id) || outcomes.set(id, delay));
    const toDelay = (options?: QueueRetryOptions) => (options?.delaySeconds ?? 0) * SECOND_MS;
    const messages = rows.map(({ id, body, sent_at, attempts }) => ({
      id: String(id),
      timestamp: new Date(sent_at),
      body: JSON.parse(body),
      attempts: attempts + 1,
      ack: () => decide(id, null),
      retry: (options?: QueueRetryOptions) => decide(id, toDelay(options)),
    }));
    const decideAll = (delay: number | null) => {
      for (const { id } of rows) decide(id, delay);
    };
    const batch = {
      queue,
      messages,
      ackAll: () => decideAll(null),
      retryAll: (options?: QueueRetryOptions) => decideAll(toDelay(options)),
    } as unknown as MessageBatch;
    const bindings = pauseCalls(useDurableQueues(this.env));
    await worker.queue(batch, bindings, this.ctx as unknown as ExecutionContext);

    const isDead = ({ id, attempts }: StoredMessage) =>
      typeof outcomes.get(id) === "number" && attempts >= retriesMax;
    const dead = rows.filter(isDead).map(({ body }) => ({ body, delayMs: 0 }));
    if (deadQueue !== undefined && dead.length > 0) {
      await this.env.QUEUES.getByName(deadQueue).push(deadQueue, dead);
    }
    for (const row of rows) {
      const delayMs = outcomes.get(row.id) ?? null;
      if (delayMs === null || isDead(row)) this.#sql.exec("DELETE FROM messages WHERE id = ?", row.id);
      else {
        this.#sql.exec(
          "UPDATE messages SET attempts = attempts + 1, due_at = ? WHERE id = ?",
          ...[Date.now() + delayMs, row.id],
        );
      }
    }
  }

  #getConsumer(queue: string): QueueConfig["consumers"][number] {
    const { consumers } = JSON.parse(this.env.QUEUE_CONFIG) as QueueConfig;
    const consumer = consumers.find((each) => each.queue === queue);
    if (consumer === undefined) throw new Error(`the queue ${queue} has no consumer`);
    return consumer;
  }
}

/** Returns the bindings with queues that survive a crash. Wraps each `env` object of an isolate once. */
export const useDurableQueues = memoizeByObject((env: Env & SelfHostBindings): Env => {
  const { producers } = JSON.parse(env.QUEUE_CONFIG) as QueueConfig;
  const queues = producers.map(({ binding, queue }) => [binding, openQueue(env.QUEUES, queue)]);
  return { ...env, ...Object.fromEntries(queues) } as Env;
});

/** Wakes all queues, so that none depends on its next message after a failure. */
export async function wakeQueues({ QUEUES, QUEUE_CONFIG }: SelfHostBindings): Promise<void> {
  const { consumers } = JSON.parse(QUEUE_CONFIG) as QueueConfig;
  const waking = consumers.map(({ queue }) => QUEUES.getByName(queue).wake(queue));
  for (const result of await Promise.allSettled(waking)) {
    if (result.status === "rejected") logError("a queue could not be woken", result.reason);
  }
}

/** Returns a queue binding whose sends return nothing. */
function openQueue(queues: SelfHostBindings["QUEUES"], name: string): Queue {
  const sendBatch = async (messages: Iterable<MessageSendRequest>, options?: QueueSendBatchOptions) => {
    const stored = [...messages].map(({ body, delaySeconds = options?.delaySeconds ?? 0 }) => ({
      body: JSON.stringify(body),
      delayMs: delaySeconds * SECOND_MS,
    }));
    await queues.getByName(name).push(name, stored);
  };
  const send = (body: unknown, options?: QueueSendOptions) => sendBatch([{ ...options, body }]);
  return { send, sendBatch, metrics: () => queues.getByName(name).metrics() } as unknown as Queue;
}
