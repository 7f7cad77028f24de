// Pure: no I/O, clock or randomness.
import type { Stamp } from "../change-feed/feed-view.ts";
import { DAY_MS, SECOND_MS } from "../core/time.ts";

/**
 * Time for which an isolate uses an entry from the data centre's cache, unless the change feed (list of
 * recent changes) confirms that the entry is current. Ages always count from the database read, so a cache
 * hit doesn't make an entry younger.
 */
export const MEMORY_MS = 5 * SECOND_MS;
/**
 * Maximum age of an entry that the feed doesn't confirm. Together with {@link MEMORY_MS} and 5 seconds of
 * replica lag, changes are visible everywhere within 35 seconds.
 */
export const CACHE_MS = 25 * SECOND_MS;

/**
 * Entries are looked up again in the background this long before they expire in memory or altogether
 * ({@link CACHE_MS}), so that visitors of busy links never wait.
 */
export const MEMORY_REFRESH_MS = 1 * SECOND_MS;
export const CACHE_REFRESH_MS = 5 * SECOND_MS;

/**
 * Entries confirmed by the feed are looked up again this long before the confirmation expires. This happens
 * only if the feed has stopped advancing.
 */
export const FEED_REFRESH_MS = 5 * SECOND_MS;

/**
 * While the database fails or is slow, an entry is used for at most this long after it was last known to be
 * current. "Doesn't exist" entries are never used that way.
 */
export const STALE_MS = DAY_MS;

/** Cached result of a database read. `value` is null if nothing exists for the key. */
export interface CachedEntry<Value> {
  value: Value | null;
  readAtMs: number;
  /** Null if only the entry's age decides how long it is used. */
  stamp: Stamp | null;
}

/** Properties shared by all entries of one kind, links or hosts. */
export interface EntryKind<Value> {
  /** Maximum age of an entry that the feed keeps confirming. */
  lifeMs: number;
  /** Estimates the heap size of a value in bytes. */
  estimateBytes(value: Value): number;
  /**
   * Returns the id and version of a value, to compare two states of the same resource. Returns null if values
   * have no version.
   */
  getState(value: Value): { id: string; updatedAt: number } | null;
}

/**
 * Returns the more recent of two entries of a key. For two states of the same resource, compares their
 * versions, because changes may arrive in any order and a replica may lag. Otherwise compares the times of
 * the reads. On a tie, returns `found`.
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
