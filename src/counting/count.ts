import { formatUuidTime, isUuid } from "../core/id.ts";
import { logError } from "../core/log.ts";
import { DAY_MS, MINUTE_MS } from "../core/time.ts";
import type { Group, Window } from "./window.ts";

/**
 * Time that counted windows are remembered: longer than a window can wait, which is for the retries of its queue and
 * then 14 days as a dead letter.
 */
export const PART_RETENTION_MS = 15 * DAY_MS;
/** Delay before the second delivery of a batch; it doubles with each further one. 100 deliveries span eight hours. */
const RETRY_SECONDS = 5;
const RETRY_MAX_SECONDS = 300;
/** Maximum size of the parts that one transaction counts, as JSON. D1 takes values of up to 2 MB. */
const STEP_BYTES_MAX = 1_000_000;
/** Delivery from which parts are counted one by one, so that one that cannot be counted does not stop the others. */
const ALONE_FROM_ATTEMPT = 3;
/** Number of single parts that fail in a row before the rest is left to the next delivery: D1 is down. */
const ALONE_FAILURES_MAX = 3;
/** Maximum number of shards that a batch is counted on at a time; an invocation has six connections. */
const SHARDS_AT_ONCE = 4;
/** Hexadecimal digits of a UUID after its last hyphen. All of them are random in a UUIDv7. */
const NODE_DIGITS = 12;
/** Maximum number of rows that a statement of the sweep deletes. */
const SWEEP_ROWS = 1_000;

/** Expressions that split the id of a part, an SQL expression, for the table `counted_buckets`. */
const selectBucket = (id: string) => `substr(${id}, 1, 8) || substr(${id}, 10, 1)`;
const selectShortId = (id: string) => `substr(${id}, 11, 3) || substr(${id}, 25, 12) || ' '`;
/** Length of a bucket's name, without the hyphen of the UUID. */
const BUCKET_LENGTH = 9;

/**
 * Returns the SQL condition for a part that has not been counted. `partId` is an SQL expression. The parts are
 * remembered by the last statement of their transaction, so it holds in every statement before.
 */
export function uncounted(partId: string): string {
  return `NOT EXISTS (SELECT 1 FROM counted_buckets
                       WHERE bucket = ${selectBucket(partId)} AND instr(ids, ${selectShortId(partId)}) > 0)`;
}

/** Tolerance for clocks that differ between a window and a move. */
const CLOCKS_MS = MINUTE_MS;

/** Where a workspace is kept. */
interface Place {
  shard: number;
  /** True while nothing of the workspace may change. Its parts are counted at a later delivery. */
  isMoving?: boolean;
  /** Shards that counted its parts before it moved, each with the time of the move. */
  formerShards?: readonly { shard: number; untilMs: number }[];
}

/** Facts that name their workspace. */
interface OwnedFacts {
  workspaceId: string;
}

/**
 * Occurrences of one workspace in a window. A window may span workspaces of several shards; a part is on one, and is
 * counted there once.
 */
export interface Part<Facts, Located extends Place = Place> {
  /** Id of the window, changed by that of the workspace. */
  id: string;
  place: Located;
  groups: Group<Facts>[];
}

