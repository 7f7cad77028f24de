import { logError } from "../core/log.ts";
import { SLICE_RETENTION_MS } from "../counting/counted-slices.ts";
import { type Database, openDatabase, openShard } from "../db/database.ts";
import { listShards } from "../db/shards.ts";
import { forgetTransit } from "../tenant/transits.ts";
import {
  type ClaimedMove,
  claimMove,
  listMoveShards,
  listOpenMoves,
  listPastMoves,
  OvertakenError,
  releaseMove,
  removeMoves,
  removePastMove,
} from "./move-list.ts";
import { EndRunError, MOVE_TIMES, MoveRun, type MoveTimes } from "./move-run.ts";

/** Maximum number of moves per run. */
const MOVES_PER_RUN = 20;

/**
 * Continues the moves requested with `workspace move`, one at a time. Called by the cron. Skips moves that
 * another run has claimed. If a move fails, the other moves still run, and the next run continues the failed
 * one.
 */
export async function moveWorkspaces(env: Env, times = MOVE_TIMES): Promise<void> {
  const directory = openDatabase(env.DIRECTORY);
  const endsAtMs = Date.now() + times.runMs;
  for (const id of await listOpenMoves(directory, Date.now(), MOVES_PER_RUN)) {
    const move = await claimMove(directory, id, Date.now(), times.leaseMs);
    if (move !== null) await runMove(env, directory, move, times);
    if (Date.now() >= endsAtMs) return;
  }
  await forgetPastMoves(env, directory);
}

/** Runs one move and releases it. Never throws. */
async function runMove(env: Env, directory: Database, move: ClaimedMove, times: MoveTimes): Promise<void> {
  let run: MoveRun | undefined;
  try {
    run = new MoveRun(env, move, times);
    await run.run();
  } catch (error) {
    if (error instanceof OvertakenError) return;
    if (!(error instanceof EndRunError)) {
      logError(`a move of workspace ${move.workspaceId} was interrupted; the next run continues it`, error);
      await run?.unblockWrites();
    }
  }
  try {
    await releaseMove(directory, move);
  } catch (error) {
    logError(`a move of workspace ${move.workspaceId} continues when its lease has expired`, error);
  }
}

/** Deletes finished moves once no scan message from before the move can be delivered again. */
async function forgetPastMoves(env: Env, directory: Database): Promise<void> {
  const past = await listPastMoves(directory, Date.now() - SLICE_RETENTION_MS, MOVES_PER_RUN);
  const shards = listShards(env);
  for (const { id, workspaceId, fromShard, toShard } of past) {
    try {
      for (const shard of [fromShard, toShard].filter((known) => shards.includes(known))) {
        await forgetTransit(openShard(env, shard).db, workspaceId);
      }
      await removePastMove(directory, id);
    } catch (error) {
      logError(`the past move ${id} was not deleted; a later run deletes it`, error);
    }
  }
}

/** Deletes the moves of a deleted workspace. Returns 0, because nothing is left. */
export async function eraseMoves(env: Env, directory: Database, workspaceId: string): Promise<number> {
  const shards = listShards(env);
  for (const shard of await listMoveShards(directory, workspaceId)) {
    if (shards.includes(shard)) await forgetTransit(openShard(env, shard).db, workspaceId);
  }
  await removeMoves(directory, workspaceId);
  return 0;
}
