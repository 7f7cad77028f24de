import { and, inArray, lt, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { DAY_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";

/** Time for which changes are kept. Longer than needed, because feeds older than an hour start over. */
const CHANGES_MS = DAY_MS;
const ROWS_PER_STEP = 500;
const STEPS_MAX = 20;

/**
 * Deletes old rows of a change log, except the last row. Reads only the oldest rows in the order of their
 * numbers, so no index by time is needed.
 */
export async function sweepOldest(
  db: Database,
  table: SQLiteTable & { seq: SQLiteColumn },
  nowMs: number,
): Promise<void> {
  const oldest = sql`(select seq from (select seq, changed_at from ${table} order by seq limit ${ROWS_PER_STEP})
                       where changed_at < ${nowMs - CHANGES_MS})`;
  const isNotLast = lt(table.seq, sql`(select max(seq) from ${table})`);
  for (let step = 0; step < STEPS_MAX; step++) {
    const deleted = await db
      .delete(table)
      .where(and(inArray(table.seq, oldest), isNotLast))
      .returning({ seq: table.seq });
    if (deleted.length < ROWS_PER_STEP) return;
  }
}
