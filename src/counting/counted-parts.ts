import { formatUuidTime } from "../core/id.ts";
import { DAY_MS } from "../core/time.ts";

/**
 * Ids of counted parts of windows. They are kept for longer than a window is accepted, so whether a window was counted
 * is known of each that is accepted.
 */

/**
 * Age up to which a window is counted: longer than it waits for the retries of its queue, then 14 days as a dead letter,
 * and for the retries of its replay. An older one may have been counted, and nothing would tell.
 */
export const WINDOW_AGE_MAX_MS = 15 * DAY_MS;
/** Age up to which the parts of counted windows are remembered. The difference covers clocks, and batches under way. */
export const PART_RETENTION_MS = WINDOW_AGE_MAX_MS + DAY_MS;
/** Maximum number of rows that a statement of the sweep deletes. */
const SWEEP_ROWS = 1_000;

/** Expressions that split the id of a part, an SQL expression, for the table `counted_buckets`. */
const selectBucket = (id: string) => `substr(${id}, 1, 8) || substr(${id}, 10, 1)`;
const selectShortId = (id: string) => `substr(${id}, 11, 3) || substr(${id}, 25, 12) || ' '`;
/** Length of a bucket's name, without the hyphen of the UUID. */
const BUCKET_LENGTH = 9;

/** Returns true for the id of a window that is too old to be counted. */
export function isTooOld(windowId: string, nowMs: number): boolean {
  return windowId < formatFirstCountable(nowMs);
}

/** Returns the text before which the ids of the windows are that are too old to be counted. */
export function formatFirstCountable(nowMs: number): string {
  return formatUuidTime(nowMs - WINDOW_AGE_MAX_MS);
}

/**
 * Returns the SQL condition for a part that has not been counted. `partId` is an SQL expression. The parts are
 * remembered by the last statement of their transaction, so it holds in every statement before.
 */
export function uncounted(partId: string): string {
  return `NOT EXISTS (SELECT 1 FROM counted_buckets
                       WHERE bucket = ${selectBucket(partId)} AND instr(ids, ${selectShortId(partId)}) > 0)`;
}

/** Part of the error with which {@link REFUSE_COUNTED} fails. */
const REMEMBERED = "NOT NULL constraint failed: counted_buckets.bucket";
/** Fails if one of the parts is counted, and writes nothing otherwise. */
const REFUSE_COUNTED = `
  INSERT INTO counted_buckets (bucket, ids)
  SELECT NULL, '' FROM json_each(?1) WHERE NOT ${uncounted("value")}`;
const REMEMBER = `
  INSERT INTO counted_buckets (bucket, ids)
  SELECT ${selectBucket("value")} AS four_seconds, group_concat(${selectShortId("value")}, '')
    FROM json_each(?1) WHERE true GROUP BY four_seconds
  ON CONFLICT (bucket) DO UPDATE SET ids = ids || excluded.ids`;

/**
 * Prepares the statements that remember parts. `ids` is a JSON array of their ids. If one is remembered already, their
 * transaction fails with an error that {@link isRemembered} recognizes.
 */
export function rememberParts(d1: D1Database, ids: string): D1PreparedStatement[] {
  return [REFUSE_COUNTED, REMEMBER].map((statement) => d1.prepare(statement).bind(ids));
}

/** Returns true if a transaction failed because one of its parts is counted already. */
export function isRemembered(error: unknown): boolean {
  return String(error).includes(REMEMBERED);
}

/** Returns those of the parts that have not been counted on a shard. */
export async function selectUncounted<Item extends { id: string }>(
  d1: D1Database,
  parts: readonly Item[],
): Promise<Item[]> {
  const { results } = await d1
    .prepare(`SELECT value AS id FROM json_each(?1) WHERE ${uncounted("value")}`)
    .bind(JSON.stringify(parts.map(({ id }) => id)))
    .all<{ id: string }>();
  const uncountedIds = new Set(results.map(({ id }) => id));
  return parts.filter(({ id }) => uncountedIds.has(id));
}

/**
 * Deletes buckets of parts older than {@link PART_RETENTION_MS}, in one bounded step; for the cron. Returns the number of
 * rows that D1 wrote.
 */
export async function sweepCountedParts(d1: D1Database, nowMs: number): Promise<number> {
  const oldest = formatUuidTime(nowMs - PART_RETENTION_MS)
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
