import { logError } from "../core/log.ts";
import { runConcurrently } from "../core/run-concurrently.ts";
import { DAY_MS } from "../core/time.ts";
import { isTooOld, selectUncounted, WINDOW_AGE_MAX_MS } from "./counted-parts.ts";
import {
  isWindow,
  listFormerShards,
  type OwnedFacts,
  type Place,
  splitWindow,
  type WindowPart,
} from "./parts.ts";
import { ShardCounter, type ShardCounting } from "./shard-counter.ts";
import type { Window } from "./window.ts";

/**
 * Delay before the second delivery of a message. It doubles with each further delivery; 100 deliveries take
 * eight hours.
 */
const RETRY_SECONDS = 5;
const RETRY_MAX_SECONDS = 300;
/**
 * Delivery attempt from which parts are also counted one by one, so that a part that can't be counted doesn't
 * block others.
 */
const ALONE_FROM_ATTEMPT = 3;
/** Maximum number of shards on which a batch is counted concurrently. An invocation has six connections. */
const SHARDS_AT_ONCE = 4;

/** Functions that {@link countBatch} uses to count parts. */
interface Counting<Facts extends OwnedFacts, Located extends Place> extends ShardCounting<Facts, Located> {
  /** Returns true if facts can be counted. Messages with other facts stay in the queue. */
  isCountable(facts: Facts): boolean;
  /** Returns the locations of the workspaces that exist. Facts of other workspaces are not counted. */
  findPlaces(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, Located>>;
}

export interface ShardResults {
  shard: number;
  results: D1Result[];
}

/**
 * Counts the windows of a queue batch exactly once. On each shard, counts the shard's parts and remembers
 * their ids, in transactions of limited size. A part may be delivered twice, in one batch or in two: if a
 * transaction contains a part that was already counted, the whole transaction fails and is repeated without
 * that part. Returns the results of the statements.
 *
 * If a window can't be counted completely, only its message is retried by the queue. Neither such a message
 * nor a failing shard affects the others. Windows older than the remembered ids may have been counted before,
 * so they are not counted and become dead letters.
 */
export async function countBatch<Facts extends OwnedFacts, Located extends Place>(
  batch: MessageBatch<Window<Facts>>,
  nowMs: number,
  counting: Counting<Facts, Located>,
): Promise<ShardResults[]> {
  const messages = selectCountable(batch, nowMs, counting);
  const windows = new Map(messages.map(({ body }) => [body.id, body]));
  const isRepeated = messages.some(({ attempts }) => attempts >= ALONE_FROM_ATTEMPT);
  const parts = await locateParts(batch.queue, [...windows.values()], counting);
  const { countable, waiting } = await findCountable(batch.queue, parts ?? [], counting);
  const counters = groupByShard(countable).map(
    ([shard, ownParts]) => new ShardCounter(batch.queue, shard, ownParts, counting),
  );
  await runConcurrently(counters, SHARDS_AT_ONCE, (counter) => counter.count(isRepeated));
  const uncounted = new Set([
    ...waiting.map(({ windowId }) => windowId),
    ...counters.flatMap((counter) => counter.uncountedWindows),
  ]);
  const counted = messages.filter(({ body }) => parts !== null && !uncounted.has(body.id));
  endBatch(batch, new Set(counted));
  return counters.map(({ shard, results }) => ({ shard, results }));
}

/** Returns the messages that are countable windows. Logs the others. */
function selectCountable<Facts extends OwnedFacts, Located extends Place>(
  { queue, messages }: MessageBatch<Window<Facts>>,
  nowMs: number,
  { isCountable }: Counting<Facts, Located>,
): Message<Window<Facts>>[] {
  const windows = messages.filter(
    ({ body }) => isWindow(body) && body.groups.every(({ facts }) => isCountable(facts)),
  );
  if (windows.length < messages.length) logError(`a message of ${queue} is not a window of facts`);
  const recent = windows.filter(({ body }) => !isTooOld(body.id, nowMs));
  const tooOld = windows.length - recent.length;
  if (tooOld > 0) {
    logError(
      `${tooOld} windows of ${queue} are older than ${WINDOW_AGE_MAX_MS / DAY_MS} days. They may have been counted ` +
        "before, so they are not counted, and become dead letters",
    );
  }
  return recent;
}

/** Acknowledges counted messages and retries the others with a delay. */
function endBatch<Body>(batch: MessageBatch<Body>, counted: ReadonlySet<Message<Body>>): void {
  for (const message of batch.messages) {
    if (counted.has(message)) continue;
    const delaySeconds = Math.min(RETRY_SECONDS * 2 ** (message.attempts - 1), RETRY_MAX_SECONDS);
    message.retry({ delaySeconds });
  }
  // This doesn't acknowledge messages that were retried.
  if (counted.size > 0) batch.ackAll();
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
    logError(
      `the shards for a batch of ${queue} could not be determined; the queue will deliver it again`,
      error,
    );
    return null;
  }
}

/**
 * Splits parts into those that can be counted now, and those that must wait because their workspace is moving
 * or a former shard failed. Parts that a former shard has already counted are left out.
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
      left = await selectUncounted(getShard(shard), asked);
    } catch (error) {
      logError(
        `a previous shard did not respond for a batch of ${queue}; the queue will deliver it again`,
        error,
      );
      waiting.push(...asked);
    }
    countable = countable.filter((part) => !asked.includes(part) || left.includes(part));
  }
  return { countable, waiting };
}

function groupByShard<Item extends { place: Place }>(items: readonly Item[]): [number, Item[]][] {
  return [...Map.groupBy(items, ({ place }) => place.shard)];
}