/** Rules by which {@link countBatch} counts parts. */
interface Counting<Facts extends OwnedFacts, Located extends Place> {
  /** Returns true for facts that can be counted. A message with others stays in the queue. */
  isCountable(facts: Facts): boolean;
  /** Returns the places of those of the workspaces that exist. What belongs to another is not counted. */
  findPlaces(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, Located>>;
  /** Returns the database of a shard. */
  getShard(shard: number): D1Database;
  /** Builds the statements that count parts on their shard. Called again if some of them turn out to be counted already. */
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

/** Results of the statements that counted parts on a shard. */
export interface ShardResults {
  shard: number;
  results: D1Result[];
}

/**
 * Counts the windows of a queue batch and remembers them: on each shard its parts, in transactions of at most
 * {@link STEP_BYTES_MAX}. A part that is delivered twice, in one batch or in two, counts once: a transaction with a part
 * that is remembered fails as a whole, and is repeated without that part. Returns the results of the statements.
 * Messages that could not be counted wholly are retried by the queue, and stop no others; nor does a shard that fails.
 */
export async function countBatch<Facts extends OwnedFacts, Located extends Place>(
  batch: MessageBatch<Window<Facts>>,
  counting: Counting<Facts, Located>,
): Promise<ShardResults[]> {
  const messages = batch.messages.filter(
    ({ body }) => isWindow(body) && body.groups.every(({ facts }) => counting.isCountable(facts)),
  );
  if (messages.length < batch.messages.length) logError(`a message of ${batch.queue} is no window of facts`);
  const windows = new Map(messages.map(({ body }) => [body.id, body]));
  const isRepeated = messages.some(({ attempts }) => attempts >= ALONE_FROM_ATTEMPT);
  const parts = await locateParts(batch.queue, [...windows.values()], counting);
  const { countable, waiting } = await findCountable(batch.queue, parts ?? [], counting);
  const counters = groupByShard(countable).map(
    ([shard, ownParts]) => new ShardCounter(batch.queue, shard, ownParts, counting),
  );
  await runInTurns(counters, (counter) => counter.count(isRepeated));
  const uncounted = new Set([
    ...waiting.map(({ windowId }) => windowId),
    ...counters.flatMap((counter) => counter.uncountedWindows),
  ]);
  let isAnyCounted = false;
  for (const message of batch.messages) {
    if (parts !== null && messages.includes(message) && !uncounted.has(message.body.id)) {
      isAnyCounted = true;
      continue;
    }
    const delaySeconds = Math.min(RETRY_SECONDS * 2 ** (message.attempts - 1), RETRY_MAX_SECONDS);
    message.retry({ delaySeconds });
  }
  // Messages that asked for a retry are not acknowledged by this.
  if (isAnyCounted) batch.ackAll();
  return counters.map(({ shard, results }) => ({ shard, results }));
}

/** Part with the window that it is of. */
interface WindowPart<Facts, Located extends Place> extends Part<Facts, Located> {
  windowId: string;
}

/** Splits windows into parts. Returns null if the directory fails. */
async function locateParts<Facts extends OwnedFacts, Located extends Place>(
  queue: string,
  windows: readonly Window<Facts>[],
  { findPlaces }: Counting<Facts, Located>,
): Promise<WindowPart<Facts, Located>[] | null> {
  const owners = new Set(windows.flatMap(({ groups }) => groups.map(({ facts }) => facts.workspaceId)));
  try {
    const places = await findPlaces([...owners]);
    return windows.flatMap((window) => splitWindow(window, places));
  } catch (error) {
    logError(`the shards of a batch of ${queue} could not be found; the queue will deliver it again`, error);
    return null;
  }
}

function splitWindow<Facts extends OwnedFacts, Located extends Place>(
  { id, groups }: Window<Facts>,
  places: ReadonlyMap<string, Located>,
): WindowPart<Facts, Located>[] {
  const byWorkspace = Map.groupBy(groups, ({ facts }) => facts.workspaceId);
  return [...byWorkspace].flatMap(([workspaceId, ownGroups]) => {
    const place = places.get(workspaceId);
    if (place === undefined) return [];
    return [{ id: formatPartId(id, workspaceId), windowId: id, place, groups: ownGroups }];
  });
}

/**
 * Tells the parts that can be counted now from those that must wait: of workspaces that are moving, or if a shard that a
 * workspace has left does not answer. What such a shard has counted is neither.
 */
async function findCountable<Facts extends OwnedFacts, Located extends Place>(
  queue: string,
  parts: readonly WindowPart<Facts, Located>[],
  { getShard }: Counting<Facts, Located>,
): Promise<Record<"countable" | "waiting", WindowPart<Facts, Located>[]>> {
  const waiting = parts.filter(({ place }) => place.isMoving === true);
  let countable = parts.filter(({ place }) => place.isMoving !== true);
  const byFormer = Map.groupBy(
    countable.flatMap((part) => listFormerShards(part).map((shard) => ({ shard, part }))),
    ({ shard }) => shard,
  );
  for (const [shard, entries] of byFormer) {
    const asked = entries.map(({ part }) => part);
    let left: WindowPart<Facts, Located>[] = [];
    try {
      left = await selectUncounted(getShard(shard), asked, JSON.stringify(asked.map(({ id }) => id)));
    } catch (error) {
      logError(
        `a former shard did not answer for a batch of ${queue}; the queue will deliver it again`,
        error,
      );
      waiting.push(...asked);
    }
    countable = countable.filter((part) => !asked.includes(part) || left.includes(part));
  }
  return { countable, waiting };
}

/** Returns the former shards that may have counted a part: those that its workspace left after the window was made. */
function listFormerShards({ id, place: { shard, formerShards = [] } }: Part<unknown>): number[] {
  const former = formerShards.filter(({ untilMs }) => id < formatUuidTime(untilMs + CLOCKS_MS));
  return [...new Set(former.map((left) => left.shard))].filter((left) => left !== shard);
}

/** Returns the id of a workspace's part of a window: two parts of a window differ in as many bits as the workspaces. */
function formatPartId(windowId: string, workspaceId: string): string {
  const node = windowId.length - NODE_DIGITS;
  const bits = BigInt(`0x${windowId.slice(node)}`) ^ BigInt(`0x${workspaceId.slice(node)}`);
  return windowId.slice(0, node) + bits.toString(16).padStart(NODE_DIGITS, "0");
}

function groupByShard<Item extends { place: Place }>(items: readonly Item[]): [number, Item[]][] {
  return [...Map.groupBy(items, ({ place }) => place.shard)];
}

/** Runs something for each item, for at most {@link SHARDS_AT_ONCE} at a time. */
async function runInTurns<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const runNext = async () => {
    for (const item of waiting) await run(item);
  };
  await Promise.all(Array.from({ length: SHARDS_AT_ONCE }, runNext));
}

/** Counts the parts of one batch that are on one shard. */
class ShardCounter<Facts extends OwnedFacts, Located extends Place> {
  readonly shard: number;
  readonly results: D1Result[] = [];
  readonly #uncounted: Map<string, WindowPart<Facts, Located>>;
  readonly #queue: string;
  readonly #counting: Counting<Facts, Located>;

