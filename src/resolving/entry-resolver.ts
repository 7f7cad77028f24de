import { logRecurringError } from "../caching/recurring-errors.ts";
import { FlightTimeoutError, SingleFlight, type Task } from "../caching/single-flight.ts";
import type { Stamp } from "../change-feed/feed-view.ts";
import type { FeedSource, FeedWatch } from "../change-feed/feed-watch.ts";
import { SECOND_MS } from "../core/time.ts";
import { withTimeout } from "../core/timeout.ts";
import type { UnknownLimit } from "../limits/unknown-limit.ts";
import {
  CACHE_MS,
  CACHE_REFRESH_MS,
  type CachedEntry,
  type EntryKind,
  FEED_REFRESH_MS,
  pickCurrent,
  STALE_MS,
} from "./cached-entry.ts";
import type { EntryMemory, MemoryEntry } from "./entry-memory.ts";

/** Time that a visitor waits for the database before an old entry is used instead. */
const STALE_AFTER_MS = 300;
/** Time that a visitor waits for the database if there is no old entry. */
const READ_TIMEOUT_MS = 5 * SECOND_MS;
/**
 * Maximum duration of a read whose entry gets a stamp, by which the change feed can confirm the entry. Even
 * together with the time for which an invocation may run after its response, this is shorter than the time
 * for which the feed keeps a change.
 */
const STAMP_MS = 10 * SECOND_MS;

/** Functions and limits that a look-up needs from its request. */
export interface LookUpContext extends FeedSource {
  nowMs: number;
  /** Returns the visitor's limit of unknown codes, created on first use. */
  getUnknownLimit(): UnknownLimit;
}

/** Result of a database read. */
export interface ReadResult<Value> {
  /** Null if nothing exists for the key. */
  value: Value | null;
  /** Number of the last change that the read saw. */
  seq: number;
  /** Hashes of the keys whose changes invalidate the result. */
  hashes: readonly number[];
}

/** Thrown by a database read if the workspace is no longer in the database. Old entries are not used then. */
export class WorkspaceMovedError extends Error {
  constructor() {
    super("the workspace of a link is not on its shard");
  }
}

/** Describes how to look up one key. */
export interface EntrySource<Value> {
  key: string;
  /** Key in the data centre's cache. */
  storeKey: string;
  /** Name of the database in the change feed. */
  database: string;
  /**
   * Reads the database, or a replica that has seen the change `cursor` and is not older than `known`.
   * "Doesn't exist" is accepted only from the primary.
   */
  read(known: Value | null, cursor: number): Promise<ReadResult<Value>>;
}

/** Looks up entries that aren't fresh in memory: first in the data centre's cache, then in the database. */
export class EntryResolver<Value> {
  readonly #kind: EntryKind<Value>;
  readonly #memory: EntryMemory<Value>;
  readonly #watch: FeedWatch;
  readonly #lookUps = new SingleFlight<MemoryEntry<Value>>();

  constructor(kind: EntryKind<Value>, memory: EntryMemory<Value>, watch: FeedWatch) {
    this.#kind = kind;
    this.#memory = memory;
    this.#watch = watch;
  }

  /** Looks up an entry in the background while it is still used. */
  refresh(context: LookUpContext, source: EntrySource<Value>): void {
    this.#lookUps.start(source.key, this.#buildLookUp(context, source), context.waitUntil);
  }

  /**
   * Returns the value of a key, or null if it doesn't exist. Uses an old entry for up to a day while the
   * database fails or is slow. Without an old entry, throws an `UnknownLimitError` if the visitor tried too
   * many unknown codes and has no spare look-up, and the database's error if the read fails.
   */
  async find(context: LookUpContext, source: EntrySource<Value>): Promise<Value | null> {
    const { nowMs, getUnknownLimit } = context;
    const { key } = source;
    const limit = getUnknownLimit();
    if (limit.isExceeded) {
      await this.#lookIntoCache(context, source);
      const fresh = this.#memory.recall(key, this.#watch.view, nowMs);
      if (fresh !== undefined) return fresh.value;
      if (this.#memory.recallStale(key, nowMs) === undefined) limit.takeSpare();
    }
    const { value, readAtMs } = await this.#await(context, source);
    // A result from an earlier read belongs to another request, which has already counted it.
    if (value === null && readAtMs >= nowMs) await limit.count();
    else limit.returnSpare();
    return value;
  }

  /** Returns the result of the look-up, or the old entry if the database fails or is slow. */
  async #await(context: LookUpContext, source: EntrySource<Value>): Promise<MemoryEntry<Value>> {
    const { key } = source;
    const join = (timeoutMs: number) =>
      this.#lookUps.join(key, timeoutMs, this.#buildLookUp(context, source), context.waitUntil);
    try {
      return await join(STALE_AFTER_MS);
    } catch (error) {
      if (error instanceof WorkspaceMovedError) throw error;
      const nowMs = context.now();
      const stale = this.#memory.recallStale(key, nowMs);
      if (stale !== undefined) {
        logRecurringError("a link was served from an old entry", error);
        this.#memory.extendStale(key, nowMs);
        return stale;
      }
      if (!(error instanceof FlightTimeoutError)) throw error;
    }
    return join(READ_TIMEOUT_MS - STALE_AFTER_MS);
  }

