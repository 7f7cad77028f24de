import { logError } from "../core/log.ts";
import { splitBySize } from "../core/split.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { MESSAGE_KINDS, type MessageKind } from "./queue-name.ts";

/** Retention of dead letters. */
const RETENTION_MS = 14 * DAY_MS;
/** Maximum number of stored dead letters per kind. Further ones stay in their dead-letter queue. */
const KEPT_MAX = 10_000;
/**
 * Delay before the second delivery of messages that can't be stored. It doubles with each delivery, up to the
 * maximum. A hundred deliveries take 16 days, longer than the 14 days for which a queue keeps a message.
 */
const RETRY_MIN_MS = MINUTE_MS;
const RETRY_MAX_MS = 4 * HOUR_MS;

/** Maximum number of dead letters that are deleted in one step of a sweep. */
const STEP_ROWS = 1_000;
/**
 * Maximum number of messages read in one step of a replay, and maximum total size of messages sent together.
 * One `sendBatch` call takes 100 messages and 256 KB
 * (https://developers.cloudflare.com/queues/platform/limits/).
 */
const STEP_MESSAGES = 100;
const SEND_MAX_BYTES = 200_000;
/** Time after which a sweep or replay starts no further step. The next run continues. */
const DURATION_MAX_MS = 15 * SECOND_MS;

/**
 * Stores the messages of a dead-letter queue. While the database fails or {@link KEPT_MAX} messages of the
 * kind are stored, they stay in the queue. The exception is webhook deliveries: above that number they are
 * dropped, so that an endpoint that hangs can't fill the queue. Nothing is lost, because each delivery is
 * also a database row, which the cron finds when it is overdue.
 */
export async function keepDeadLetters(
  batch: MessageBatch<unknown>,
  kind: MessageKind,
  d1: D1Database,
): Promise<void> {
  const rows = batch.messages.map(({ id, body, timestamp }) => ({
    id,
    body: JSON.stringify(body),
    failedAt: timestamp.getTime(),
  }));
  try {
    const [, kept] = await d1.batch<{ id: string }>([
      insertDeadLetters(d1, kind, rows),
      selectDeadLetters(d1, rows),
    ]);
    const keptIds = new Set(kept?.results.map(({ id }) => id));
    for (const message of batch.messages) {
      if (keptIds.has(message.id) || kind === "deliveries") message.ack();
      else delayMessage(message);
    }
    if (keptIds.size < rows.length)
      logError(
        `${KEPT_MAX} dead letters of ${kind} are stored, which is the maximum; ${rows.length - keptIds.size} more were dropped`,
      );
  } catch (error) {
    logError(`dead letters of ${kind} could not be stored; they stay in their queue`, error);
    for (const message of batch.messages) delayMessage(message);
  }
}

/** Message of a dead-letter queue as it is stored. */
interface DeadLetter {
  id: string;
  body: string;
  failedAt: number;
}

/**
 * Returns the statement that inserts dead letters, unless there would be more than {@link KEPT_MAX} of their
 * kind.
 */
function insertDeadLetters(
  d1: D1Database,
  kind: MessageKind,
  rows: readonly DeadLetter[],
): D1PreparedStatement {
  return d1
    .prepare(
      `INSERT INTO dead_letters (id, kind, body, failed_at)
       SELECT value ->> '$.id', ?2, value ->> '$.body', value ->> '$.failedAt' FROM json_each(?1)
        WHERE (SELECT count(*) FROM dead_letters WHERE kind = ?2) + ?3 <= ?4
           ON CONFLICT DO NOTHING`,
    )
    .bind(JSON.stringify(rows), kind, rows.length, KEPT_MAX);
}

/** Returns the statement that selects the ids of the dead letters that are stored. */
function selectDeadLetters(d1: D1Database, rows: readonly DeadLetter[]): D1PreparedStatement {
  return d1
    .prepare("SELECT id FROM dead_letters WHERE id IN (SELECT value FROM json_each(?1))")
    .bind(JSON.stringify(rows.map(({ id }) => id)));
}

function delayMessage(message: Message<unknown>): void {
  const delayMs = Math.min(RETRY_MIN_MS * 2 ** (message.attempts - 1), RETRY_MAX_MS);
  message.retry({ delaySeconds: delayMs / SECOND_MS });
}

/**
 * Sends dead letters back to their queues if a replay was requested, in steps. Called by the cron. If a run
 * crashes between sending and deleting, the next run sends the messages again; all consumers tolerate
 * duplicates. If one queue rejects its messages, the others are still replayed.
 */
export async function replayDeadLetters(
  d1: D1Database,
  queues: Readonly<Record<MessageKind, Queue>>,
): Promise<void> {
  const endsAtMs = Date.now() + DURATION_MAX_MS;
  const replays = MESSAGE_KINDS.map((kind) => replayKind(d1, kind, queues[kind], endsAtMs));
  const errors = (await Promise.allSettled(replays)).flatMap((result) =>
    result.status === "rejected" ? [result.reason] : [],
  );
  if (errors.length > 0) throw new AggregateError(errors, "a replay of dead letters failed");
}

async function replayKind(d1: D1Database, kind: MessageKind, queue: Queue, endsAtMs: number): Promise<void> {
  for (let count = STEP_MESSAGES; count === STEP_MESSAGES && Date.now() < endsAtMs; ) {
    count = await replayStep(d1, kind, queue);
  }
}

/** Replays up to {@link STEP_MESSAGES} dead letters of a kind. Returns their number. */
async function replayStep(d1: D1Database, kind: MessageKind, queue: Queue): Promise<number> {
  const { results } = await d1
    .prepare(
      `SELECT id, body FROM dead_letters
        WHERE replay_at IS NOT NULL AND kind = ?1 ORDER BY replay_at, id LIMIT ${STEP_MESSAGES}`,
    )
    .bind(kind)
    .all<{ id: string; body: string }>();
  const getBytes = ({ body }: { body: string }) => new TextEncoder().encode(body).byteLength;
  for (const letters of splitBySize(results, getBytes, SEND_MAX_BYTES)) {
    await queue.sendBatch(letters.map(({ body }) => ({ body: JSON.parse(body) })));
    await d1
      .prepare("DELETE FROM dead_letters WHERE id IN (SELECT value FROM json_each(?1))")
      .bind(JSON.stringify(letters.map(({ id }) => id)))
      .run();
  }
  return results.length;
}

/** Deletes dead letters older than {@link RETENTION_MS}, in steps. Called by the cron. */
export async function sweepDeadLetters(d1: D1Database, nowMs: number): Promise<void> {
  const endsAtMs = Date.now() + DURATION_MAX_MS;
  for (const kind of MESSAGE_KINDS) {
    for (let changes = STEP_ROWS; changes >= STEP_ROWS && Date.now() < endsAtMs; ) {
      const { meta } = await d1
        .prepare(
          `DELETE FROM dead_letters WHERE id IN
             (SELECT id FROM dead_letters WHERE kind = ?1 AND failed_at <= ?2 ORDER BY failed_at LIMIT ${STEP_ROWS})`,
        )
        .bind(kind, nowMs - RETENTION_MS)
        .run();
      changes = Math.floor(meta.changes);
    }
  }
}