  constructor(
    queue: string,
    shard: number,
    parts: readonly WindowPart<Facts, Located>[],
    counting: Counting<Facts, Located>,
  ) {
    this.shard = shard;
    this.#uncounted = new Map(parts.map((part) => [part.id, part]));
    this.#queue = queue;
    this.#counting = counting;
  }

  /** Ids of the windows with a part that is not counted. */
  get uncountedWindows(): string[] {
    return [...this.#uncounted.values()].map(({ windowId }) => windowId);
  }

  /** Counts the parts in steps; the parts of a step that fails and were delivered before, each in its own transaction. */
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

  /** Counts parts in one transaction. Returns those of workspaces that began to leave the shard meanwhile. */
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
        if (String(error).includes(REMEMBERED)) {
          rest = await selectUncounted(d1, rest, ids);
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

/** Part of the error with which {@link REFUSE_COUNTED} fails. */
const REMEMBERED = "NOT NULL constraint failed: counted_buckets.bucket";
/** Fails if one of the parts is counted, and writes nothing otherwise. */
const REFUSE_COUNTED = `
  INSERT INTO counted_buckets (bucket, ids)
  SELECT NULL, '' FROM json_each(?1) WHERE NOT ${uncounted("value")}`;
const REMEMBER = `
  INSERT INTO counted_buckets (bucket, ids)
  SELECT ${selectBucket("value")} AS four_seconds, group_concat(${selectShortId("value")}, '')
    FROM json_each(?1) WHERE true GROUP BY four_seconds
  ON CONFLICT (bucket) DO UPDATE SET ids = ids || excluded.ids`;

function rememberParts(d1: D1Database, ids: string): D1PreparedStatement[] {
  return [REFUSE_COUNTED, REMEMBER].map((statement) => d1.prepare(statement).bind(ids));
}

/** Returns the parts of workspaces whose rows on a shard may not change any more. */
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

async function selectUncounted<Item extends { id: string }>(
  d1: D1Database,
  parts: readonly Item[],
  ids: string,
): Promise<Item[]> {
  const { results } = await d1
    .prepare(`SELECT value AS id FROM json_each(?1) WHERE ${uncounted("value")}`)
    .bind(ids)
    .all<{ id: string }>();
  const uncountedIds = new Set(results.map(({ id }) => id));
  return parts.filter(({ id }) => uncountedIds.has(id));
}

function splitSteps<Item>(parts: readonly Item[]): Item[][] {
  const steps: Item[][] = [];
  let bytesLeft = 0;
  for (const part of parts) {
    const bytes = new TextEncoder().encode(JSON.stringify(part)).byteLength;
    if (bytes > bytesLeft || steps.length === 0) {
      steps.push([]);
      bytesLeft = STEP_BYTES_MAX;
    }
    bytesLeft -= bytes;
    steps.at(-1)?.push(part);
  }
  return steps;
}

/** Returns true for a body that has the form of a window. A message of another form stays in the queue. */
function isWindow(body: Partial<Window<unknown>> | null | undefined): boolean {
  return (
    typeof body?.id === "string" &&
    isUuid(body.id) &&
    Array.isArray(body.groups) &&
    body.groups.every(
      (group) =>
        typeof group?.facts === "object" &&
        group.facts !== null &&
        Array.isArray(group.timesMs) &&
        group.timesMs.length > 0 &&
        group.timesMs.every((timeMs) => Number.isSafeInteger(timeMs) && timeMs >= 0),
    )
  );
}

/**
 * Deletes buckets of parts older than {@link PART_RETENTION_MS}, in one bounded step; for the cron. Returns the number of
 * rows that D1 wrote.
 */
export async function sweepCountedParts(d1: D1Database, nowMs: number): Promise<number> {
  const oldest = formatUuidTime(nowMs - PART_RETENTION_MS)
    .replace("-", "")
    .slice(0, BUCKET_LENGTH);
  const { meta } = await d1
    .prepare(
      `DELETE FROM counted_buckets
        WHERE bucket IN (SELECT bucket FROM counted_buckets WHERE bucket < ?1 ORDER BY bucket LIMIT ${SWEEP_ROWS})`,
    )
    .bind(oldest)
    .run();
  return meta.rows_written;
}
