import type { TransitState } from "../tenant/tenant.table.ts";
import {
  OVERTAKEN_MESSAGE,
  prepareGuard,
  preparePosition,
  prepareTransit,
  readPosition,
} from "../tenant/transits.ts";
import { OvertakenError } from "./move-list.ts";
import { MOVED_TABLES } from "./moved-tables.ts";
import type { MovingWorkspace } from "./row-sql.ts";
import { prepareDeletion, splitKeys } from "./sync-rows.ts";
import { type Position, walkRows } from "./walk-rows.ts";

/** Position of a copy: the table, and the position among its rows. */
export interface CopyPosition {
  /** Index in the list of moved tables, or the length of the list when all tables have been copied. */
  table: number;
  rows: Position;
}

/** One of the two shards of a move, with the statements that a run executes on it. */
export class ShardRun {
  readonly d1: D1Database;
  readonly #workspace: MovingWorkspace;
  readonly #epoch: number;

  constructor(d1: D1Database, workspace: MovingWorkspace, epoch: number) {
    this.d1 = d1;
    this.#workspace = workspace;
    this.#epoch = epoch;
  }

  /**
   * Claims the shard for this run, or changes its transit state. After that, earlier runs can no longer write
   * to the shard.
   */
  async enter(state: TransitState, ...statements: string[]): Promise<void> {
    const { id } = this.#workspace;
    await this.#runBatch([
      prepareTransit(this.d1, id, this.#epoch, state),
      prepareGuard(this.d1, id, this.#epoch),
      ...statements.map((statement) => this.d1.prepare(statement)),
    ]);
  }

  /**
   * Runs statements in one transaction. Throws {@link OvertakenError} if a later run has claimed the shard.
   */
  async run(...statements: (string | D1PreparedStatement)[]): Promise<void> {
    await this.#runBatch([
      prepareGuard(this.d1, this.#workspace.id, this.#epoch),
      ...statements.map((statement) =>
        typeof statement === "string" ? this.d1.prepare(statement) : statement,
      ),
    ]);
  }

  async #runBatch(statements: D1PreparedStatement[]): Promise<void> {
    try {
      await this.d1.batch(statements);
    } catch (error) {
      if (String(error).includes(OVERTAKEN_MESSAGE)) throw new OvertakenError();
      throw error;
    }
  }

  /** Returns the position of the copy to this shard, or null if the copy hasn't started. */
  async readPosition(): Promise<CopyPosition | null> {
    const text = await readPosition(this.d1, this.#workspace.id);
    return text === null ? null : (JSON.parse(text) as CopyPosition);
  }

  /** Prepares the statement that saves the position of the copy to this shard. */
  savePosition(position: CopyPosition | null): D1PreparedStatement {
    return preparePosition(this.d1, this.#workspace.id, position === null ? null : JSON.stringify(position));
  }

  /** Deletes all rows of the workspace in steps. `onStep` is called after each step with the table's name. */
  async deleteRows(onStep: (table: string) => Promise<void>): Promise<void> {
    for (const table of MOVED_TABLES.toReversed()) {
      let position: Position | null = {};
      while (position !== null) {
        const { keys, next } = await walkRows(this.d1, table, this.#workspace, position);
        for (const step of splitKeys(keys)) await this.run(prepareDeletion(this.d1, table, step));
        position = next;
        await onStep(table.name);
      }
    }
  }
}