  #buildLookUp(context: LookUpContext, source: EntrySource<Value>): Task<MemoryEntry<Value>> {
    return (publish) => this.#lookUp(context, source, publish);
  }

  /**
   * Looks up a key in the data centre's cache and, if the entry is too old or soon will be, in the database.
   * Stores and publishes the result. If the database fails, extends the use of an old entry and throws.
   */
  async #lookUp(
    context: LookUpContext,
    source: EntrySource<Value>,
    publish: (entry: MemoryEntry<Value>) => void,
  ): Promise<void> {
    const { key } = source;
    const known = await this.#lookIntoCache(context, source);
    const nowMs = context.now();
    if (known !== undefined && nowMs < known.freshUntilMs) publish(known);
    if (known !== undefined && !isDue(known, nowMs)) return;
    try {
      const found = await withTimeout(this.#read(context, source, known), READ_TIMEOUT_MS);
      const entry = this.#memory.remember(key, found, this.#watch.view, context.now(), "cache");
      publish(entry);
      // Writes no cache entry for a code that is requested for the first time and doesn't exist. Otherwise,
      // each of many random codes would cause a write.
      if (found.value !== null || known !== undefined) {
        context.waitUntil(this.#renewCache(context, source.storeKey, entry));
      }
    } catch (error) {
      if (error instanceof WorkspaceMovedError) throw error;
      logRecurringError("a link could not be read", error);
      this.#memory.extendStale(key, context.now());
      throw error;
    }
  }

  /** Copies the entry from the data centre's cache to memory, and returns the resulting entry in memory. */
  async #lookIntoCache(
    context: LookUpContext,
    { key, storeKey }: EntrySource<Value>,
  ): Promise<MemoryEntry<Value> | undefined> {
    const remember = (entry: CachedEntry<Value>) =>
      this.#memory.remember(key, entry, this.#watch.view, context.now(), "cache");
    const [cached] = await Promise.all([
      context.dataCentre.read<CachedEntry<Value>>(storeKey, remember),
      this.#watch.look(context),
    ]);
    return cached === undefined
      ? this.#memory.confirm(key, this.#watch.view, context.now())
      : remember(cached);
  }

  /**
   * Reads the database. The result gets a stamp if the read saw at least the changes that the feed had before
   * the read.
   */
  async #read(
    { now }: LookUpContext,
    { database, read }: EntrySource<Value>,
    known: MemoryEntry<Value> | undefined,
  ): Promise<CachedEntry<Value>> {
    const readAtMs = now();
    const cursor = this.#watch.view.getFreshCursor(database, readAtMs);
    const { value, seq, hashes } = await read(known?.value ?? null, cursor ?? 0);
    const isDated = value !== null && cursor !== undefined && seq >= cursor && now() < readAtMs + STAMP_MS;
    const stamp: Stamp | null = isDated ? { database, seq, hashes } : null;
    return { value, readAtMs, stamp };
  }

  /**
   * Writes an entry to the data centre's cache, unless the cache has a more recent one: another isolate may
   * have written a change through during the read.
   */
  async #renewCache({ dataCentre }: LookUpContext, key: string, entry: MemoryEntry<Value>): Promise<void> {
    const stored = await dataCentre.read<CachedEntry<Value>>(key);
    if (pickCurrent(this.#kind, entry, stored) === entry)
      await writeEntry(dataCentre, this.#kind, key, entry);
  }
}

/** Writes an entry to the data centre's cache. Never throws. */
export function writeEntry<Value>(
  dataCentre: FeedSource["dataCentre"],
  { lifeMs }: EntryKind<Value>,
  key: string,
  { value, readAtMs, stamp }: CachedEntry<Value>,
): Promise<void> {
  // A "doesn't exist" entry is never used once it has expired.
  const maxAgeMs = value === null ? CACHE_MS : lifeMs + STALE_MS;
  return dataCentre.write(key, { value, readAtMs, stamp }, maxAgeMs);
}

/** Returns true if the database must be read: the entry has expired or soon will. */
function isDue({ value, readAtMs, feedUntilMs, freshUntilMs }: MemoryEntry<unknown>, nowMs: number): boolean {
  if (nowMs >= freshUntilMs) return true;
  if (nowMs < feedUntilMs - FEED_REFRESH_MS) return false;
  return nowMs >= readAtMs + CACHE_MS - (value === null ? 0 : CACHE_REFRESH_MS);
}
