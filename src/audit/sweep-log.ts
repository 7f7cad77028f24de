import { type SQL, sql } from "drizzle-orm";
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { formatUuidTime } from "../core/id.ts";
import { DAY_MS, MINUTE_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import type { EntryTable } from "./entry-columns.ts";

/** Retention of entries. */
export const KEPT_MS = 365 * DAY_MS;
/** Number of consecutive workspace numbers that one sweep covers. */
const NUMBERS_PER_SWEEP = 1_000;
const ROWS_PER_STEP = 500;
const STEPS_MAX = 10;

/** Table of the workspaces in a database, which have consecutive numbers. */
interface Owners {
  table: SQLiteTable & { id: AnySQLiteColumn; number: AnySQLiteColumn };
  /** Condition for workspaces to skip. */
  isLeftAlone: SQL;
}

/**
 * Deletes old entries of a log. The key of a log begins with the workspace, because an index by time would
 * cost a written row per change. Each sweep therefore covers a range of workspaces, and the sweep of the next
 * minute covers the next range.
 */
export async function sweepLog(
  db: Database,
  log: SQLiteTable & EntryTable,
  { table, isLeftAlone }: Owners,
  nowMs: number,
): Promise<void> {
  const oldestKeptId = formatUuidTime(nowMs - KEPT_MS);
  const turn = Math.floor(nowMs / MINUTE_MS);
  const ranges = sql`(select max(${table.number}) / ${sql.raw(String(NUMBERS_PER_SWEEP))} + 1 from ${table})`;
  const from = sql`cast(${turn} as integer) % ${ranges} * ${sql.raw(String(NUMBERS_PER_SWEEP))}`;
  const key = sql`${log.workspaceId}, ${log.id}`;
  const old = sql`select ${key} from ${table} cross join ${log} on ${log.workspaceId} = ${table.id}
                   where ${table.number} >= ${from} and ${table.number} < ${from} + ${sql.raw(String(NUMBERS_PER_SWEEP))}
                     and ${log.id} < ${oldestKeptId} and not ${isLeftAlone} limit ${ROWS_PER_STEP}`;
  for (let step = 0; step < STEPS_MAX; step++) {
    const deleted = await db.delete(log).where(sql`(${key}) in (${old})`).returning({ row: sql`1` });
    if (deleted.length < ROWS_PER_STEP) return;
  }
}
