import type { DataCentre } from "../caching/data-centre.ts";
import { MINUTE_MS } from "../core/time.ts";

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
 * Publishes changed keys to the other isolates of this data centre, which then read the data centre's cache
 * within seconds. If two calls run at the same time, the changes of one may be lost; they become visible
 * through the feed, as in other data centres. Never throws.
 */
export async function publishLocalChanges(
  dataCentre: DataCentre,
  keys: readonly string[],
  nowMs: number,
): Promise<void> {
  const former = await readLocalChanges(dataCentre);
  const kept = former.filter(([, writtenAtMs]) => nowMs < writtenAtMs + LOCAL_MS);
  const added = keys.map((key): LocalChange => [key, nowMs]);
  await dataCentre.write(LOCAL_KEY, [...kept, ...added].slice(-LOCAL_MAX), LOCAL_MS);
}
