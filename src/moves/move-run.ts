import { formatCount } from "../core/format-count.ts";
import { logError } from "../core/log.ts";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { sleep } from "../core/timeout.ts";
import { type Database, openDatabase, openShard } from "../db/database.ts";
import { getShard } from "../db/shards.ts";
import type { TransitState } from "../tenant/tenant.table.ts";
import { prepareCopiedPause, prepareEndOfPause } from "../tenant/transits.ts";
import { hasTurns, wakeWorkspace } from "../webhooks/lane-turns.ts";
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

/** Durations of a move. */
export interface MoveTimes {
  /** Time after which a run that saved no progress is considered dead. */
  leaseMs: number;
  /**
   * Time after which a run leaves the rest to the next run. The last step, which blocks writes, is always
   * finished.
   */
  runMs: number;
  /**
   * Time for which the source keeps the rows after the switch, because caches and running requests may still
   * use them.
   */
  keepMs: number;
}

export const MOVE_TIMES: MoveTimes = {
  leaseMs: MINUTE_MS,
  runMs: 50 * SECOND_MS,
  keepMs: 3 * MINUTE_MS,
};

/**
 * Time after which the run stops if webhook turns (rounds of attempts) haven't ended. It must be longer than
 * the lease of a turn.
 */
const TURNS_MAX_MS = 40 * SECOND_MS;
const TURNS_POLL_MS = 100;
/** Interval at which a run saves its progress and extends its lease. */
const SAVE_MS = SECOND_MS;
/**
 * Maximum number of runs per move. The epoch of a run is the id of the move times this number, plus the
 * number of the run, so that later moves and runs have higher epochs.
 */
const RUNS_MAX = 2 ** 20;

/** Thrown to end a run early. The next run continues the move. */
export class EndRunError extends Error {}

/** Transit states of source and target in each phase. */
const STATES: Record<Exclude<MovePhase, "done">, [source: TransitState, target: TransitState]> = {
  wanted: ["leaving", "arriving"],
  copy: ["leaving", "arriving"],
  follow: ["leaving", "arriving"],
  fence: ["fenced", "arriving"],
  moved: ["fenced", "settled"],
};

/** One run of a move. Continues wherever the previous run ended, even between two statements. */
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

  /** Throws `MissingShardError`. */
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
   * Runs the remaining phases of the move. Doesn't wait until the source may be emptied; a later run empties
   * it. Throws {@link EndRunError}, `OvertakenError` and database errors.
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

  /** Unblocks writes if the run failed in the phase that blocks them. Never throws. */
  async unblockWrites(): Promise<void> {
    if (this.#phase !== "fence") return;
    try {
      await this.#unblockWritesIn("follow");
    } catch (error) {
      logError(`a move of workspace ${this.#workspace.id} pauses writes until its next run`, error);
    }
  }

  /**
   * Unblocks writes. Changes the phase first, because that fails if the target already serves the workspace.
   */
  async #unblockWritesIn(phase: MovePhase): Promise<void> {
    await this.#changePhase(phase);
    await this.#source.enter("leaving", ...dropFences(this.#workspace));
    await this.#wake(this.#move.fromShard);
  }

  async #changePhase(phase: MovePhase): Promise<void> {
    await savePhase(this.#directory, this.#move, this.#phase, phase);
    this.#phase = phase;
  }

  /** Deletes the rows that an earlier attempt left on the target. */
  async #prepare(): Promise<void> {
    await this.#target.deleteRows(() => this.#save("preparing"));
    await this.#target.run(this.#target.savePosition(null));
    await this.#source.run(prepareForgetting(this.#source.d1, this.#workspace));
    await this.#changePhase("copy");
  }

  /** Copies all rows, table by table. From here on, triggers record changes on the source. */
  async #copy(): Promise<void> {
    await this.#source.run(...createCaptures(this.#workspace));
    let position: CopyPosition | null = (await this.#target.readPosition()) ?? { table: 0, rows: {} };
    while (position !== null) {
      await this.#save(
        `copying ${MOVED_TABLES[position.table]?.name ?? ""}: ${formatCount(this.#rows, "row")} in this run`,
      );
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

  /** Replays the changes made during the copy, and waits until no webhook delivery is running. */
  async #follow(): Promise<void> {
    await this.#source.enter("leaving", ...dropFences(this.#workspace));
    while (await this.#replay()) await this.#save("replaying changes");
    // A turn that is still running when writes are blocked couldn't save its attempts, so they would be made
    // again.
    await this.#source.enter("pausing");
    const { db } = openShard(this.#env, this.#move.fromShard);
    const deadlineMs = Date.now() + TURNS_MAX_MS;
    while (await hasTurns(db, this.#workspace.id, Date.now())) {
      if (Date.now() > deadlineMs) throw new Error("webhook turns did not end in time");
      await sleep(TURNS_POLL_MS);
      while (await this.#replay());
      await this.#save("waiting for deliveries in progress", Number.POSITIVE_INFINITY);
    }
    while (await this.#replay()) await this.#save("replaying changes", Number.POSITIVE_INFINITY);
    await this.#changePhase("fence");
  }

  #replay(): Promise<boolean> {
    return replayChanges(this.#source.d1, this.#runOnTarget, this.#workspace, this.#epoch);
  }

  /** Blocks writes, copies the last changes, and makes the target serve the workspace. */
  async #switch(): Promise<void> {
    await this.#source.enter("fenced", ...createFences(this.#workspace));
    while (await this.#replay());
    const differences = await findDifferences(this.#source.d1, this.#target.d1, this.#workspace);
    if (differences.length > 0) {
      logError(
        `the copy of workspace ${this.#workspace.id} differs in ${differences.join(", ")}; it starts again`,
      );
      await this.#unblockWritesIn("wanted");
      throw new EndRunError();
    }
    const [{ d1: source }, { d1: target }] = [this.#source, this.#target];
    await this.#target.run(await prepareCopiedPause(source, target, this.#workspace.id));
    const nowMs = Date.now();
    await switchShard(this.#directory, this.#move, nowMs);
    this.#phase = "moved";
    this.#move.movedAt = nowMs;
    await this.#target.enter("settled");
  }

  /** Wakes the webhooks on the target. Empties the source once `keepMs` has passed. */
  async #finish(): Promise<void> {
    await this.#wake(this.#move.toShard);
    const emptiesAtMs = (this.#move.movedAt ?? 0) + this.#times.keepMs;
    if (Date.now() < emptiesAtMs) return;
    await this.#source.run(...openForDeletion(this.#workspace));
    await this.#source.deleteRows((table) =>
      this.#save(`deleting ${table} on shard ${this.#move.fromShard}`),
    );
    const { d1 } = this.#source;
    await this.#source.run(prepareForgetting(d1, this.#workspace), prepareEndOfPause(d1, this.#workspace.id));
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

  /** Saves the progress from time to time. Throws {@link EndRunError} when the run's time is up. */
  async #save(progress: string, endsAtMs = this.#endsAtMs): Promise<void> {
    const nowMs = Date.now();
    if (nowMs >= endsAtMs) throw new EndRunError();
    if (nowMs < this.#savedAtMs + SAVE_MS) return;
    this.#savedAtMs = nowMs;
    await saveProgress(this.#directory, this.#move, progress, nowMs + this.#times.leaseMs);
  }
}
