import { ByteBoundedMap } from "../caching/byte-bounded-map.ts";
import type { CacheLevel, FeedView } from "../change-feed/feed-view.ts";
import {
  CACHE_MS,
  CACHE_REFRESH_MS,
  type CachedEntry,
  type EntryKind,
  FEED_REFRESH_MS,
  MEMORY_MS,
  MEMORY_REFRESH_MS,
  pickCurrent,
  STALE_MS,
} from "./cached-entry.ts";

/** Heap size of an entry without its value, of a "doesn't exist" entry, and of a hash of a stamp. */
const ENTRY_BYTES = 360;
const NONE_BYTES = 240;
const HASH_BYTES = 24;

/** Entry in an isolate's memory. */
export interface MemoryEntry<Value> extends CachedEntry<Value> {
  /** Time from which requests start a background look-up while still using the entry. */
  refreshAtMs: number;
  /** Time from which requests no longer use the entry. */
  freshUntilMs: number;
  /**
   * The feed and the entry's age each allow using the entry up to a time. {@link freshUntilMs} is the later
   * time.
   */
  feedUntilMs: number;
  ageUntilMs: number;
  ageRefreshAtMs: number;
  /** Last time at which the entry was known to be current. */
  currentAtMs: number;
  /** Version of the feed copy that last judged the entry. */
  judgedBy: number;
}

/**
 * Bounded memory of an isolate for entries of one kind. Entries stay fresh through their age or through
 * confirmations by the change feed.
 */
export class EntryMemory<Value> {
  readonly #kind: EntryKind<Value>;
  readonly #found: ByteBoundedMap<MemoryEntry<Value>>;
  readonly #none: ByteBoundedMap<MemoryEntry<Value>>;

  /**
   * "Doesn't exist" entries have a memory of their own, so that requests for random keys can't evict existing
   * entries.
   */
  constructor(kind: EntryKind<Value>, foundBytesMax: number, noneBytesMax: number) {
    this.#kind = kind;
    this.#found = new ByteBoundedMap(foundBytesMax);
    this.#none = new ByteBoundedMap(noneBytesMax);
  }

  /** Returns the entry of a key if it is fresh, otherwise undefined. */
  recall(key: string, view: FeedView, nowMs: number): MemoryEntry<Value> | undefined {
    const entry = this.#found.get(key) ?? this.#none.get(key);
    if (entry === undefined) return undefined;
    if (entry.judgedBy !== view.version) this.#judge(entry, view, nowMs, "memory");
    return nowMs < entry.freshUntilMs ? entry : undefined;
  }

  /**
   * Returns true if the entry of a key was read or confirmed so recently that it can't have missed a change.
   */
  isCurrent(key: string, view: FeedView, nowMs: number): boolean {
    const entry = this.recall(key, view, nowMs);
    return entry !== undefined && (nowMs < entry.feedUntilMs || nowMs < entry.readAtMs + CACHE_MS);
  }

  /** Returns an old entry that may be used while the database fails or is slow, or undefined. */
  recallStale(key: string, nowMs: number): MemoryEntry<Value> | undefined {
    const entry = this.#found.get(key);
    return entry !== undefined && nowMs < entry.currentAtMs + STALE_MS ? entry : undefined;
  }

