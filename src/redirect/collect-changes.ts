import { logFault } from "../caching/fault-log.ts";
import { runConcurrently } from "../core/run-concurrently.ts";
import { SECOND_MS } from "../core/time.ts";
import { withTimeout } from "../core/timeout.ts";
import type { Change, DatabaseNews, News } from "./feed-document.ts";

/** Age from which a database is asked again. */
const POLL_MS = 8 * SECOND_MS;
/** Timeout of a database. One that hangs does not hold up what the others say. */
const POLL_TIMEOUT_MS = 2 * SECOND_MS;
/** Changes of a database beyond which its entries become invalid together, which costs less than telling of each. */
const CHANGES_MAX = 500;
/** Changes that a caller gets at once: it deletes an entry for each, and Workers limit the subrequests of a request. */
const NEWS_MAX = 800;
/** Number of databases that are asked at the same time, as Workers limit the connections of an invocation. */
const CONCURRENT_POLLS_MAX = 6;

/** Database whose changes are collected. */
export interface ChangeSource {
  /** Name in the change feed. */
  name: string;
  /** Returns the number of the last change, and the changes after `cursor` in order: all, or the first {@link CHANGES_MAX} + 1. */
  read(cursor: number | null, limit: number): Promise<{ last: number; changes: Change[] }>;
}

/** Knowledge of a database. */
interface Log {
  /** The changes after this number are known. */
  from: number;
  cursor: number;
  changes: Change[];
  /** Time before the database was asked. */
  askedAtMs: number;
  /** Callers up to this number have missed too many changes. */
  lostUntil: number;
}

/**
 * Collects the changes of all databases for all data centres, so that each database is asked once in some seconds, however
 * many data centres there are, and only while somebody asks. It keeps nothing that the databases do not have: what a
 * caller misses after a restart is read again.
 */
export class ChangeCollection {
  readonly #listSources: () => readonly ChangeSource[];
  readonly #now: () => number;
  readonly #logs = new Map<string, Log>();
  #polling: Promise<void> | undefined;

  constructor(listSources: () => readonly ChangeSource[], now: () => number) {
    this.#listSources = listSources;
    this.#now = now;
  }

  /** Returns what changed after the cursors of a caller. What does not fit is left for the next call. */
  async since(cursors: Readonly<Record<string, number>>): Promise<News> {
    const sources = this.#listSources();
    await this.#poll(sources, cursors);
    const nowMs = this.#now();
    const news: News = {};
    let left = NEWS_MAX;
    // The order changes, so that no database always finds the room taken.
    const first = Math.floor(nowMs / SECOND_MS) % sources.length;
    for (const { name } of [...sources.slice(first), ...sources.slice(0, first)]) {
      const log = this.#logs.get(name);
      const cursor = cursors[name];
      if (log === undefined) continue;
      const told = tell(log, cursor, nowMs);
      if (told === undefined || (told.changes?.length ?? 0) > left) continue;
      left -= told.changes?.length ?? 0;
      news[name] = told;
    }
    return news;
  }

  /** Asks the databases that were not asked for a while, once for all callers that wait. */
  async #poll(sources: readonly ChangeSource[], cursors: Readonly<Record<string, number>>): Promise<void> {
    await this.#polling;
    this.#polling ??= this.#pollAll(sources, cursors).finally(() => {
      this.#polling = undefined;
    });
    await this.#polling;
  }

  /**
   * The first source is asked before the others: what depends on two databases is committed to the others first, so that
   * whoever knows the change of the first knows theirs.
   */
  async #pollAll(sources: readonly ChangeSource[], cursors: Readonly<Record<string, number>>): Promise<void> {
    const [first, ...others] = sources;
    if (first !== undefined) await this.#pollOne(first, cursors[first.name]);
    await runConcurrently(others, CONCURRENT_POLLS_MAX, (source) =>
      this.#pollOne(source, cursors[source.name]),
    );
  }

  /** Asks a database for what is new, or for what the caller has missed. A database that fails stays as it was. */
  async #pollOne(source: ChangeSource, cursor: number | undefined): Promise<void> {
    const askedAtMs = this.#now();
    const log = this.#logs.get(source.name);
    const isMissing = cursor !== undefined && (log === undefined || isBefore(cursor, log));
    if (!isMissing && log !== undefined && askedAtMs < log.askedAtMs + POLL_MS) return;
    const after = isMissing ? cursor : (log?.cursor ?? null);
    try {
      const read = await withTimeout(source.read(after, CHANGES_MAX + 1), POLL_TIMEOUT_MS);
      this.#logs.set(source.name, extend(log, after, { ...read, askedAtMs }));
    } catch (error) {
      logFault("a database could not be asked for its changes", error);
    }
  }
}

/** Returns true if a caller needs changes from before a log that can still be told. */
function isBefore(cursor: number, { from, lostUntil }: Log): boolean {
  return cursor < from && cursor > lostUntil;
}

/** Result of a database: the number of its last change, and the changes after the number that was given. */
interface Poll {
  last: number;
  changes: Change[];
  askedAtMs: number;
}

/**
 * Returns the log after a read of the changes after a number. A database that was restored to an earlier state begins
 * anew, as after too many changes.
 */
function extend(log: Log | undefined, after: number | null, { last, changes, askedAtMs }: Poll): Log {
  const lostUntil = log?.lostUntil ?? -1;
  const anew: Log = { from: last, cursor: last, changes: [], askedAtMs, lostUntil };
  if (after === null) return anew;
  if (last < after) return { ...anew, lostUntil: -1 };
  if (changes.length > CHANGES_MAX) {
    // The long absence of one caller takes nothing from the others.
    const isForOne = log !== undefined && after < log.from;
    return { ...(isForOne ? log : anew), lostUntil: Math.max(after, lostUntil) };
  }
  const isNext = log !== undefined && after === log.cursor;
  const all = isNext ? [...log.changes, ...changes] : changes;
  const kept = all.slice(-CHANGES_MAX);
  const dropped = all[all.length - kept.length - 1];
  const from = dropped?.seq ?? (isNext ? log.from : after);
  return { from, cursor: changes.at(-1)?.seq ?? after, changes: kept, askedAtMs, lostUntil };
}

/** Returns what a log tells a caller, or undefined if the log does not reach back to it. */
function tell(log: Log, cursor: number | undefined, nowMs: number): DatabaseNews | undefined {
  const { cursor: last, askedAtMs } = log;
  const ageMs = nowMs - askedAtMs;
  if (cursor === undefined || cursor > last || cursor <= log.lostUntil) {
    return { cursor: last, ageMs, changes: null };
  }
  if (cursor < log.from) return undefined;
  return { cursor: last, ageMs, changes: log.changes.filter(({ seq }) => seq > cursor) };
}
