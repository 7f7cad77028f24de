import { logError } from "../core/log.ts";
import { splitBySize } from "../core/split.ts";
import { isRemembered, rememberParts, selectUncounted } from "./counted-parts.ts";
import { countOccurrences, type OwnedFacts, type Part, type Place, type WindowPart } from "./parts.ts";

/** Maximum size of the parts in one transaction, as JSON. D1 accepts values of up to 2 MB. */
const STEP_BYTES_MAX = 1_000_000;
/**
 * Minimum size assumed per occurrence, because a consumer may write a row for each. It limits a step to
 * 10,000 occurrences.
 */
const OCCURRENCE_BYTES = 100;
/**
 * Number of consecutive single parts that may fail. After that, D1 is probably down, and the rest waits for
 * the next delivery.
 */
const ALONE_FAILURES_MAX = 3;

/** Functions that count parts on a shard. */
export interface ShardCounting<Facts extends OwnedFacts, Located extends Place> {
  /** Returns the database of a shard. */
  getShard(shard: number): D1Database;
  /**
   * Builds the statements that count parts on their shard. Called again if some of the parts have already
   * been counted.
   */
  buildStatements(
    d1: D1Database,
    parts: readonly Part<Facts, Located>[],
  ): readonly D1PreparedStatement[] | Promise<readonly D1PreparedStatement[]>;
  /** Called with the results of each transaction and the parts that it counted. Must not throw. */
  afterTransaction(
    d1: D1Database,
    results: readonly D1Result[],
    parts: readonly Part<Facts, Located>[],
  ): Promise<void>;
}

/** Counts the parts of one batch that belong to one shard. */
export class ShardCounter<Facts extends OwnedFacts, Located extends Place> {
  readonly shard: number;
  readonly results: D1Result[] = [];
  readonly #uncounted: Map<string, WindowPart<Facts, Located>>;
  readonly #queue: string;
  readonly #counting: ShardCounting<Facts, Located>;

  constructor(
    queue: string,
    shard: number,
    parts: readonly WindowPart<Facts, Located>[],
    counting: ShardCounting<Facts, Located>,
  ) {
    this.shard = shard;
    this.#uncounted = new Map(parts.map((part) => [part.id, part]));
    this.#queue = queue;
    this.#counting = counting;
  }

  /** Ids of the windows that have an uncounted part. */
  get uncountedWindows(): string[] {
    return [...this.#uncounted.values()].map(({ windowId }) => windowId);
  }

  /**
   * Counts the parts in steps. If a step fails and `isRepeated` is true (messages were delivered before),
   * counts its parts one by one, each in its own transaction.
   */
  async count(isRepeated: boolean): Promise<void> {
    for (const step of splitSteps([...this.#uncounted.values()])) await this.#countStep(step, isRepeated);
  }

  async #countStep(parts: readonly WindowPart<Facts, Located>[], isRepeated: boolean): Promise<void> {
    if (await this.#tryTransaction(parts)) return;
    if (!isRepeated || parts.length === 1) return;
    let failures = 0;
    for (const part of parts) {
      failures = (await this.#tryTransaction([part])) ? 0 : failures + 1;
      if (failures === ALONE_FAILURES_MAX) return;
    }
  }

  async #tryTransaction(parts: readonly WindowPart<Facts, Located>[]): Promise<boolean> {
    try {
      const held = await this.#runTransaction(parts);
      for (const part of parts) if (!held.includes(part)) this.#uncounted.delete(part.id);
      return true;
    } catch (error) {
      logError(`counting a batch of ${this.#queue} failed; the queue will deliver it again`, error);
      return false;
    }
  }

  /**
   * Counts parts in one transaction. Returns the parts whose workspaces started to leave the shard in the
   * meantime.
   */
  async #runTransaction(parts: readonly WindowPart<Facts, Located>[]): Promise<WindowPart<Facts, Located>[]> {
    const held: WindowPart<Facts, Located>[] = [];
    const d1 = this.#counting.getShard(this.shard);
    let rest = parts;
    while (rest.length > 0) {
      const ids = JSON.stringify(rest.map(({ id }) => id));
      const statements = [...(await this.#counting.buildStatements(d1, rest)), ...rememberParts(d1, ids)];
      try {
        const results = await d1.batch(statements);
        this.results.push(...results);
        await this.#counting.afterTransaction(d1, results, rest);
        return held;
      } catch (error) {
        if (isRemembered(error)) {
          rest = await selectUncounted(d1, rest);
        } else {
          const fenced = await selectFenced(d1, rest);
          if (fenced.length === 0) throw error;
          held.push(...fenced);
          rest = rest.filter((part) => !fenced.includes(part));
        }
      }
    }
    return held;
  }
}

/** Returns the parts of workspaces whose rows on a shard are locked by a move. */
async function selectFenced<Facts extends OwnedFacts, Item extends Part<Facts>>(
  d1: D1Database,
  parts: readonly Item[],
): Promise<Item[]> {
  const ownerOf = ({ groups }: Item) => groups[0]?.facts.workspaceId;
  const { results } = await d1
    .prepare(
      `SELECT workspace_id AS id FROM transits
        WHERE state = 'fenced' AND workspace_id IN (SELECT value FROM json_each(?1))`,
    )
    .bind(JSON.stringify([...new Set(parts.map(ownerOf))]))
    .all<{ id: string }>();
  const fenced = new Set(results.map(({ id }) => id));
  return parts.filter((part) => fenced.has(ownerOf(part) ?? ""));
}

/**
 * Splits parts into steps that one transaction can count. A part that is too large gets a step of its own.
 */
export function splitSteps<Item extends Pick<Part<unknown>, "groups">>(parts: readonly Item[]): Item[][] {
  const getSize = (part: Item) => {
    const bytes = new TextEncoder().encode(JSON.stringify(part)).byteLength;
    return Math.max(bytes, countOccurrences(part) * OCCURRENCE_BYTES);
  };
  return splitBySize(parts, getSize, STEP_BYTES_MAX);
}
