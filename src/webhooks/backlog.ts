import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { ApiError } from "../core/error.ts";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { isCheckViolation } from "../db/constraint.ts";
import type { Database } from "../db/database.ts";
import { deliveryBacklogs } from "./webhooks.table.ts";

/** Time after which a client should retry a rejected change. */
const RETRY_AFTER_MS = MINUTE_MS;

/** Maximum number of waiting deliveries, by workspace id. */
export type WaitingCaps = ReadonlyMap<string, number>;

/** Returns the SQL expression for a workspace's maximum number of waiting deliveries. */
export function selectWaitingCap(caps: WaitingCaps, workspaceId: SQL): SQL {
  return sql`(select cap.value from json_each(${JSON.stringify(Object.fromEntries(caps))}) as cap
               where cap.key = ${workspaceId})`;
}

/** Returns the SQL expression for how many more deliveries of a workspace may wait. It is never negative. */
export function selectRoom(caps: WaitingCaps, workspaceId: SQL): SQL {
  const waiting = sql`(select ${deliveryBacklogs.waiting} from ${deliveryBacklogs}
                        where ${deliveryBacklogs.workspaceId} = ${workspaceId})`;
  return sql`max(0, ${selectWaitingCap(caps, workspaceId)} - coalesce(${waiting}, 0))`;
}

/**
 * Returns the statement that adds to the workspaces' numbers of waiting deliveries. `amounts` selects rows of
 * workspace id, amount and cap. If a cap is exceeded, the whole batch fails with an error that
 * {@link explainBacklog} recognises.
 */
export function takeWaiting(db: Database, amounts: SQL) {
  return db
    .insert(deliveryBacklogs)
    .select(sql`select amount.*, '[]', 0, 0 from (${amounts}) as amount where true`)
    .onConflictDoUpdate({
      target: deliveryBacklogs.workspaceId,
      set: { waiting: sql`${deliveryBacklogs.waiting} + excluded.waiting`, cap: sql`excluded.cap` },
    });
}

/**
 * Returns the statement that subtracts from a workspace's number of waiting deliveries. It writes no row if
 * `amount` is 0.
 */
export function releaseWaiting(db: Database, workspaceId: string, amount: SQL) {
  return db
    .update(deliveryBacklogs)
    .set({ waiting: sql`${deliveryBacklogs.waiting} - ${amount}` })
    .where(and(eq(deliveryBacklogs.workspaceId, workspaceId), gt(amount, 0)));
}

/**
 * Returns a `DELIVERY_BACKLOG` error if {@link takeWaiting} made a batch fail, otherwise the original error.
 */
export function explainBacklog(error: unknown): unknown {
  if (!isCheckViolation(error, "delivery_backlog")) return error;
  return new ApiError(
    "DELIVERY_BACKLOG",
    "The workspace has too many pending webhook deliveries. Fix or disable the endpoints that reject them.",
    { headers: { "Retry-After": String(RETRY_AFTER_MS / SECOND_MS) } },
  );
}
