import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { ApiError } from "../core/error.ts";
import { SECOND_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { MOVING } from "./moving.ts";
import { type TransitState, transits } from "./tenant.table.ts";

const RETRY_AFTER_MS = 2 * SECOND_MS;
const CAUSES_MAX = 5;

/** Returns true if a statement failed because its workspace is leaving the shard. Drizzle keeps D1's error as `cause`. */
export function isMoving(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < CAUSES_MAX && cause instanceof Error; depth++) {
    // The message of Drizzle's error holds parameters, which any caller may have chosen.
    if (!("params" in cause) && cause.message.includes(MOVING)) return true;
    cause = cause.cause;
  }
  return false;
}

/** Returns the error for a change of a workspace that is on its way to another shard. */
export function createMovingError(): ApiError {
  return new ApiError(
    "WORKSPACE_MOVING",
    "The workspace is being moved to another database. Nothing was changed. Retry in a few seconds.",
    { headers: { "Retry-After": String(RETRY_AFTER_MS / SECOND_MS) } },
  );
}

function inState(workspaceId: SQLWrapper, states: readonly TransitState[]): SQL {
  return sql`exists (select 1 from ${transits} as transit
                      where transit.workspace_id = ${workspaceId}
                        and transit.state in (${sql.raw(states.map((state) => `'${state}'`).join(", "))}))`;
}

/** Returns the condition for workspaces whose rows on this shard only the mover changes. Sweeps leave them alone. */
export function isResting(workspaceId: SQLWrapper): SQL {
  return inState(workspaceId, ["fenced", "arriving"]);
}

/** Returns the condition for workspaces whose webhooks take no turn on this shard. */
export function isPaused(workspaceId: SQLWrapper): SQL {
  return inState(workspaceId, ["pausing", "fenced", "arriving"]);
}

/** Returns true if rows of a workspace on this shard are left to a mover. */
export async function hasResting(d1: D1Database): Promise<boolean> {
  const found = await d1
    .prepare("SELECT 1 FROM transits WHERE state IN ('fenced', 'arriving') LIMIT 1")
    .first();
  return found !== null;
}

/**
 * Prepares the statement that enters a run of a mover on a shard. It changes nothing if a later run has entered, which
 * {@link prepareGuard} then refuses.
 */
export function prepareTransit(
  d1: D1Database,
  workspaceId: string,
  epoch: number,
  state: TransitState,
): D1PreparedStatement {
  return d1
    .prepare(
      `INSERT INTO transits (workspace_id, epoch, state) VALUES (?1, ?2, ?3)
       ON CONFLICT (workspace_id) DO UPDATE SET epoch = excluded.epoch, state = excluded.state
        WHERE excluded.epoch >= epoch`,
    )
    .bind(workspaceId, epoch, state);
}

/** Part of the error of a batch of a run after which a later one has entered the shard. */
export const OVERTAKEN = "NOT NULL constraint failed: transits.workspace_id";

/** Prepares the statement that makes the batch of a run fail once a later run has entered the shard. */
export function prepareGuard(d1: D1Database, workspaceId: string, epoch: number): D1PreparedStatement {
  return d1
    .prepare(
      `INSERT INTO transits (workspace_id, epoch, state)
       SELECT NULL, 0, '' WHERE NOT EXISTS (SELECT 1 FROM transits WHERE workspace_id = ?1 AND epoch = ?2)`,
    )
    .bind(workspaceId, epoch);
}

/** Prepares the statement that saves the position of the copy to this shard. */
export function preparePosition(
  d1: D1Database,
  workspaceId: string,
  position: string | null,
): D1PreparedStatement {
  return d1.prepare("UPDATE transits SET position = ?2 WHERE workspace_id = ?1").bind(workspaceId, position);
}

/** Returns the position of the copy to this shard, or null before its start. */
export function readPosition(d1: D1Database, workspaceId: string): Promise<string | null> {
  return d1
    .prepare("SELECT position FROM transits WHERE workspace_id = ?1")
    .bind(workspaceId)
    .first<string>("position");
}

/** Forgets the moves of a workspace from and to a shard, once they are long over. */
export async function forgetTransit(shard: Database, workspaceId: string): Promise<void> {
  await shard
    .delete(transits)
    .where(sql`${transits.workspaceId} = ${workspaceId} and ${transits.state} in ('left', 'settled')`);
}
