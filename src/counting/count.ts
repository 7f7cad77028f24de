import { formatCount } from "../core/format-count.ts";
import { logError } from "../core/log.ts";
import { runConcurrently } from "../core/run-concurrently.ts";
import { DAY_MS } from "../core/time.ts";
import { isTooOld, selectUncounted, WINDOW_AGE_MAX_MS } from "./counted-slices.ts";
import { ShardCounter, type ShardCounting } from "./shard-counter.ts";
import {
  isWindow,
  type Location,
  listFormerShards,
  type OwnedFacts,
  splitWindow,
  type WindowSlice,
} from "./slices.ts";
import type { Window } from "./window.ts";

/**
 * Delay before the second delivery of a message. It doubles with each further delivery; 100 deliveries take
 * eight hours.
 */
const RETRY_SECONDS = 5;
const RETRY_MAX_SECONDS = 300;
/**
 * Delivery attempt from which slices are also counted one by one, so that a slice that can't be counted
 * doesn't block others.
 */
const ALONE_FROM_ATTEMPT = 3;
/** Maximum number of shards on which a batch is counted concurrently. An invocation has six connections. */
const CONCURRENT_SHARDS_MAX = 4;

/** Functions that {@link countBatch} uses to count slices. */
interface Counting<Facts extends OwnedFacts, Located extends Location> extends ShardCounting<Facts, Located> {
  /** Returns true if facts can be counted. Messages with other facts stay in the queue. */
  isCountable(facts: Facts): boolean;
  /** Returns the locations of the workspaces that exist. Facts of other workspaces are not counted. */
  findLocations(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, Located>>;
}

export interface ShardResults {
  shard: number;
  results: D1Result[];
}

/**
 * Counts the windows of a queue batch exactly once. A window consists of slices, one per workspace. On each
 * shard, counts the shard's slices and remembers their ids, in transactions of limited size. A slice may be
 * delivered twice, in one batch or in two: if a transaction contains a slice that was already counted, the
 * whole transaction fails and is repeated without that slice. Returns the results of the statements.
 *
 * If a window can't be counted completely, only its message is retried by the queue. Neither such a message
 * nor a failing shard affects the others. Windows older than the remembered ids may have been counted before,
 * so they are not counted and become dead letters.
 */
export async function countBatch<Facts extends OwnedFacts, Located extends Location>(
  batch: MessageBatch<Window<Facts>>,
  nowMs: number,
  counting: Counting<Facts, Located>,
): Promise<ShardResults[]> {
  const messages = selectCountable(batch, nowMs, counting);
  const windows = new Map(messages.map(({ body }) => [body.id, body]));
  const isRepeated = messages.some(({ attempts }) => attempts >= ALONE_FROM_ATTEMPT);
  const slices = await locateSlices(batch.queue, [...windows.values()], counting);
  const { countable, waiting } = await findCountable(batch.queue, slices ?? [], counting);
  const counters = groupByShard(countable).map(
    ([shard, ownSlices]) => new ShardCounter(batch.queue, shard, ownSlices, counting),
  );
  await runConcurrently(counters, CONCURRENT_SHARDS_MAX, (counter) => counter.count(isRepeated));
  const uncounted = new Set([
    ...waiting.map(({ windowId }) => windowId),
    ...counters.flatMap((counter) => counter.uncountedWindows),
  ]);
  const counted = messages.filter(({ body }) => slices !== null && !uncounted.has(body.id));
  endBatch(batch, new Set(counted));
  return counters.map(({ shard, results }) => ({ shard, results }));
}

/** Returns the messages that are countable windows. Logs the others. */
function selectCountable<Facts extends OwnedFacts, Located extends Location>(
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
      `${queue} contained ${formatCount(tooOld, "window")} older than ${formatCount(WINDOW_AGE_MAX_MS / DAY_MS, "day")}. They may have been counted ` +
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
  // `ackAll` leaves out messages for which `retry` was called.
  if (counted.size > 0) batch.ackAll();
}

/** Splits windows into slices. Returns null if the directory fails. */
async function locateSlices<Facts extends OwnedFacts, Located extends Location>(
  queue: string,
  windows: readonly Window<Facts>[],
  { findLocations }: Counting<Facts, Located>,
): Promise<WindowSlice<Facts, Located>[] | null> {
  const owners = new Set(windows.flatMap(({ groups }) => groups.map(({ facts }) => facts.workspaceId)));
  try {
    const locations = await findLocations([...owners]);
    return windows.flatMap((window) => splitWindow(window, locations));
  } catch (error) {
    logError(
      `the shards for a batch of ${queue} could not be determined; the queue will deliver it again`,
      error,
    );
    return null;
  }
}

/**
 * Splits slices into those that can be counted now, and those that must wait because their workspace is
 * moving or a former shard failed. Slices that a former shard has already counted are left out.
 */
async function findCountable<Facts extends OwnedFacts, Located extends Location>(
  queue: string,
  slices: readonly WindowSlice<Facts, Located>[],
  { getShard }: Counting<Facts, Located>,
): Promise<Record<"countable" | "waiting", WindowSlice<Facts, Located>[]>> {
  const waiting = slices.filter(({ location }) => location.isMoving === true);
  let countable = slices.filter(({ location }) => location.isMoving !== true);
  const byFormer = Map.groupBy(
    countable.flatMap((slice) => listFormerShards(slice).map((shard) => ({ shard, slice }))),
    ({ shard }) => shard,
  );
  for (const [shard, entries] of byFormer) {
    const candidates = entries.map(({ slice }) => slice);
    let left: WindowSlice<Facts, Located>[] = [];
    try {
      left = await selectUncounted(getShard(shard), candidates);
    } catch (error) {
      logError(
        `a previous shard did not respond for a batch of ${queue}; the queue will deliver it again`,
        error,
      );
      waiting.push(...candidates);
    }
    countable = countable.filter((slice) => !candidates.includes(slice) || left.includes(slice));
  }
  return { countable, waiting };
}

function groupByShard<Item extends { location: Location }>(items: readonly Item[]): [number, Item[]][] {
  return [...Map.groupBy(items, ({ location }) => location.shard)];
}
