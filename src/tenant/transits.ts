import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { type TransitState, tenants, transits } from "./tenant.table.ts";
import { ALL_WORKSPACES, formatPausedId } from "./webhook-pause.ts";

function inState(workspaceId: SQLWrapper, states: readonly TransitState[]): SQL {
  const all = sql.raw(`'${ALL_WORKSPACES}'`);
  return sql`exists (select 1 from ${transits} as transit
                      where transit.workspace_id in (${workspaceId}, ${all}, ${all} || ${workspaceId})
                        and transit.state in (${sql.raw(states.map((state) => `'${state}'`).join(", "))}))`;
}

/**
 * Returns the condition for workspaces whose rows on this shard only a move's own run may change. Sweeps skip
 * these workspaces.
 */
export function isLockedByMove(workspaceId: SQLWrapper): SQL {
  return inState(workspaceId, ["fenced", "arriving"]);
}

/** Returns the condition for workspaces whose webhooks are paused on this shard. */
export function isPaused(workspaceId: SQLWrapper): SQL {
  return inState(workspaceId, ["pausing", "fenced", "arriving"]);
}

/** Returns the condition that the webhooks of all workspaces on this shard are paused. */
export function isShardPaused(): SQL {
  return sql`exists (select 1 from ${transits} where ${transits.workspaceId} = ${ALL_WORKSPACES})`;
}

/** Returns the select of the numbers of workspaces on this shard whose webhooks are paused since their import. */
export function selectPausedNumbers(): SQL {
  return sql`select tenant.number from ${transits} as transit
    cross join ${tenants} as tenant on tenant.id = substr(transit.workspace_id, ${ALL_WORKSPACES.length + 1})`;
}

/** Returns true if this shard has a workspace whose rows only a move's own run may change. */
export async function hasLockedWorkspaces(d1: D1Database): Promise<boolean> {
  const found = await d1
    .prepare("SELECT 1 FROM transits WHERE state IN ('fenced', 'arriving') LIMIT 1")
    .first();
  return found !== null;
}

/**
 * Prepares the statement that starts a run of a move on a shard. Changes nothing if a later run has started;
 * {@link prepareGuard} then fails.
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

/** Part of the error message of a batch that {@link prepareGuard} rejected. */
export const OVERTAKEN_MESSAGE = "NOT NULL constraint failed: transits.workspace_id";

/** Prepares the statement that makes a run's batch fail once a later run has started on the shard. */
export function prepareGuard(d1: D1Database, workspaceId: string, epoch: number): D1PreparedStatement {
  return d1
    .prepare(
      `INSERT INTO transits (workspace_id, epoch, state)
       SELECT NULL, 0, '' WHERE NOT EXISTS (SELECT 1 FROM transits WHERE workspace_id = ?1 AND epoch = ?2)`,
    )
    .bind(workspaceId, epoch);
}

/** Prepares the statement that saves the progress of the copy to this shard. */
export function preparePosition(
  d1: D1Database,
  workspaceId: string,
  position: string | null,
): D1PreparedStatement {
  return d1.prepare("UPDATE transits SET position = ?2 WHERE workspace_id = ?1").bind(workspaceId, position);
}

/** Returns the progress of the copy to this shard, or null if the copy hasn't started. */
export function readPosition(d1: D1Database, workspaceId: string): Promise<string | null> {
  return d1
    .prepare("SELECT position FROM transits WHERE workspace_id = ?1")
    .bind(workspaceId)
    .first<string>("position");
}

/** Prepares the statement that replaces the transit row of an imported workspace, and keeps its webhooks paused. */
export function preparePause(d1: D1Database, workspaceId: string): D1PreparedStatement {
  return d1
    .prepare(
      "UPDATE transits SET workspace_id = ?2, state = 'pausing', epoch = 0, position = NULL WHERE workspace_id = ?1",
    )
    .bind(workspaceId, formatPausedId(workspaceId));
}

/** Prepares the statement that makes a workspace's webhooks on the target of a move paused if they are on its source. */
export async function prepareCopiedPause(
  source: D1Database,
  target: D1Database,
  workspaceId: string,
): Promise<D1PreparedStatement> {
  const id = formatPausedId(workspaceId);
  const paused = await source.prepare("SELECT 1 FROM transits WHERE workspace_id = ?1").bind(id).first();
  if (paused === null) return prepareEndOfPause(target, workspaceId);
  return target
    .prepare("INSERT OR IGNORE INTO transits (workspace_id, epoch, state) VALUES (?1, 0, 'pausing')")
    .bind(id);
}

/** Prepares the statement that ends the pause of a workspace's webhooks. Returns a row if they were paused. */
export function prepareEndOfPause(d1: D1Database, workspaceId: string): D1PreparedStatement {
  return d1
    .prepare("DELETE FROM transits WHERE workspace_id = ?1 RETURNING workspace_id")
    .bind(formatPausedId(workspaceId));
}

/** Lets the webhooks of an imported workspace send deliveries. Returns false if they weren't paused. */
export async function endPause(d1: D1Database, workspaceId: string): Promise<boolean> {
  return (await prepareEndOfPause(d1, workspaceId).first()) !== null;
}

/** Deletes the transit rows of a workspace that no longer exists. */
export async function removeTransit(d1: D1Database, workspaceId: string): Promise<void> {
  await d1
    .prepare("DELETE FROM transits WHERE workspace_id IN (?1, ?2)")
    .bind(workspaceId, formatPausedId(workspaceId))
    .run();
}

/** Deletes the transit row of a workspace after its move has ended. */
export async function forgetTransit(shard: Database, workspaceId: string): Promise<void> {
  await shard
    .delete(transits)
    .where(sql`${transits.workspaceId} = ${workspaceId} and ${transits.state} in ('left', 'settled')`);
}
