import { logError } from "../core/log.ts";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { sleep } from "../core/timeout.ts";
import { type Database, openDatabase, openShard } from "../db/database.ts";
import { getShard } from "../db/shards.ts";
import type { TransitState } from "../tenant/tenant.table.ts";
import { hasTurns, wakeWorkspace } from "../webhooks/lane-pauses.ts";
import { prepareForgetting, replayChanges } from "./changed-rows.ts";
import { findDifferences } from "./compare-shards.ts";
import { type ClaimedMove, savePhase, saveProgress, switchShard } from "./move-list.ts";
import type { MovePhase } from "./move-phase.ts";
import { createCaptures, createFences, dropFences, openForDeletion } from "./move-triggers.ts";
import { MOVED_TABLES } from "./moved-tables.ts";
import type { MovingWorkspace } from "./row-sql.ts";
import { type CopyPosition, ShardRun } from "./shard-run.ts";
import { type RunOnTarget, syncRows } from "./sync-rows.ts";
import { walkRows } from "./walk-rows.ts";

/** Times of a move in milliseconds. */
export interface MoveTimes {
  /** Time after which a run that saved nothing counts as dead. */
  leaseMs: number;
  /** Time after which a run leaves the rest to the next one. The last step, which holds up writes, is always finished. */
  runMs: number;
  /** Time for which the source keeps the rows after the switch: caches and requests under way may still name it. */
  keepMs: number;
}

export const MOVE_TIMES: MoveTimes = {
  leaseMs: MINUTE_MS,
  runMs: 50 * SECOND_MS,
  keepMs: 3 * MINUTE_MS,
};

/** Time after which turns of webhooks that have not ended stop the run: longer than their lease. */
const TURNS_MAX_MS = 40 * SECOND_MS;
const TURNS_POLL_MS = 100;
/** Interval at which a run saves its progress and prolongs its lease. */
const SAVE_MS = SECOND_MS;
/** Factor between the numbers of the runs of one move and of the next, on the shards. */
const RUNS_MAX = 2 ** 20;

/** Error that ends a run whose time is up. */
export class TimeUpError extends Error {}

/** States of source and target while a run is in a phase. */
const STATES: Record<Exclude<MovePhase, "done">, [source: TransitState, target: TransitState]> = {
  wanted: ["leaving", "arriving"],
  copy: ["leaving", "arriving"],
  follow: ["leaving", "arriving"],
  fence: ["fenced", "arriving"],
  moved: ["fenced", "settled"],
};

/** One run of a move. It goes on where the last one ended, at whatever statement that was. */
export class MoveRun {
  readonly #env: Env;
  readonly #directory: Database;
  readonly #move: ClaimedMove;
  readonly #times: MoveTimes;
  readonly #workspace: MovingWorkspace;
  readonly #epoch: number;
  readonly #source: ShardRun;
  readonly #target: ShardRun;
  readonly #endsAtMs: number;
  #phase: MovePhase;
  #savedAtMs = 0;
  #rows = 0;

  /** Throws a `MissingShardError`. */
  constructor(env: Env, move: ClaimedMove, times: MoveTimes) {
    this.#env = env;
    this.#directory = openDatabase(env.DIRECTORY);
    this.#move = move;
    this.#times = times;
    this.#workspace = { id: move.workspaceId, number: move.number };
    this.#epoch = move.id * RUNS_MAX + move.runs;
    this.#source = new ShardRun(getShard(env, move.fromShard), this.#workspace, this.#epoch);
    this.#target = new ShardRun(getShard(env, move.toShard), this.#workspace, this.#epoch);
    this.#endsAtMs = Date.now() + times.runMs;
    this.#phase = move.phase;
  }

