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

/**
 * Returns the SQL condition for a window that has not been counted. Every statement that counts windows filters by it,
 * so that a window that is delivered again adds nothing. `windowId` is an SQL expression.
 */
export function uncounted(windowId: string): string {
  return `${windowId} NOT IN (SELECT id FROM counted_windows)`;
}

/**
 * Counts the windows of a queue batch and remembers them, all in one transaction. A window that is delivered twice, in
 * one batch or in two, counts once: the statements that `buildStatements` returns filter by {@link uncounted} and run
 * before the windows are remembered. Returns the results of the statements, or an empty array if the transaction failed
 * and the queue will deliver the batch again.
 */
export async function countBatch<Facts>(
  batch: MessageBatch<Window<Facts>>,
  d1: D1Database,
  nowMs: number,
  buildStatements: (
    windows: readonly Window<Facts>[],
  ) => readonly D1PreparedStatement[] | Promise<readonly D1PreparedStatement[]>,
): Promise<D1Result[]> {
  const windows = [...new Map(batch.messages.map(({ body }) => [body.id, body])).values()];
  try {
    const statements = await buildStatements(windows);
    const results = await d1.batch([...statements, rememberWindows(d1, windows, nowMs)]);
    batch.ackAll();
    return results.slice(0, statements.length);
  } catch (error) {
    logError(`counting a batch of ${batch.queue} failed; the queue will deliver it again`, error);
    for (const message of batch.messages) {
      message.retry({
        delaySeconds: Math.min(RETRY_SECONDS * 2 ** (message.attempts - 1), RETRY_MAX_SECONDS),
      });
    }
    return [];
  }
}

function rememberWindows(
  d1: D1Database,
  windows: readonly Window<unknown>[],
  nowMs: number,
): D1PreparedStatement {
  return d1
    .prepare(
      `INSERT INTO counted_windows (id, counted_at)
       SELECT value, ?2 FROM json_each(?1) WHERE true ON CONFLICT DO NOTHING`,
    )
    .bind(JSON.stringify(windows.map(({ id }) => id)), nowMs);
}

/** Number of equal occurrences in a window, and the time of the last one. */
interface Tally<Subject> {
  windowId: string;
  subject: Subject;
  count: number;
  lastAtMs: number;
}

/** Returns a tally for each group of the windows. `pickSubject` picks the facts that the counts are added up by. */
export function tallyGroups<Facts, Subject>(
  windows: readonly Window<Facts>[],
  pickSubject: (facts: Facts) => Subject,
): Tally<Subject>[] {
  return windows.flatMap(({ id, groups }) =>
    groups.map(({ facts, timesMs }) => ({
      windowId: id,
      subject: pickSubject(facts),
      count: timesMs.length,
      lastAtMs: Math.max(...timesMs),
    })),
  );
}

/** Deletes windows older than {@link RETENTION_MS}; for the cron. */
export async function sweepCountedWindows(d1: D1Database, nowMs: number): Promise<void> {
  await d1
    .prepare("DELETE FROM counted_windows WHERE counted_at <= ?")
    .bind(nowMs - RETENTION_MS)
    .run();
}
