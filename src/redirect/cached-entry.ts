import { DAY_MS, SECOND_MS } from "../core/time.ts";
import type { Stamp } from "./feed-view.ts";

/**
 * Time for which an isolate uses what it found in the data centre's cache, if the change feed does not confirm it. A hit
 * renews no age: ages count from the read of the database.
 */
export const MEMORY_MS = 5 * SECOND_MS;
/**
 * Age up to which a link is used if the feed does not confirm it. With {@link MEMORY_MS} and 5 seconds for the lag of a
 * replica, a change is seen everywhere within 35 seconds.
 */
export const CACHE_MS = 25 * SECOND_MS;

/**
 * Times before an entry becomes too old, in memory and altogether, from which it is looked up again while it is still used,
 * so that visitors of a busy link never wait.
 */
export const MEMORY_REFRESH_MS = 1 * SECOND_MS;
export const CACHE_REFRESH_MS = 5 * SECOND_MS;

/** Time before the feed's word ends from which an entry is looked up again, because the feed does not advance. */
export const FEED_REFRESH_MS = 5 * SECOND_MS;

/**
 * Time for which an entry is used while the database fails or is slow, from when it was last known to be current. "There
 * is none" is never used then.
 */
export const STALE_MS = DAY_MS;

/** Value that was read for a key, or null if there is nothing, and the time at which the database was read. */
export interface CachedEntry<Value> {
  value: Value | null;
  readAtMs: number;
  /** Null for an entry that only its age keeps. */
  stamp: Stamp | null;
}

/** Properties that entries of a kind have in common. */
export interface EntryKind<Value> {
  /** Age up to which an entry is used while there is no fresh feed. */
  ageMs: number;
  /** Age up to which the feed keeps an entry. */
  lifeMs: number;
  /** Estimated heap of a value in bytes. */
  estimateBytes(value: Value): number;
  /** Returns what tells states of one thing apart, or null if nothing does. */
  getState(value: Value): { id: string; updatedAt: number } | null;
}

/**
 * Returns the one of two states of a key that is current. Of one thing it is the later state, since two changes may arrive
 * in either order and a replica may lag behind; otherwise it is the one that was read later, or `found`.
 */
export function pickCurrent<Value>(
  { getState }: Pick<EntryKind<Value>, "getState">,
  found: CachedEntry<Value>,
  known: CachedEntry<Value> | undefined,
): CachedEntry<Value> {
  if (known === undefined) return found;
  const foundState = found.value === null ? null : getState(found.value);
  const knownState = known.value === null ? null : getState(known.value);
  const isSame = foundState !== null && foundState.id === knownState?.id;
  const changedByMs = isSame ? foundState.updatedAt - knownState.updatedAt : 0;
  return (changedByMs || found.readAtMs - known.readAtMs) >= 0 ? found : known;
}
