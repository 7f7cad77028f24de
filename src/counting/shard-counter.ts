import { logError } from "../core/log.ts";
import { splitBySize } from "../core/split.ts";
import { isAlreadyCounted, rememberSlices, selectUncounted } from "./counted-slices.ts";
import {
  countOccurrences,
  type Location,
  type OwnedFacts,
  type WindowSlice,
  type WorkspaceSlice,
} from "./slices.ts";

/** Maximum size of the slices in one transaction, as JSON. D1 accepts values of up to 2 MB. */
const STEP_BYTES_MAX = 1_000_000;
/**
 * Minimum size assumed per occurrence, because a consumer may write a row for each. It limits a step to
 * 10,000 occurrences.
 */
const OCCURRENCE_BYTES = 100;
/**
 * Number of consecutive failures of single slices after which the rest waits for the next delivery, because
 * D1 is probably down.
 */
const ALONE_FAILURES_MAX = 3;

/** Functions that count slices on a shard. */
export interface ShardCounting<Facts extends OwnedFacts, Located extends Location> {
  /** Returns the database of a shard. */
  getShard(shard: number): D1Database;
  /**
   * Builds the statements that count slices on their shard. Called again if some of the slices have already
   * been counted.
   */
  buildStatements(
    d1: D1Database,
    slices: readonly WorkspaceSlice<Facts, Located>[],
  ): readonly D1PreparedStatement[] | Promise<readonly D1PreparedStatement[]>;
  /** Called with the results of each transaction and the slices that it counted. Must not throw. */
  afterTransaction(
    d1: D1Database,
    results: readonly D1Result[],
    slices: readonly WorkspaceSlice<Facts, Located>[],
  ): Promise<void>;
}

/** Counts the slices of one batch that belong to one shard. */
export class ShardCounter<Facts extends OwnedFacts, Located extends Location> {
  readonly shard: number;
  readonly results: D1Result[] = [];
  readonly #uncounted: Map<string, WindowSlice<Facts, Located>>;
  readonly #queue: string;
  readonly #counting: ShardCounting<Facts, Located>;

  constructor(
    queue: string,
    shard: number,
    slices: readonly WindowSlice<Facts, Located>[],
    counting: ShardCounting<Facts, Located>,
  ) {
    this.shard = shard;
    this.#uncounted = new Map(slices.map((slice) => [slice.id, slice]));
    this.#queue = queue;
    this.#counting = counting;
  }

  /** Ids of the windows that have an uncounted slice. */
  get uncountedWindows(): string[] {
    return [...this.#uncounted.values()].map(({ windowId }) => windowId);
  }

  /**
   * Counts the slices in steps. If a step fails and `isRepeated` is true (messages were delivered before),
   * counts its slices one by one, each in its own transaction.
   */
  async count(isRepeated: boolean): Promise<void> {
    for (const step of splitSteps([...this.#uncounted.values()])) await this.#countStep(step, isRepeated);
  }

  async #countStep(slices: readonly WindowSlice<Facts, Located>[], isRepeated: boolean): Promise<void> {
    if (await this.#tryTransaction(slices)) return;
    if (!isRepeated || slices.length === 1) return;
    let failures = 0;
    for (const slice of slices) {
      failures = (await this.#tryTransaction([slice])) ? 0 : failures + 1;
      if (failures === ALONE_FAILURES_MAX) return;
    }
  }

  async #tryTransaction(slices: readonly WindowSlice<Facts, Located>[]): Promise<boolean> {
    try {
      const held = await this.#runTransaction(slices);
      for (const slice of slices) if (!held.includes(slice)) this.#uncounted.delete(slice.id);
      return true;
    } catch (error) {
      logError(`counting a batch of ${this.#queue} failed; the queue will deliver it again`, error);
      return false;
    }
  }

  /**
   * Counts slices in one transaction. Returns the slices whose workspaces started to leave the shard in the
   * meantime.
   */
  async #runTransaction(
    slices: readonly WindowSlice<Facts, Located>[],
  ): Promise<WindowSlice<Facts, Located>[]> {
    const held: WindowSlice<Facts, Located>[] = [];
    const d1 = this.#counting.getShard(this.shard);
    let rest = slices;
    while (rest.length > 0) {
      const ids = JSON.stringify(rest.map(({ id }) => id));
      const statements = [...(await this.#counting.buildStatements(d1, rest)), ...rememberSlices(d1, ids)];
      try {
        const results = await d1.batch(statements);
        this.results.push(...results);
        await this.#counting.afterTransaction(d1, results, rest);
        return held;
      } catch (error) {
        if (isAlreadyCounted(error)) {
          rest = await selectUncounted(d1, rest);
        } else {
          const fenced = await selectFenced(d1, rest);
          if (fenced.length === 0) throw error;
          held.push(...fenced);
          rest = rest.filter((slice) => !fenced.includes(slice));
        }
      }
    }
    return held;
  }
}

/** Returns the slices of workspaces whose rows on a shard are locked by a move. */
async function selectFenced<Facts extends OwnedFacts, Item extends WorkspaceSlice<Facts>>(
  d1: D1Database,
  slices: readonly Item[],
): Promise<Item[]> {
  const ownerOf = ({ groups }: Item) => groups[0]?.facts.workspaceId;
  const { results } = await d1
    .prepare(
      `SELECT workspace_id AS id FROM transits
        WHERE state = 'fenced' AND workspace_id IN (SELECT value FROM json_each(?1))`,
    )
    .bind(JSON.stringify([...new Set(slices.map(ownerOf))]))
    .all<{ id: string }>();
  const fenced = new Set(results.map(({ id }) => id));
  return slices.filter((slice) => fenced.has(ownerOf(slice) ?? ""));
}

/**
 * Splits slices into steps that one transaction can count. A slice that is too large gets a step of its own.
 */
export function splitSteps<Item extends Pick<WorkspaceSlice<unknown>, "groups">>(
  slices: readonly Item[],
): Item[][] {
  const getSize = (slice: Item) => {
    const bytes = new TextEncoder().encode(JSON.stringify(slice)).byteLength;
    return Math.max(bytes, countOccurrences(slice) * OCCURRENCE_BYTES);
  };
  return splitBySize(slices, getSize, STEP_BYTES_MAX);
}
