import { sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { eventDeliveries } from "./webhooks.table.ts";

/** Maximum number of waiting deliveries that are read, so that a backlog doesn't make the count slow. */
const READ_MAX = 10_000;

/** Counts deliveries of a shard whose next attempt is due, among the first {@link READ_MAX} that wait. */
export async function countDue(
  db: Database,
  nowMs: number,
): Promise<{ count: number; oldestMs: number | null }> {
  const { nextAttemptAt } = eventDeliveries;
  const waiting = sql`select ${nextAttemptAt} as due_at from ${eventDeliveries}
    where ${nextAttemptAt} is not null limit ${READ_MAX}`;
  const row = await db.get<{ count: number; oldestMs: number | null }>(
    sql`select count(*) as count, min(due_at) as "oldestMs" from (${waiting}) where due_at <= ${nowMs}`,
  );
  return row ?? { count: 0, oldestMs: null };
}
