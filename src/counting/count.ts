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

/** Delay before the second delivery of a batch; it doubles with each further one. 100 deliveries span eight hours. */
const RETRY_SECONDS = 5;
const RETRY_MAX_SECONDS = 300;
/** Delivery from which parts are counted one by one, so that one that cannot be counted does not stop the others. */
const ALONE_FROM_ATTEMPT = 3;
/** Maximum number of shards that a batch is counted on at a time; an invocation has six connections. */
const SHARDS_AT_ONCE = 4;

/** Rules by which {@link countBatch} counts parts. */
interface Counting<Facts extends OwnedFacts, Located extends Place> extends ShardCounting<Facts, Located> {
  /** Returns true for facts that can be counted. A message with others stays in the queue. */
  isCountable(facts: Facts): boolean;
  /** Returns the places of those of the workspaces that exist. What belongs to another is not counted. */
  findPlaces(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, Located>>;
}

/** Results of the statements that counted parts on a shard. */
export interface ShardResults {
  shard: number;
  results: D1Result[];
}

/**
 * Counts the windows of a queue batch and remembers them: on each shard its parts, in transactions of bounded size. A
 * part that is delivered twice, in one batch or in two, counts once: a transaction with a part that is remembered fails
 * as a whole, and is repeated without that part. Returns the results of the statements.
 *
 * Messages that could not be counted wholly are retried by the queue, and stop no others; nor does a shard that fails. A
 * window that is older than what is remembered may have been counted, so it is not: it becomes a dead letter.
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

/** Returns the messages of a batch that are windows which can be counted, and logs the others. */
function selectCountable<Facts extends OwnedFacts, Located extends Place>(
  { queue, messages }: MessageBatch<Window<Facts>>,
  nowMs: number,
  { isCountable }: Counting<Facts, Located>,
): Message<Window<Facts>>[] {
  const windows = messages.filter(
    ({ body }) => isWindow(body) && body.groups.every(({ facts }) => isCountable(facts)),
  );
  if (windows.length < messages.length) logError(`a message of ${queue} is no window of facts`);
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

/** Acknowledges the messages that were counted, and asks for a later delivery of the others. */
function endBatch<Body>(batch: MessageBatch<Body>, counted: ReadonlySet<Message<Body>>): void {
  for (const message of batch.messages) {
    if (counted.has(message)) continue;
    const delaySeconds = Math.min(RETRY_SECONDS * 2 ** (message.attempts - 1), RETRY_MAX_SECONDS);
    message.retry({ delaySeconds });
  }
  // Messages that asked for a retry are not acknowledged by this.
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
    logError(`the shards of a batch of ${queue} could not be found; the queue will deliver it again`, error);
    return null;
  }
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
      left = await selectUncounted(getShard(shard), asked);
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

function groupByShard<Item extends { place: Place }>(items: readonly Item[]): [number, Item[]][] {
  return [...Map.groupBy(items, ({ place }) => place.shard)];
}
