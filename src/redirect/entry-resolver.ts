import { logFault } from "../caching/fault-log.ts";
import { FlightTimeoutError, SingleFlight, type Work } from "../caching/single-flight.ts";
import { SECOND_MS } from "../core/time.ts";
import { withTimeout } from "../core/timeout.ts";
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
import type { Stamp } from "./feed-view.ts";
import type { FeedSource, FeedWatch } from "./feed-watch.ts";
import type { UnknownLimit } from "./unknown-limit.ts";

/** Time that a visitor of a known link waits for the database before an old entry is used. */
const PATIENCE_MS = 300;
/** Time that a visitor waits for the database if nothing is known. */
const READ_TIMEOUT_MS = 5 * SECOND_MS;
/**
 * Time from the start of a read after which its entry gets no stamp. With the time for which an invocation lives after
 * its response, it stays below the time for which the feed remembers a change.
 */
const STAMP_MS = 10 * SECOND_MS;

/** Request that looks something up. */
export interface LookUpContext extends FeedSource {
  nowMs: number;
  /** Limit of unknown codes for the visitor; made when it is needed. */
  getUnknownLimit(): UnknownLimit;
}

/** Result of a read of a database. */
export interface Found<Value> {
  /** Null if there is nothing. */
  value: Value | null;
  /** Number of the last change that the read saw. */
  seq: number;
  /** Hashes of the keys whose change makes what was found invalid. */
  hashes: readonly number[];
}

/** Error of a read of a database that has nothing to do with the key any more. No old entry is used then. */
export class ElsewhereError extends Error {
  constructor() {
    super("the workspace of a link is not on its shard");
  }
}

/** Reads what a key stands for. */
export interface Reading<Value> {
  key: string;
  /** Key in the data centre's cache. */
  storeKey: string;
  /** Name of the database in the change feed. */
  database: string;
  /**
   * Reads the database, or a copy of it that is not older than `known` and the change `cursor`. Only the primary says that
   * there is nothing.
   */
  read(known: Value | null, cursor: number): Promise<Found<Value>>;
}

/** Finds entries of one kind beyond what is fresh in memory: in the data centre's cache, else in a database. */
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

  /** Looks an entry up again while it is used. */
  refresh(context: LookUpContext, reading: Reading<Value>): void {
    this.#lookUps.start(reading.key, this.#buildLookUp(context, reading), context.waitUntil);
  }

  /**
   * Returns what a key stands for, or null. An old entry is used for a day while the database fails or is slow. Throws an
   * `UnknownLimitError` if nothing is known and the visitor tried too many unknown codes, and what the database throws if
   * nothing is known.
   */
  async find(context: LookUpContext, reading: Reading<Value>): Promise<Value | null> {
    const { nowMs, getUnknownLimit } = context;
    const { key } = reading;
    const limit = getUnknownLimit();
    if (limit.retryAfterSeconds > 0) {
      await this.#lookIntoCache(context, reading);
      const fresh = this.#memory.recall(key, this.#watch.view, nowMs);
      if (fresh !== undefined) return fresh.value;
      if (this.#memory.recallStale(key, nowMs) === undefined) limit.assertOpen();
    }
    const { value, readAtMs } = await this.#await(context, reading);
    // An earlier read was made for another request, which counted it.
    if (value === null && readAtMs >= nowMs) {
      await limit.count();
      limit.assertOpen();
    }
    return value;
  }

  /** Returns what the look-up finds, or the old entry if the database fails or takes long. */
  async #await(context: LookUpContext, reading: Reading<Value>): Promise<MemoryEntry<Value>> {
    const { key } = reading;
    const join = (timeoutMs: number) =>
      this.#lookUps.join(key, timeoutMs, this.#buildLookUp(context, reading), context.waitUntil);
    try {
      return await join(PATIENCE_MS);
    } catch (error) {
      if (error instanceof ElsewhereError) throw error;
      const nowMs = context.now();
      const stale = this.#memory.recallStale(key, nowMs);
      if (stale !== undefined) {
        logFault("a link was served from an old entry", error);
        this.#memory.extendStale(key, nowMs);
        return stale;
      }
      if (!(error instanceof FlightTimeoutError)) throw error;
    }
    return join(READ_TIMEOUT_MS - PATIENCE_MS);
  }

  #buildLookUp(context: LookUpContext, reading: Reading<Value>): Work<MemoryEntry<Value>> {
    return (publish) => this.#lookUp(context, reading, publish);
  }

  /**
   * Looks a key up in the data centre's cache and, if the entry is too old or soon will be, in the database. Stores and
   * publishes what it finds. Throws if the database fails; an old entry then stays in use for a while.
   */
  async #lookUp(
    context: LookUpContext,
    reading: Reading<Value>,
    publish: (entry: MemoryEntry<Value>) => void,
  ): Promise<void> {
    const { key } = reading;
    const known = await this.#lookIntoCache(context, reading);
    const nowMs = context.now();
    if (known !== undefined && nowMs < known.freshUntilMs) publish(known);
    if (known !== undefined && !isDue(known, this.#memory.getAgeMs(this.#watch.view, nowMs), nowMs)) return;
    try {
      const found = await withTimeout(this.#read(context, reading, known), READ_TIMEOUT_MS);
      const entry = this.#memory.remember(key, found, this.#watch.view, context.now(), "cache");
      publish(entry);
      // A code that was unknown before is one of many; it costs no write unless it is requested again.
      if (found.value !== null || known !== undefined) {
        context.waitUntil(this.#renewCache(context, reading.storeKey, entry));
      }
    } catch (error) {
      if (error instanceof ElsewhereError) throw error;
      logFault("a link could not be read", error);
      this.#memory.extendStale(key, context.now());
      throw error;
    }
  }

  /** Remembers the entry of the data centre's cache, and returns what the memory then has. */
  async #lookIntoCache(
    context: LookUpContext,
    { key, storeKey }: Reading<Value>,
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

  /** Reads the database. The feed that was known before dates what it returns. */
  async #read(
    { now }: LookUpContext,
    { database, read }: Reading<Value>,
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
   * Stores an entry in the data centre's cache, unless the cache holds a later one: another isolate may have written a
   * change through during the read.
   */
  async #renewCache({ dataCentre }: LookUpContext, key: string, entry: MemoryEntry<Value>): Promise<void> {
    const stored = await dataCentre.read<CachedEntry<Value>>(key);
    if (pickCurrent(this.#kind, entry, stored) === entry)
      await writeEntry(dataCentre, this.#kind, key, entry);
  }
}

/** Stores an entry in the data centre's cache. Never throws. */
export function writeEntry<Value>(
  dataCentre: FeedSource["dataCentre"],
  { lifeMs }: EntryKind<Value>,
  key: string,
  { value, readAtMs, stamp }: CachedEntry<Value>,
): Promise<void> {
  // "There is none" is of no use once it is not fresh.
  const maxAgeMs = value === null ? CACHE_MS : lifeMs + STALE_MS;
  return dataCentre.write(key, { value, readAtMs, stamp }, maxAgeMs);
}

/** Returns true if the database is to be read again: the entry is not in use any more, or will soon be too old. */
function isDue(
  { value, readAtMs, feedUntilMs, freshUntilMs }: MemoryEntry<unknown>,
  ageMs: number,
  nowMs: number,
): boolean {
  if (nowMs >= freshUntilMs) return true;
  if (nowMs < feedUntilMs - FEED_REFRESH_MS) return false;
  return nowMs >= readAtMs + (value === null ? CACHE_MS : ageMs - CACHE_REFRESH_MS);
}
