import type { DataCentre } from "../caching/data-centre.ts";
import { MINUTE_MS } from "../core/time.ts";
import { sleep } from "../core/timeout.ts";

/** Change made in this data centre: the key, and the time of its write to the data centre's cache. */
export type LocalChange = [key: string, writtenAtMs: number];

const LOCAL_KEY = "local-changes";
/**
 * Time after which all isolates have read a change here or from the feed, and maximum number of changes kept.
 */
const LOCAL_MS = MINUTE_MS;
const LOCAL_MAX = 300;

/** Returns the recent changes made in this data centre. Never throws. */
export async function readLocalChanges(dataCentre: DataCentre): Promise<LocalChange[]> {
  return (await dataCentre.read<LocalChange[]>(LOCAL_KEY)) ?? [];
}

/**
 * Minimum time between two publications of an isolate. Changes in between are published together, because each
 * publication reads and writes the data centre's cache. Other isolates look every few seconds only.
 */
const GAP_MS = 250;

/** Changes that the next publication of this isolate contains. */
const waiting = new Map<string, number>();
/** Time of this isolate's last or next publication. */
let publishedAtMs = 0;

/**
 * Publishes changed keys to the other isolates of this data centre, which then read the data centre's cache
 * within seconds. Of several calls within {@link GAP_MS}, one publishes the changes of all. Never throws.
 */
export async function shareLocalChanges(
  dataCentre: DataCentre,
  keys: readonly string[],
  writtenAtMs: number,
): Promise<void> {
  for (const key of keys) waiting.set(key, writtenAtMs);
  const nowMs = Date.now();
  // The clock was set back.
  if (publishedAtMs > nowMs + GAP_MS) publishedAtMs = 0;
  // An earlier call is waiting and will publish these changes too.
  if (nowMs < publishedAtMs) return;
  const waitMs = Math.max(0, publishedAtMs + GAP_MS - nowMs);
  publishedAtMs = nowMs + waitMs;
  if (waitMs > 0) await sleep(waitMs);
  const changes = [...waiting];
  waiting.clear();
  await publishLocalChanges(dataCentre, changes, Date.now());
}

/**
 * Adds changes to those that the data centre's cache has. If two calls run at the same time, the changes of one
 * may be lost; they become visible through the feed, as in other data centres. Never throws.
 */
export async function publishLocalChanges(
  dataCentre: DataCentre,
  changes: readonly LocalChange[],
  nowMs: number,
): Promise<void> {
  const former = await readLocalChanges(dataCentre);
  const kept = former.filter(([, writtenAtMs]) => nowMs < writtenAtMs + LOCAL_MS);
  await dataCentre.write(LOCAL_KEY, [...kept, ...changes].slice(-LOCAL_MAX), LOCAL_MS);
}
