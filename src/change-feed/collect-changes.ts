import { logRecurringError } from "../caching/recurring-errors.ts";
import { runConcurrently } from "../core/run-concurrently.ts";
import { SECOND_MS } from "../core/time.ts";
import { withTimeout } from "../core/timeout.ts";
import type { Change, ChangeReport, ChangeReports } from "./feed-document.ts";

/** Minimum time between two polls of a database. */
const POLL_MS = 8 * SECOND_MS;
/** Timeout of one poll, so that a hanging database doesn't delay the others. */
const POLL_TIMEOUT_MS = 2 * SECOND_MS;
/**
 * Maximum number of changes per poll. If a database has more new changes, all cache entries of the database
 * are invalidated instead, which costs less than reporting each change.
 */
const CHANGES_MAX = 500;
/**
 * Maximum number of changes per response. The caller deletes a cache entry for each change, and Workers limit
 * subrequests.
 */
const REPORTED_CHANGES_MAX = 800;
/** Maximum number of parallel polls. Workers limit the connections of an invocation. */
const CONCURRENT_POLLS_MAX = 6;

/** Database whose changes are collected. */
export interface ChangeSource {
  /** Name of the database in the change feed. */
  name: string;
  /** Returns the number of the last change, and up to `limit` changes after `cursor` in order. */
  read(cursor: number | null, limit: number): Promise<{ last: number; changes: Change[] }>;
}

/** Recent changes of one database. */
interface Log {
  /** `changes` has all changes after this number. */
  from: number;
  cursor: number;
  changes: Change[];
  /** Time just before the database was polled. */
  polledAtMs: number;
  /** Callers with a cursor up to this number have missed too many changes. */
  lostUntil: number;
}

/**
 * Collects the changes of all databases for all data centres. Usually polls each database at most once per
 * {@link POLL_MS}, however many data centres there are, and only while data centres request changes. Nothing
 * is stored: changes that a caller misses after a restart are read from the databases again.
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

  /**
   * Returns the changes after a caller's cursors. Changes beyond {@link REPORTED_CHANGES_MAX} are left for
   * the next call.
   */
  async since(cursors: Readonly<Record<string, number>>): Promise<ChangeReports> {
    const sources = this.#listSources();
    await this.#poll(sources, cursors);
    const nowMs = this.#now();
    const reports: ChangeReports = {};
    let left = REPORTED_CHANGES_MAX;
    // Starts with a different database each second, so that no database is always left out.
    const first = Math.floor(nowMs / SECOND_MS) % sources.length;
    for (const { name } of [...sources.slice(first), ...sources.slice(0, first)]) {
      const log = this.#logs.get(name);
      const cursor = cursors[name];
      if (log === undefined) continue;
      const report = buildReport(log, cursor, nowMs);
      if (report === undefined || (report.changes?.length ?? 0) > left) continue;
      left -= report.changes?.length ?? 0;
      reports[name] = report;
    }
    return reports;
  }

  /** Polls all databases that are due, once for all waiting callers. */
  async #poll(sources: readonly ChangeSource[], cursors: Readonly<Record<string, number>>): Promise<void> {
    await this.#polling;
    this.#polling ??= this.#pollAll(sources, cursors).finally(() => {
      this.#polling = undefined;
    });
    await this.#polling;
  }

  /**
   * Polls the first source, the directory, before the others. Changes that span two databases are committed
   * to the shards first, so a caller that receives the directory's change also receives the shard's.
   */
  async #pollAll(sources: readonly ChangeSource[], cursors: Readonly<Record<string, number>>): Promise<void> {
    const [first, ...others] = sources;
    if (first !== undefined) await this.#pollOne(first, cursors[first.name]);
    await runConcurrently(others, CONCURRENT_POLLS_MAX, (source) =>
      this.#pollOne(source, cursors[source.name]),
    );
  }

  /**
   * Polls a database for new changes, or for the changes that the caller missed. If the poll fails, the
   * database's log stays as it was.
   */
  async #pollOne(source: ChangeSource, cursor: number | undefined): Promise<void> {
    const polledAtMs = this.#now();
    const log = this.#logs.get(source.name);
    const isMissing = cursor !== undefined && (log === undefined || isBefore(cursor, log));
    if (!isMissing && log !== undefined && polledAtMs < log.polledAtMs + POLL_MS) return;
    const after = isMissing ? cursor : (log?.cursor ?? null);
    try {
      const read = await withTimeout(source.read(after, CHANGES_MAX + 1), POLL_TIMEOUT_MS);
      this.#logs.set(source.name, extend(log, after, { ...read, polledAtMs }));
    } catch (error) {
      logRecurringError("the changes of a database could not be read", error);
    }
  }
}

/** Returns true if the changes after a cursor have been dropped from the log but can be read again. */
function isBefore(cursor: number, { from, lostUntil }: Log): boolean {
  return cursor < from && cursor > lostUntil;
}

/** Result of polling a database: the number of its last change, and the changes after the given cursor. */
interface Poll {
  last: number;
  changes: Change[];
  polledAtMs: number;
}

/**
 * Returns the log after a poll with the cursor `after`. Starts a new log if there were too many changes, or
 * if the database was restored to an earlier state.
 */
function extend(log: Log | undefined, after: number | null, { last, changes, polledAtMs }: Poll): Log {
  const lostUntil = log?.lostUntil ?? -1;
  const emptyLog: Log = { from: last, cursor: last, changes: [], polledAtMs, lostUntil };
  if (after === null) return emptyLog;
  if (last < after) return { ...emptyLog, lostUntil: -1 };
  if (changes.length > CHANGES_MAX) {
    // A caller that was away for a long time must not reset the log for the others.
    const isForOne = log !== undefined && after < log.from;
    return { ...(isForOne ? log : emptyLog), lostUntil: Math.max(after, lostUntil) };
  }
  const isNext = log !== undefined && after === log.cursor;
  const all = isNext ? [...log.changes, ...changes] : changes;
  const kept = all.slice(-CHANGES_MAX);
  const dropped = all[all.length - kept.length - 1];
  const from = dropped?.seq ?? (isNext ? log.from : after);
  return { from, cursor: changes.at(-1)?.seq ?? after, changes: kept, polledAtMs, lostUntil };
}

/** Returns the report for a caller, or undefined if the log doesn't reach back to the caller's cursor. */
function buildReport(log: Log, cursor: number | undefined, nowMs: number): ChangeReport | undefined {
  const { cursor: last, polledAtMs } = log;
  const ageMs = nowMs - polledAtMs;
  if (cursor === undefined || cursor > last || cursor <= log.lostUntil) {
    return { cursor: last, ageMs, changes: null };
  }
  if (cursor < log.from) return undefined;
  return { cursor: last, ageMs, changes: log.changes.filter(({ seq }) => seq > cursor) };
}
