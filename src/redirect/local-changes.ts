import { MINUTE_MS } from "../core/time.ts";
import type { DataCentre } from "./data-centre.ts";

/** Change that was made in this data centre: the key, and the time of its write to the data centre's cache. */
export type LocalChange = [key: string, writtenAtMs: number];

const LOCAL_KEY = "local-changes";
/** Time after which every isolate has seen a change, or has asked the feed, and number of changes that are told. */
const LOCAL_MS = MINUTE_MS;
const LOCAL_MAX = 300;

/** Returns what was changed in this data centre lately. Never throws. */
export async function readLocalChanges(dataCentre: DataCentre): Promise<LocalChange[]> {
  return (await dataCentre.read<LocalChange[]>(LOCAL_KEY)) ?? [];
}

/**
 * Tells the other isolates of this data centre about changed keys, so that they look into its cache within seconds. Of two
 * that tell at the same time, one may be lost; its changes are then seen as in other data centres. Never throws.
 */
export async function tellLocalChanges(
  dataCentre: DataCentre,
  keys: readonly string[],
  nowMs: number,
): Promise<void> {
  const former = await readLocalChanges(dataCentre);
  const kept = former.filter(([, writtenAtMs]) => nowMs < writtenAtMs + LOCAL_MS);
  const added = keys.map((key): LocalChange => [key, nowMs]);
  await dataCentre.write(LOCAL_KEY, [...kept, ...added].slice(-LOCAL_MAX), LOCAL_MS);
}
