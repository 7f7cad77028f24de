import { and, eq, isNotNull, lte, sql } from "drizzle-orm";
import { logError } from "../core/log.ts";
import { splitBySize } from "../core/split.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import { inJson } from "../db/in-json.ts";
import { selectColumns } from "../db/select-columns.ts";
import { deadLetters } from "./dead-letters.directory.table.ts";
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
 * kind are stored, further messages stay in the queue. The exception is webhook deliveries: above that number
 * they are dropped, so that an endpoint that hangs can't fill the queue. Nothing is lost, because each
 * delivery is also a database row, which the cron finds when it is overdue.
 */
export async function keepDeadLetters(
  batch: MessageBatch<unknown>,
  kind: MessageKind,
  db: Database,
): Promise<void> {
  const rows = batch.messages.map(({ id, body, timestamp }) => ({
    id,
    body: JSON.stringify(body),
    failedAt: timestamp.getTime(),
  }));
  try {
    const ids = rows.map(({ id }) => id);
    const [, kept] = await db.batch([
      insertDeadLetters(db, kind, rows),
      db.select({ id: deadLetters.id }).from(deadLetters).where(inJson(deadLetters.id, ids)),
    ]);
    const keptIds = new Set(kept.map(({ id }) => id));
    for (const message of batch.messages) {
      if (keptIds.has(message.id) || kind === "deliveries") message.ack();
      else delayMessage(message);
    }
    if (keptIds.size < rows.length)
      logError(
        `${KEPT_MAX} dead letters of ${kind} are stored, which is the maximum; ${rows.length - keptIds.size} more were not stored`,
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
function insertDeadLetters(db: Database, kind: MessageKind, rows: readonly DeadLetter[]) {
  const stored = db.$count(deadLetters, eq(deadLetters.kind, kind));
  const values = {
    id: sql`value ->> '$.id'`,
    kind,
    body: sql`value ->> '$.body'`,
    failedAt: sql`value ->> '$.failedAt'`,
    replayAt: null,
  };
  const source = sql`from json_each(${JSON.stringify(rows)}) where ${stored} + ${rows.length} <= ${KEPT_MAX}`;
  return db
    .insert(deadLetters)
    .select(selectColumns(deadLetters, values, source))
    .onConflictDoNothing();
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
  db: Database,
  queues: Readonly<Record<MessageKind, Queue>>,
): Promise<void> {
  const endsAtMs = Date.now() + DURATION_MAX_MS;
  const replays = MESSAGE_KINDS.map((kind) => replayKind(db, kind, queues[kind], endsAtMs));
  const errors = (await Promise.allSettled(replays)).flatMap((result) =>
    result.status === "rejected" ? [result.reason] : [],
  );
  if (errors.length > 0) throw new AggregateError(errors, "a replay of dead letters failed");
}

async function replayKind(db: Database, kind: MessageKind, queue: Queue, endsAtMs: number): Promise<void> {
  for (let count = STEP_MESSAGES; count === STEP_MESSAGES && Date.now() < endsAtMs; ) {
    count = await replayStep(db, kind, queue);
  }
}

/** Replays up to {@link STEP_MESSAGES} dead letters of a kind. Returns their number. */
async function replayStep(db: Database, kind: MessageKind, queue: Queue): Promise<number> {
  const found = await db
    .select({ id: deadLetters.id, body: deadLetters.body })
    .from(deadLetters)
    .where(and(isNotNull(deadLetters.replayAt), eq(deadLetters.kind, kind)))
    .orderBy(deadLetters.replayAt, deadLetters.id)
    .limit(STEP_MESSAGES);
  const getBytes = ({ body }: { body: string }) => new TextEncoder().encode(body).byteLength;
  for (const letters of splitBySize(found, getBytes, SEND_MAX_BYTES)) {
    await queue.sendBatch(letters.map(({ body }) => ({ body: JSON.parse(body) })));
    const ids = letters.map(({ id }) => id);
    await db.delete(deadLetters).where(inJson(deadLetters.id, ids));
  }
  return found.length;
}

/** Deletes dead letters older than {@link RETENTION_MS}, in steps. Called by the cron. */
export async function sweepDeadLetters(db: Database, nowMs: number): Promise<void> {
  const endsAtMs = Date.now() + DURATION_MAX_MS;
  for (const kind of MESSAGE_KINDS) {
    const expired = and(eq(deadLetters.kind, kind), lte(deadLetters.failedAt, nowMs - RETENTION_MS));
    let count: number;
    do count = await deleteSome(db, deadLetters, [deadLetters.id], expired);
    while (count > 0 && Date.now() < endsAtMs);
  }
}

/** Counts the stored dead letters of each kind that has any, with the time of the oldest one. */
export function summarizeDeadLetters(
  db: Database,
): Promise<{ kind: MessageKind; count: number; oldestMs: number }[]> {
  return db
    .select({
      kind: deadLetters.kind,
      count: sql<number>`count(*)`,
      oldestMs: sql<number>`min(${deadLetters.failedAt})`,
    })
    .from(deadLetters)
    .groupBy(deadLetters.kind);
}
