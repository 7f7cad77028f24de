import { ByteBoundedMap } from "../caching/byte-bounded-map.ts";
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
import type { FeedView, Place } from "./feed-view.ts";

/** Heap of an entry without its value, and of an entry that says that there is none. */
const ENTRY_BYTES = 360;
const NONE_BYTES = 240;
const HASH_BYTES = 24;

/** Entry of this isolate's memory. */
export interface MemoryEntry<Value> extends CachedEntry<Value> {
  /** Time from which a request starts a look-up while it uses the entry. */
  refreshAtMs: number;
  /** Time from which requests do not use the entry. */
  freshUntilMs: number;
  /** The part of {@link freshUntilMs} that follows from the feed, and the one that follows from the age. */
  feedUntilMs: number;
  ageUntilMs: number;
  ageRefreshAtMs: number;
  /** Last time at which the entry was known to be current. */
  currentAtMs: number;
  /** Copy of the feed that judged the entry. */
  judgedBy: number;
}

/** Entries of one kind in an isolate's memory: bounded, and kept fresh by their age and by the change feed. */
export class EntryMemory<Value> {
  readonly #kind: EntryKind<Value>;
  readonly #found: ByteBoundedMap<MemoryEntry<Value>>;
  readonly #none: ByteBoundedMap<MemoryEntry<Value>>;

  /** Requests for random keys displace nothing that exists, because what does not exist has a bound of its own. */
  constructor(kind: EntryKind<Value>, foundBytesMax: number, noneBytesMax: number) {
    this.#kind = kind;
    this.#found = new ByteBoundedMap(foundBytesMax);
    this.#none = new ByteBoundedMap(noneBytesMax);
  }

  /**
   * Returns the age up to which an entry is used that the feed does not confirm. While other entries go by the feed, it is
   * the shortest: what they depend on must not be older.
   */
  getAgeMs(view: FeedView, nowMs: number): number {
    return view.isFresh(nowMs) ? CACHE_MS : this.#kind.ageMs;
  }

  /** Returns the fresh entry of a key, or undefined. */
  recall(key: string, view: FeedView, nowMs: number): MemoryEntry<Value> | undefined {
    const entry = this.#found.get(key) ?? this.#none.get(key);
    if (entry === undefined) return undefined;
    if (entry.judgedBy !== view.version) this.#judge(entry, view, nowMs, "memory");
    return nowMs < entry.freshUntilMs ? entry : undefined;
  }

  /** Returns true if the entry of a key was read or confirmed so lately that it can be missing no change. */
  isCurrent(key: string, view: FeedView, nowMs: number): boolean {
    const entry = this.recall(key, view, nowMs);
    return entry !== undefined && (nowMs < entry.feedUntilMs || nowMs < entry.readAtMs + CACHE_MS);
  }

  /** Returns the entry that may be used while the database fails or is slow, or undefined. */
  recallStale(key: string, nowMs: number): MemoryEntry<Value> | undefined {
    const entry = this.#found.get(key);
    return entry !== undefined && nowMs < entry.currentAtMs + STALE_MS ? entry : undefined;
  }

  /**
   * Stores what was found in the data centre's cache or read, unless the memory holds a later state. Returns the entry. It
   * is fresh if its read of the database is recent enough, or if the feed confirms it.
   */
  remember(
    key: string,
    found: CachedEntry<Value>,
    view: FeedView,
    nowMs: number,
    place: Place,
  ): MemoryEntry<Value> {
    const known = this.#found.get(key) ?? this.#none.get(key);
    const current = pickCurrent(this.#kind, found, known);
    const { value, readAtMs, stamp } = current;
    const isKnown = current === known;
    const entry: MemoryEntry<Value> = {
      value,
      readAtMs,
      // A copy, because the feed moves it on.
      stamp: stamp && { ...stamp },
      currentAtMs: isKnown ? known.currentAtMs : readAtMs,
      // A known entry may be in use beyond its age, because the database fails.
      ...scheduleByAge(current, this.getAgeMs(view, nowMs), nowMs, isKnown ? known.ageUntilMs : 0),
      refreshAtMs: 0,
      freshUntilMs: 0,
      feedUntilMs: 0,
      judgedBy: 0,
    };
    this.#judge(entry, view, nowMs, isKnown ? "memory" : place);
    this.#store(key, entry);
    return entry;
  }

  /** Confirms the entry of a key, if there is one, and returns it: a look-up found nothing later. */
  confirm(key: string, view: FeedView, nowMs: number): MemoryEntry<Value> | undefined {
    const known = this.#found.get(key) ?? this.#none.get(key);
    return known && this.remember(key, known, view, nowMs, "memory");
  }

  /** Makes an old entry fresh for a short time although the database fails or is slow, so that few visitors wait for it. */
  extendStale(key: string, nowMs: number): void {
    const entry = this.recallStale(key, nowMs);
    if (entry === undefined) return;
    entry.ageRefreshAtMs = nowMs + MEMORY_MS - MEMORY_REFRESH_MS;
    entry.ageUntilMs = Math.max(entry.ageUntilMs, Math.min(nowMs + MEMORY_MS, entry.currentAtMs + STALE_MS));
    schedule(entry);
  }

  /** Makes the entry of a key old if it was read before a time, because the data centre's cache has a later one. */
  expire(key: string, writtenAtMs: number): void {
    const entry = this.#found.get(key);
    if (entry === undefined || entry.readAtMs >= writtenAtMs) return;
    entry.stamp = null;
    entry.ageUntilMs = 0;
    entry.feedUntilMs = 0;
    schedule(entry);
  }

  /** Estimated heap in bytes, and the numbers of entries. */
  measure(): { bytes: number; found: number; none: number } {
    const { bytes, size: found } = this.#found;
    return { bytes: bytes + this.#none.bytes, found, none: this.#none.size };
  }

  clear(): void {
    this.#found.clear();
    this.#none.clear();
  }

  /** Judges an entry by a copy of the feed. What the feed confirms is confirmed up to the last change that it knows. */
  #judge(entry: MemoryEntry<Value>, view: FeedView, nowMs: number, place: Place): void {
    const verdict = view.judge(entry.stamp, place);
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

/** Sets the times of an entry from what its age and the feed say. */
function schedule(entry: MemoryEntry<unknown>): void {
  const { ageUntilMs, ageRefreshAtMs, feedUntilMs } = entry;
  entry.freshUntilMs = Math.max(ageUntilMs, feedUntilMs);
  entry.refreshAtMs = Math.max(ageRefreshAtMs, feedUntilMs - FEED_REFRESH_MS);
}

function scheduleByAge(entry: CachedEntry<unknown>, ageMs: number, nowMs: number, untilMs: number) {
  // That there is nothing may soon be wrong, whatever the kind.
  const oldAtMs = entry.readAtMs + (entry.value === null ? CACHE_MS : ageMs);
  if (nowMs >= oldAtMs) return { ageUntilMs: untilMs, ageRefreshAtMs: 0 };
  return {
    ageUntilMs: Math.max(nowMs + MEMORY_MS, untilMs),
    // Nothing keeps an unknown key fresh but the requests that the limit of unknown codes counts.
    ageRefreshAtMs:
      entry.value === null
        ? Number.POSITIVE_INFINITY
        : Math.min(nowMs + MEMORY_MS - MEMORY_REFRESH_MS, oldAtMs - CACHE_REFRESH_MS),
  };
}