  /**
   * Makes what is left of the move, up to the time after which the source is emptied. Throws a {@link TimeUpError} or
   * `OvertakenError`, or what the databases throw.
   */
  async run(): Promise<void> {
    if (this.#phase === "done") return;
    const [source, target] = STATES[this.#phase];
    await this.#source.enter(source);
    await this.#target.enter(target);
    if (this.#phase === "wanted") await this.#prepare();
    if (this.#phase === "copy") await this.#copy();
    if (this.#phase === "follow") await this.#follow();
    if (this.#phase === "fence") await this.#switch();
    if (this.#phase === "moved") await this.#finish();
  }

  /** Lets changes through again if the run failed in the step that holds them up. Never throws. */
  async lift(): Promise<void> {
    if (this.#phase !== "fence") return;
    try {
      await this.#liftTo("follow");
    } catch (error) {
      logError(`a move of workspace ${this.#workspace.id} holds up writes until its next run`, error);
    }
  }

  /** Ends the fence. The phase is changed first: it tells whether the switch was committed although its run failed. */
  async #liftTo(phase: MovePhase): Promise<void> {
    await this.#changePhase(phase);
    await this.#source.enter("leaving", ...dropFences(this.#workspace));
    await this.#wake(this.#move.fromShard);
  }

  async #changePhase(phase: MovePhase): Promise<void> {
    await savePhase(this.#directory, this.#move, this.#phase, phase);
    this.#phase = phase;
  }

  /** Removes what an earlier attempt left on the target. */
  async #prepare(): Promise<void> {
    await this.#target.deleteRows(() => this.#save("preparing"));
    await this.#target.run(this.#target.savePosition(null));
    await this.#source.run(prepareForgetting(this.#source.d1, this.#workspace));
    await this.#changePhase("copy");
  }

  /** Copies all rows, table by table. What changes from now on is noted. */
  async #copy(): Promise<void> {
    await this.#source.run(...createCaptures(this.#workspace));
    let position: CopyPosition | null = (await this.#target.readPosition()) ?? { table: 0, rows: {} };
    while (position !== null) {
      await this.#save(`copying ${MOVED_TABLES[position.table]?.name ?? ""}: ${this.#rows} rows in this run`);
      position = await this.#copyStep(position);
    }
    await this.#changePhase("follow");
  }

  async #copyStep({ table: index, rows }: CopyPosition): Promise<CopyPosition | null> {
    const table = MOVED_TABLES[index];
    if (table === undefined) return null;
    const { keys, next } = await walkRows(this.#source.d1, table, this.#workspace, rows);
    await syncRows(this.#source.d1, this.#runOnTarget, table, keys);
    this.#rows += keys.length;
    const position = next === null ? { table: index + 1, rows: {} } : { table: index, rows: next };
    if (keys.length > 0) await this.#target.run(this.#target.savePosition(position));
    return position;
  }

  readonly #runOnTarget: RunOnTarget = (prepare) => this.#target.run(...prepare(this.#target.d1));

  /** Replays what changed during the copy, and waits until no delivery of a webhook is under way. */
  async #follow(): Promise<void> {
    await this.#source.enter("leaving", ...dropFences(this.#workspace));
    while (await this.#replay()) await this.#save("replaying changes");
    // A turn that was under way in the fence could not write its attempts, and they would be made again.
    await this.#source.enter("pausing");
    const { db } = openShard(this.#env, this.#move.fromShard);
    const deadlineMs = Date.now() + TURNS_MAX_MS;
    while (await hasTurns(db, this.#workspace.id, Date.now())) {
      if (Date.now() > deadlineMs) throw new Error("turns of webhooks did not end in time");
      await sleep(TURNS_POLL_MS);
      while (await this.#replay());
      await this.#save("waiting for deliveries under way", Number.POSITIVE_INFINITY);
    }
    while (await this.#replay()) await this.#save("replaying changes", Number.POSITIVE_INFINITY);
    await this.#changePhase("fence");
  }

  #replay(): Promise<boolean> {
    return replayChanges(this.#source.d1, this.#runOnTarget, this.#workspace, this.#epoch);
  }

  /** Holds up changes, brings over the last ones, and lets the target serve the workspace. */
  async #switch(): Promise<void> {
    await this.#source.enter("fenced", ...createFences(this.#workspace));
    while (await this.#replay());
    const differences = await findDifferences(this.#source.d1, this.#target.d1, this.#workspace);
    if (differences.length > 0) {
      logError(
        `the copy of workspace ${this.#workspace.id} differs in ${differences.join(", ")}; it begins anew`,
      );
      await this.#liftTo("wanted");
      throw new TimeUpError();
    }
    const nowMs = Date.now();
    await switchShard(this.#directory, this.#move, nowMs);
    this.#phase = "moved";
    this.#move.movedAt = nowMs;
    await this.#target.enter("settled");
  }

  /** Wakes the webhooks on the target. Empties the source once nothing names it any more. */
  async #finish(): Promise<void> {
    await this.#wake(this.#move.toShard);
    const emptiesAtMs = (this.#move.movedAt ?? 0) + this.#times.keepMs;
    if (Date.now() < emptiesAtMs) return;
    await this.#source.run(...openForDeletion(this.#workspace));
    await this.#source.deleteRows((table) =>
      this.#save(`deleting ${table} on shard ${this.#move.fromShard}`),
    );
    await this.#source.run(prepareForgetting(this.#source.d1, this.#workspace));
    await this.#source.enter("left", ...dropFences(this.#workspace));
    await this.#changePhase("done");
  }

  #wake(shard: number): Promise<void> {
    return wakeWorkspace(
      openShard(this.#env, shard),
      this.#env.DELIVERY_QUEUE,
      this.#workspace.id,
      Date.now(),
    );
  }

  /** Saves the progress now and then. Throws a {@link TimeUpError} after the end of the run. */
  async #save(progress: string, endsAtMs = this.#endsAtMs): Promise<void> {
    const nowMs = Date.now();
    if (nowMs >= endsAtMs) throw new TimeUpError();
    if (nowMs < this.#savedAtMs + SAVE_MS) return;
    this.#savedAtMs = nowMs;
    await saveProgress(this.#directory, this.#move, progress, nowMs + this.#times.leaseMs);
  }
}
