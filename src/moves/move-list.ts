import { and, asc, eq, lt, lte, ne, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { setShard } from "../tenant/workspace-shard.ts";
import { workspaces } from "../tenant/workspaces.directory.table.ts";
import type { MovePhase } from "./move-phase.ts";
import { workspaceMoves } from "./moves.directory.table.ts";

/** Moves in the directory. If a later run has started, writes by an earlier run are rejected. */

/** Thrown when a later run has replaced this one. */
export class OvertakenError extends Error {}

/** Move that a run has claimed. */
export interface ClaimedMove {
  id: number;
  workspaceId: string;
  /** Number of the workspace. */
  number: number;
  fromShard: number;
  toShard: number;
  phase: MovePhase;
  /** Number of this run. */
  runs: number;
  movedAt: number | null;
}

/** Returns the ids of unfinished moves that no run has claimed, oldest first, at most `limit`. */
export async function listOpenMoves(directory: Database, nowMs: number, limit: number): Promise<number[]> {
  const rows = await directory
    .select({ id: workspaceMoves.id })
    .from(workspaceMoves)
    .where(and(sql`${workspaceMoves.phase} <> 'done'`, lte(workspaceMoves.leaseUntil, nowMs)))
    .orderBy(asc(workspaceMoves.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Starts a run of a move. Returns null if another run has claimed the move. */
export async function claimMove(
  directory: Database,
  id: number,
  nowMs: number,
  leaseMs: number,
): Promise<ClaimedMove | null> {
  const [claimed] = await directory
    .update(workspaceMoves)
    .set({ runs: sql`${workspaceMoves.runs} + 1`, leaseUntil: nowMs + leaseMs })
    .where(
      and(eq(workspaceMoves.id, id), ne(workspaceMoves.phase, "done"), lte(workspaceMoves.leaseUntil, nowMs)),
    )
    .returning({
      id: workspaceMoves.id,
      workspaceId: workspaceMoves.workspaceId,
      number: sql<number>`(select number from ${workspaces} where id = ${workspaceMoves.workspaceId})`,
      fromShard: workspaceMoves.fromShard,
      toShard: workspaceMoves.toShard,
      phase: workspaceMoves.phase,
      runs: workspaceMoves.runs,
      movedAt: workspaceMoves.movedAt,
    });
  return claimed ?? null;
}

function moveByRun({ id, runs }: ClaimedMove) {
  return and(eq(workspaceMoves.id, id), eq(workspaceMoves.runs, runs));
}

/** Saves the progress of a run and extends its lease. Throws {@link OvertakenError}. */
export async function saveProgress(
  directory: Database,
  move: ClaimedMove,
  progress: string,
  leaseUntil: number,
): Promise<void> {
  const saved = await directory
    .update(workspaceMoves)
    .set({ progress, leaseUntil })
    .where(moveByRun(move))
    .returning({ id: workspaceMoves.id });
  if (saved.length === 0) throw new OvertakenError();
}

/** Changes the phase of a move. Throws {@link OvertakenError}. */
export async function savePhase(
  directory: Database,
  move: ClaimedMove,
  from: MovePhase,
  to: MovePhase,
): Promise<void> {
  const saved = await directory
    .update(workspaceMoves)
    .set({ phase: to, progress: "" })
    .where(and(moveByRun(move), eq(workspaceMoves.phase, from)))
    .returning({ id: workspaceMoves.id });
  if (saved.length === 0) throw new OvertakenError();
}

/**
 * Makes the target shard serve the workspace, after writes have been blocked. Throws {@link OvertakenError}.
 */
export async function switchShard(directory: Database, move: ClaimedMove, nowMs: number): Promise<void> {
  const isFenced = and(moveByRun(move), eq(workspaceMoves.phase, "fence"));
  const [, switched] = await directory.batch([
    setShard(
      directory,
      move.workspaceId,
      move.toShard,
      sql`exists (select 1 from ${workspaceMoves} where ${isFenced})`,
    ),
    directory
      .update(workspaceMoves)
      .set({ phase: "moved", movedAt: nowMs, progress: "" })
      .where(isFenced)
      .returning({ id: workspaceMoves.id }),
  ]);
  if (switched.length === 0) throw new OvertakenError();
}

/** Ends a run, so that the next one can start immediately. */
export async function releaseMove(directory: Database, move: ClaimedMove): Promise<void> {
  await directory.update(workspaceMoves).set({ leaseUntil: 0 }).where(moveByRun(move));
}

/** Returns finished moves whose workspace was switched to the target before a time, at most `limit`. */
export function listPastMoves(directory: Database, movedBefore: number, limit: number) {
  return directory
    .select({
      id: workspaceMoves.id,
      workspaceId: workspaceMoves.workspaceId,
      fromShard: workspaceMoves.fromShard,
      toShard: workspaceMoves.toShard,
    })
    .from(workspaceMoves)
    .where(and(eq(workspaceMoves.phase, "done"), lt(workspaceMoves.movedAt, movedBefore)))
    .limit(limit);
}

/** Deletes a finished move. */
export async function removePastMove(directory: Database, id: number): Promise<void> {
  await directory
    .delete(workspaceMoves)
    .where(and(eq(workspaceMoves.id, id), eq(workspaceMoves.phase, "done")));
}

/** Returns the shards that a deleted workspace was moved from or to. */
export async function listMoveShards(directory: Database, workspaceId: string): Promise<number[]> {
  const moves = await directory
    .select({ from: workspaceMoves.fromShard, to: workspaceMoves.toShard })
    .from(workspaceMoves)
    .where(eq(workspaceMoves.workspaceId, workspaceId));
  return [...new Set(moves.flatMap(({ from, to }) => [from, to]))];
}

/** Deletes the moves of a deleted workspace. */
export async function removeMoves(directory: Database, workspaceId: string): Promise<void> {
  await directory.delete(workspaceMoves).where(eq(workspaceMoves.workspaceId, workspaceId));
}
