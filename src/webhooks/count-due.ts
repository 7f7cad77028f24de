import { sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { LANE_BITS } from "../tenant/tenant.table.ts";
import { isShardPaused, selectPausedNumbers } from "../tenant/transits.ts";
import { eventDeliveries } from "./webhooks.table.ts";

/** Maximum number of waiting deliveries that are read, so that a backlog doesn't make the count slow. */
const READ_MAX = 10_000;

/**
 * Counts deliveries of a shard whose next attempt is due, among the first {@link READ_MAX} that wait. Leaves out
 * deliveries of workspaces whose webhooks are paused, because they wait for an administrator.
 */
export async function countDue(
  db: Database,
  nowMs: number,
): Promise<{ count: number; oldestMs: number | null }> {
  const { lane, nextAttemptAt } = eventDeliveries;
  const waiting = sql`select ${nextAttemptAt} as due_at from ${eventDeliveries}
    where ${nextAttemptAt} is not null and not ${isShardPaused()}
      and ${lane} >> ${LANE_BITS} not in (${selectPausedNumbers()}) limit ${READ_MAX}`;
  const row = await db.get<{ count: number; oldestMs: number | null }>(
    sql`select count(*) as count, min(due_at) as "oldestMs" from (${waiting}) where due_at <= ${nowMs}`,
  );
  return row ?? { count: 0, oldestMs: null };
}
