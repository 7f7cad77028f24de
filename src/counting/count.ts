import { formatUuidTime, isUuid } from "../core/id.ts";
import { logError } from "../core/log.ts";
import { DAY_MS } from "../core/time.ts";
import type { Window } from "./window.ts";

/**
 * Time that counted windows are remembered: longer than a window can wait, which is for the retries of its queue and
 * then 14 days as a dead letter.
 */
const RETENTION_MS = 15 * DAY_MS;
/** Delay before the second delivery of a batch; it doubles with each further one. 100 deliveries span eight hours. */
const RETRY_SECONDS = 5;
const RETRY_MAX_SECONDS = 300;
/** Maximum size of the windows that one transaction counts, as JSON. D1 takes values of up to 2 MB. */
const STEP_BYTES_MAX = 1_000_000;
/** Delivery from which windows are counted one by one, so that one that cannot be counted does not stop the others. */
const ALONE_FROM_ATTEMPT = 3;
/** Number of single windows that fail in a row before the rest is left to the next delivery: D1 is down. */
const ALONE_FAILURES_MAX = 3;
/** Maximum number of rows that a statement of the sweep deletes. */
const SWEEP_ROWS = 1_000;

/** Expressions that split the id of a window, an SQL expression, for the table `counted_buckets`. */
const selectBucket = (id: string) => `substr(${id}, 1, 8) || substr(${id}, 10, 1)`;
const selectShortId = (id: string) => `substr(${id}, 11, 3) || substr(${id}, 25, 12) || ' '`;
/** Length of a bucket's name, without the hyphen of the UUID. */
const BUCKET_LENGTH = 9;

/**
 * Returns the SQL condition for a window that has not been counted. `windowId` is an SQL expression. The windows are
 * remembered by the last statement of their transaction, so it holds in every statement before.
 */
export function uncounted(windowId: string): string {
  return `NOT EXISTS (SELECT 1 FROM counted_buckets
                       WHERE bucket = ${selectBucket(windowId)} AND instr(ids, ${selectShortId(windowId)}) > 0)`;
}

/** Rules by which {@link countBatch} counts windows. */
interface Counting<Facts> {
  /** Returns true for facts that can be counted. A message with others stays in the queue. */
  isCountable(facts: Facts): boolean;
  /** Builds the statements that count windows. Called again if some of them turn out to be counted already. */
  buildStatements(
    windows: readonly Window<Facts>[],
  ): readonly D1PreparedStatement[] | Promise<readonly D1PreparedStatement[]>;
  /** Called with the results of each transaction and the windows that it counted. Must not throw. */
  afterTransaction(results: readonly D1Result[], windows: readonly Window<Facts>[]): Promise<void>;
}

/**
 * Counts the windows of a queue batch and remembers them, in transactions of at most {@link STEP_BYTES_MAX}. A window
 * that is delivered twice, in one batch or in two, counts once: a transaction with a window that is remembered fails as
 * a whole, and is repeated without that window. Returns the results of the statements. Messages that could not be
 * counted are retried by the queue, and stop no others.
 */
export async function countBatch<Facts>(
  batch: MessageBatch<Window<Facts>>,
  d1: D1Database,
  counting: Counting<Facts>,
): Promise<D1Result[]> {
  const counter = new BatchCounter(batch.queue, d1, counting);
  const messages = batch.messages.filter(
    ({ body }) => isWindow(body) && body.groups.every(({ facts }) => counting.isCountable(facts)),
  );
  if (messages.length < batch.messages.length) logError(`a message of ${batch.queue} is no window of facts`);
  const windows = new Map(messages.map(({ body }) => [body.id, body]));
  const isRepeated = messages.some(({ attempts }) => attempts >= ALONE_FROM_ATTEMPT);
  for (const step of splitSteps([...windows.values()])) await counter.count(step, isRepeated);
  for (const message of batch.messages) {
    if (messages.includes(message) && counter.counted.has(message.body.id)) continue;
    const delaySeconds = Math.min(RETRY_SECONDS * 2 ** (message.attempts - 1), RETRY_MAX_SECONDS);
    message.retry({ delaySeconds });
  }
  // Messages that asked for a retry are not acknowledged by this.
  if (counter.counted.size > 0) batch.ackAll();
  return counter.results;
}

/** Counts the steps of one batch. */
class BatchCounter<Facts> {
  /** Ids of the windows that are counted. */
  readonly counted = new Set<string>();
  readonly results: D1Result[] = [];
  readonly #queue: string;
  readonly #d1: D1Database;
  readonly #counting: Counting<Facts>;

  constructor(queue: string, d1: D1Database, counting: Counting<Facts>) {
    this.#queue = queue;
    this.#d1 = d1;
    this.#counting = counting;
  }

