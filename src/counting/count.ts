import { DAY_MS } from "../core/time.ts";
import type { Window } from "./window.ts";

/** Longer than any queue keeps a message. */
const REMEMBERED_MS = 15 * DAY_MS;
/** Before the second delivery; doubled for each further one. With 100 deliveries an outage may last eight hours. */
const RETRY_SECONDS = 5;
const RETRY_MAX_SECONDS = 300;

/**
 * Counts the windows of a queue batch in one transaction, and remembers them in the same: a window that is delivered
 * twice, in one batch or in two, counts once. The statements that `statementsFor` makes must leave out the windows
 * whose id is in `counted_windows` already; those are written after them. Answers with the results of the statements,
 * or with none if the queue is to deliver the batch again.
 */
export async function countBatch<Facts>(
  batch: MessageBatch<Window<Facts>>,
  d1: D1Database,
  nowMs: number,
  statementsFor: (
    windows: readonly Window<Facts>[],
  ) => readonly D1PreparedStatement[] | Promise<readonly D1PreparedStatement[]>,
): Promise<D1Result[]> {
  const windows = [...new Map(batch.messages.map(({ body }) => [body.id, body])).values()];
  try {
    const statements = await statementsFor(windows);
    const results = await d1.batch([...statements, rememberWindows(d1, windows, nowMs)]);
    batch.ackAll();
    return results.slice(0, statements.length);
  } catch (error) {
    console.error(`counting a batch of ${batch.queue} failed; the queue will deliver it again`, error);
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

/** How often a window holds the same, and when last. */
interface Tally<Subject> {
  windowId: string;
  subject: Subject;
  count: number;
  lastAtMs: number;
}

/** A tally for each group of the windows, to be added up by what it counts for: the subject, a part of its facts. */
export function tallyGroups<Facts, Subject>(
  windows: readonly Window<Facts>[],
  subjectOf: (facts: Facts) => Subject,
): Tally<Subject>[] {
  return windows.flatMap(({ id, groups }) =>
    groups.map(({ facts, timesMs }) => ({
      windowId: id,
      subject: subjectOf(facts),
      count: timesMs.length,
      lastAtMs: Math.max(...timesMs),
    })),
  );
}

/** Forgets windows that no queue can deliver again; called by the cron. */
export async function sweepCountedWindows(d1: D1Database, nowMs: number): Promise<void> {
  await d1
    .prepare("DELETE FROM counted_windows WHERE counted_at <= ?")
    .bind(nowMs - REMEMBERED_MS)
    .run();
}