  /**
   * Stores an entry found in the data centre's cache or in the database, unless memory has a more recent one.
   * Returns the more recent entry. It is fresh if its database read is recent enough or the feed confirms it.
   */
  remember(
    key: string,
    found: CachedEntry<Value>,
    view: FeedView,
    nowMs: number,
    level: CacheLevel,
  ): MemoryEntry<Value> {
    const known = this.#found.get(key) ?? this.#none.get(key);
    const current = pickCurrent(this.#kind, found, known);
    const { value, readAtMs, stamp } = current;
    const isKnown = current === known;
    const entry: MemoryEntry<Value> = {
      value,
      readAtMs,
      // Copied, because judging the entry modifies it.
      stamp: stamp && { ...stamp },
      currentAtMs: isKnown ? known.currentAtMs : readAtMs,
      // A known entry may be in use beyond its age because the database fails.
      ...scheduleByAge(current, nowMs, isKnown ? known.ageUntilMs : 0),
      refreshAtMs: 0,
      freshUntilMs: 0,
      feedUntilMs: 0,
      judgedBy: 0,
    };
    this.#judge(entry, view, nowMs, isKnown ? "memory" : level);
    this.#store(key, entry);
    return entry;
  }

  /** Renews the entry of a key after a look-up that found nothing newer, and returns it. */
  confirm(key: string, view: FeedView, nowMs: number): MemoryEntry<Value> | undefined {
    const known = this.#found.get(key) ?? this.#none.get(key);
    return known && this.remember(key, known, view, nowMs, "memory");
  }

  /**
   * Makes an old entry fresh for a short time while the database fails or is slow, so that few visitors wait.
   */
  extendStale(key: string, nowMs: number): void {
    const entry = this.recallStale(key, nowMs);
    if (entry === undefined) return;
    entry.ageRefreshAtMs = nowMs + MEMORY_MS - MEMORY_REFRESH_MS;
    entry.ageUntilMs = Math.max(entry.ageUntilMs, Math.min(nowMs + MEMORY_MS, entry.currentAtMs + STALE_MS));
    schedule(entry);
  }

  /**
   * Expires the entry of a key if it was read before `writtenAtMs`, because the data centre's cache has a
   * newer one.
   */
  expire(key: string, writtenAtMs: number): void {
    const entry = this.#found.get(key);
    if (entry === undefined || entry.readAtMs >= writtenAtMs) return;
    entry.stamp = null;
    entry.ageUntilMs = 0;
    entry.feedUntilMs = 0;
    schedule(entry);
  }

  /** Returns the estimated heap size in bytes and the numbers of entries. */
  measure(): { bytes: number; found: number; none: number } {
    const { bytes, size: found } = this.#found;
    return { bytes: bytes + this.#none.bytes, found, none: this.#none.size };
  }

  clear(): void {
    this.#found.clear();
    this.#none.clear();
  }

  /**
   * Applies a copy of the feed to an entry. If the feed contains no change of the entry, the entry counts as
   * current up to the feed's last change.
   */
  #judge(entry: MemoryEntry<Value>, view: FeedView, nowMs: number, level: CacheLevel): void {
    const verdict = view.judge(entry.stamp, level);
    entry.judgedBy = view.version;
    entry.feedUntilMs = 0;
    if (verdict.status === "changed") {
      entry.ageUntilMs = 0;
      entry.stamp = null;
    } else if (verdict.status === "current" && entry.stamp !== null) {
      const { cursor, collectedAtMs } = verdict.state;
      entry.stamp.seq = Math.max(entry.stamp.seq, cursor);
      entry.currentAtMs = Math.max(entry.currentAtMs, collectedAtMs);
      entry.feedUntilMs = Math.min(verdict.freshUntilMs, entry.readAtMs + this.#kind.lifeMs);
    } else if (view.isFresh(nowMs)) {
      entry.ageUntilMs = Math.min(entry.ageUntilMs, entry.readAtMs + CACHE_MS + MEMORY_MS);
    }
    schedule(entry);
  }

  #store(key: string, entry: MemoryEntry<Value>): void {
    const { value, stamp } = entry;
    const [own, other] = value === null ? [this.#none, this.#found] : [this.#found, this.#none];
    other.delete(key);
    const hashBytes = HASH_BYTES * (stamp?.hashes.length ?? 0);
    const bytes = value === null ? NONE_BYTES : ENTRY_BYTES + hashBytes + this.#kind.estimateBytes(value);
    own.set(key, entry, bytes);
  }
}

/** Derives an entry's freshness from its age and the feed. */
function schedule(entry: MemoryEntry<unknown>): void {
  const { ageUntilMs, ageRefreshAtMs, feedUntilMs } = entry;
  entry.freshUntilMs = Math.max(ageUntilMs, feedUntilMs);
  entry.refreshAtMs = Math.max(ageRefreshAtMs, feedUntilMs - FEED_REFRESH_MS);
}

function scheduleByAge(entry: CachedEntry<unknown>, nowMs: number, untilMs: number) {
  const oldAtMs = entry.readAtMs + CACHE_MS;
  if (nowMs >= oldAtMs) return { ageUntilMs: untilMs, ageRefreshAtMs: 0 };
  return {
    ageUntilMs: Math.max(nowMs + MEMORY_MS, untilMs),
    // Unknown keys are never refreshed in the background, so that each look-up counts towards the limit of
    // unknown codes.
    ageRefreshAtMs:
      entry.value === null
        ? Number.POSITIVE_INFINITY
        : Math.min(nowMs + MEMORY_MS - MEMORY_REFRESH_MS, oldAtMs - CACHE_REFRESH_MS),
  };
}
