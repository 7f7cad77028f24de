import { formatUuidTime } from "../core/id.ts";
import { DAY_MS } from "../core/time.ts";

/**
 * Remembers the ids of counted slices (the occurrences of one workspace in a window). They are kept for
 * longer than windows are accepted, so it is always known whether an accepted window was counted before.
 */

/**
 * Maximum age of a window that is still counted. It covers the retries of the queue, 14 days as a dead
 * letter, and the retries after a replay. An older window might have been counted before, with no way to find
 * out.
 */
export const WINDOW_AGE_MAX_MS = 15 * DAY_MS;
/**
 * Time for which ids of counted slices are remembered. The extra day covers clock differences and running
 * batches.
 */
export const SLICE_RETENTION_MS = WINDOW_AGE_MAX_MS + DAY_MS;
/** Maximum number of rows that one statement of the sweep deletes. */
const SWEEP_ROWS = 1_000;

/**
 * SQL expressions that split the id of a slice for the table `counted_buckets`. `id` is an SQL expression.
 */
const selectBucket = (id: string) => `substr(${id}, 1, 8) || substr(${id}, 10, 1)`;
const selectShortId = (id: string) => `substr(${id}, 11, 3) || substr(${id}, 25, 12) || ' '`;
/** Length of a bucket's key, which doesn't contain the hyphen of the UUID. */
const BUCKET_LENGTH = 9;

/** Returns true if a window is too old to be counted. Its id contains its time. */
export function isTooOld(windowId: string, nowMs: number): boolean {
  return windowId < formatFirstCountable(nowMs);
}

/** Returns the lower bound for ids of windows that are still counted. */
export function formatFirstCountable(nowMs: number): string {
  return formatUuidTime(nowMs - WINDOW_AGE_MAX_MS);
}

/**
 * Returns the SQL condition that a slice has not been counted. `sliceId` is an SQL expression. The last
 * statement of a transaction remembers its slices, so the condition holds in all statements before it.
 */
export function uncounted(sliceId: string): string {
  return `NOT EXISTS (SELECT 1 FROM counted_buckets
                       WHERE bucket = ${selectBucket(sliceId)} AND instr(ids, ${selectShortId(sliceId)}) > 0)`;
}

/** Part of the error message when {@link REFUSE_COUNTED} fails. */
const ALREADY_COUNTED = "NOT NULL constraint failed: counted_buckets.bucket";
/** Statement that fails if one of the slices has been counted, and otherwise writes nothing. */
const REFUSE_COUNTED = `
  INSERT INTO counted_buckets (bucket, ids)
  SELECT NULL, '' FROM json_each(?1) WHERE NOT ${uncounted("value")}`;
const REMEMBER = `
  INSERT INTO counted_buckets (bucket, ids)
  SELECT ${selectBucket("value")} AS four_seconds, group_concat(${selectShortId("value")}, '')
    FROM json_each(?1) WHERE true GROUP BY four_seconds
  ON CONFLICT (bucket) DO UPDATE SET ids = ids || excluded.ids`;

/**
 * Prepares the statements that remember slices. `ids` is a JSON array of their ids. If a slice is already
 * remembered, the transaction fails with an error that {@link isAlreadyCounted} recognises.
 */
export function rememberSlices(d1: D1Database, ids: string): D1PreparedStatement[] {
  return [REFUSE_COUNTED, REMEMBER].map((statement) => d1.prepare(statement).bind(ids));
}

/** Returns true if a transaction failed because one of its slices has already been counted. */
export function isAlreadyCounted(error: unknown): boolean {
  return String(error).includes(ALREADY_COUNTED);
}

/** Returns the slices that have not been counted on a shard. */
export async function selectUncounted<Item extends { id: string }>(
  d1: D1Database,
  slices: readonly Item[],
): Promise<Item[]> {
  const { results } = await d1
    .prepare(`SELECT value AS id FROM json_each(?1) WHERE ${uncounted("value")}`)
    .bind(JSON.stringify(slices.map(({ id }) => id)))
    .all<{ id: string }>();
  const uncountedIds = new Set(results.map(({ id }) => id));
  return slices.filter(({ id }) => uncountedIds.has(id));
}

/**
 * Deletes ids of slices older than {@link SLICE_RETENTION_MS}, in one bounded step. Called by the cron.
 * Returns the number of rows that D1 wrote.
 */
export async function sweepCountedSlices(d1: D1Database, nowMs: number): Promise<number> {
  const oldest = formatUuidTime(nowMs - SLICE_RETENTION_MS)
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