  /** Counts windows in one transaction; if that fails and they were delivered before, each in its own. */
  async count(windows: readonly Window<Facts>[], isRepeated: boolean): Promise<void> {
    if (await this.#tryTransaction(windows)) return;
    if (!isRepeated || windows.length === 1) return;
    let failures = 0;
    for (const window of windows) {
      failures = (await this.#tryTransaction([window])) ? 0 : failures + 1;
      if (failures === ALONE_FAILURES_MAX) return;
    }
  }

  async #tryTransaction(windows: readonly Window<Facts>[]): Promise<boolean> {
    try {
      await this.#runTransaction(windows);
      for (const { id } of windows) this.counted.add(id);
      return true;
    } catch (error) {
      logError(`counting a batch of ${this.#queue} failed; the queue will deliver it again`, error);
      return false;
    }
  }

  async #runTransaction(windows: readonly Window<Facts>[]): Promise<void> {
    let rest = windows;
    while (rest.length > 0) {
      const ids = JSON.stringify(rest.map(({ id }) => id));
      const statements = [...(await this.#counting.buildStatements(rest)), ...rememberWindows(this.#d1, ids)];
      try {
        const results = await this.#d1.batch(statements);
        this.results.push(...results);
        await this.#counting.afterTransaction(results, rest);
        return;
      } catch (error) {
        if (!String(error).includes(REMEMBERED)) throw error;
        rest = await selectUncounted(this.#d1, rest, ids);
      }
    }
  }
}

/** Part of the error with which {@link REFUSE_COUNTED} fails. */
const REMEMBERED = "NOT NULL constraint failed: counted_buckets.bucket";
/** Fails if one of the windows is counted, and writes nothing otherwise. */
const REFUSE_COUNTED = `
  INSERT INTO counted_buckets (bucket, ids)
  SELECT NULL, '' FROM json_each(?1) WHERE NOT ${uncounted("value")}`;
const REMEMBER = `
  INSERT INTO counted_buckets (bucket, ids)
  SELECT ${selectBucket("value")} AS four_seconds, group_concat(${selectShortId("value")}, '')
    FROM json_each(?1) WHERE true GROUP BY four_seconds
  ON CONFLICT (bucket) DO UPDATE SET ids = ids || excluded.ids`;

function rememberWindows(d1: D1Database, ids: string): D1PreparedStatement[] {
  return [REFUSE_COUNTED, REMEMBER].map((statement) => d1.prepare(statement).bind(ids));
}

async function selectUncounted<Facts>(
  d1: D1Database,
  windows: readonly Window<Facts>[],
  ids: string,
): Promise<Window<Facts>[]> {
  const { results } = await d1
    .prepare(`SELECT value AS id FROM json_each(?1) WHERE ${uncounted("value")}`)
    .bind(ids)
    .all<{ id: string }>();
  const uncountedIds = new Set(results.map(({ id }) => id));
  return windows.filter(({ id }) => uncountedIds.has(id));
}

function splitSteps<Facts>(windows: readonly Window<Facts>[]): Window<Facts>[][] {
  const steps: Window<Facts>[][] = [];
  let bytesLeft = 0;
  for (const window of windows) {
    const bytes = new TextEncoder().encode(JSON.stringify(window)).byteLength;
    if (bytes > bytesLeft || steps.length === 0) {
      steps.push([]);
      bytesLeft = STEP_BYTES_MAX;
    }
    bytesLeft -= bytes;
    steps.at(-1)?.push(window);
  }
  return steps;
}

/** Returns true for a body that has the form of a window. A message of another form stays in the queue. */
function isWindow(body: Partial<Window<unknown>> | null | undefined): boolean {
  return (
    typeof body?.id === "string" &&
    isUuid(body.id) &&
    Array.isArray(body.groups) &&
    body.groups.every(
      (group) =>
        typeof group?.facts === "object" &&
        group.facts !== null &&
        Array.isArray(group.timesMs) &&
        group.timesMs.length > 0 &&
        group.timesMs.every((timeMs) => Number.isSafeInteger(timeMs) && timeMs >= 0),
    )
  );
}

/**
 * Deletes buckets of windows older than {@link RETENTION_MS}, in one bounded step; for the cron. Returns the number of
 * rows that D1 wrote.
 */
export async function sweepCountedWindows(d1: D1Database, nowMs: number): Promise<number> {
  const oldest = formatUuidTime(nowMs - RETENTION_MS)
    .replace("-", "")
    .slice(0, BUCKET_LENGTH);
  const { meta } = await d1
    .prepare(
      `DELETE FROM counted_buckets
        WHERE bucket IN (SELECT bucket FROM counted_buckets WHERE bucket < ?1 ORDER BY bucket LIMIT ${SWEEP_ROWS})`,
    )
    .bind(oldest)
    .run();
  return meta.rows_written;
}
