// Pure: no I/O, clock or randomness.
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { hashChangeKey } from "./change-key.ts";

/**
 * Time for which the feed is valid, counted from just before the databases were polled. This time bounds how
 * late a change becomes visible, and must exceed the sum of the poll intervals of collector, data centre and
 * isolate.
 */
export const FEED_FRESH_MS = 33 * SECOND_MS;
/**
 * Minimum and maximum time for which changes are remembered. An entry may be written up to two minutes after
 * its read began.
 */
export const RECENT_MIN_MS = 2 * MINUTE_MS;
export const RECENT_MAX_MS = 10 * MINUTE_MS;
/** Number of changes up to which the maximum time applies, and the maximum number of remembered changes. */
const RECENT_USUAL = 500;
const RECENT_MAX = 20_000;
/**
 * Maximum time and number for changes of own hosts (hosts that workspaces added). These changes are
 * remembered as long as a link's cache entry lives.
 */
const OWN_HOSTS_MS = DAY_MS;
const OWN_HOSTS_MAX = 500;

/** Change of a key. Numbers follow the commit order of a database. */
export interface Change {
  seq: number;
  /** Key without the name of the database. */
  key: string;
}

/** Collector's report about one database. */
export interface ChangeReport {
  /** Number of the last change. */
  cursor: number;
  /** Time since the database was polled. An age instead of a time, because clocks may differ. */
  ageMs: number;
  /** Changes after the caller's cursor. Null if there are too many, or if the caller has no cursor. */
  changes: Change[] | null;
}

/** Reports by database. A database that didn't respond is missing or has an old report. */
export type ChangeReports = Record<string, ChangeReport>;

/** State of a database's changes in a data centre. */
export interface DatabaseState {
  /** Number of the last change that was applied to the cache. */
  cursor: number;
  /** Cache entries that were read before this change may have missed their deletion. */
  from: number;
  /** All changes after this number are remembered. */
  recentFrom: number;
  /** All commits before this time have been seen. Unix milliseconds. */
  collectedAtMs: number;
}

/**
 * Remembered change: hash of the key, number, database, and the time at which the data centre received it.
 */
export type RecentChange = [hash: number, seq: number, database: string, receivedAtMs: number];

/**
 * Change feed of a data centre: recent changes by which isolates find out which cache entries are outdated.
 */
export interface FeedDocument {
  /** Time just before the last call of the collector. */
  askedAtMs: number;
  databases: Record<string, DatabaseState>;
  recent: RecentChange[];
  /** Changes of own hosts. They are kept separately, because link keys don't contain these hosts. */
  ownHosts: RecentChange[];
}

/** Update of the feed after the collector's reports have been applied to the cache. */
export interface FeedUpdate {
  reports: ChangeReports;
  /** Time just before the collector was called. */
  askedAtMs: number;
  /** Databases whose changed entries could not be deleted. */
  failed: ReadonlySet<string>;
  /**
   * Returns true if the change of an own host must be remembered, false if no link can redirect to the host.
   */
  isWatchedHost(key: string): boolean;
  /** Returns true for the key of an own host. */
  isOwnHost(key: string): boolean;
}

/**
 * Returns the feed after an update. The changed entries must already be deleted from the data centre's cache.
 * Databases with failed deletions keep their cursor, so that the next report contains the same changes.
 */
export function advanceFeed(former: FeedDocument | undefined, update: FeedUpdate): FeedDocument {
  const { reports, askedAtMs, failed } = update;
  const next: FeedDocument = {
    askedAtMs,
    databases: { ...former?.databases },
    recent: [...(former?.recent ?? [])],
    ownHosts: [...(former?.ownHosts ?? [])],
  };
  for (const [database, { cursor, ageMs, changes }] of Object.entries(reports)) {
    if (failed.has(database)) continue;
    const state = next.databases[database];
    const collectedAtMs = askedAtMs - ageMs;
    if (state === undefined || changes === null) {
      next.databases[database] = { cursor, from: cursor, recentFrom: cursor, collectedAtMs };
      continue;
    }
    next.databases[database] = { ...state, cursor, collectedAtMs };
    for (const { seq, key } of changes) remember(next, update, database, seq, `${database}/${key}`);
  }
  return forgetOld(next, askedAtMs);
}

function remember(
  { recent, ownHosts }: FeedDocument,
  { askedAtMs, isOwnHost, isWatchedHost }: FeedUpdate,
  database: string,
  seq: number,
  key: string,
): void {
  const change: RecentChange = [hashChangeKey(key), seq, database, askedAtMs];
  if (!isOwnHost(key)) recent.push(change);
  else if (isWatchedHost(key)) ownHosts.push(change);
}

/** Removes changes that are too old or too many. */
function forgetOld(feed: FeedDocument, nowMs: number): FeedDocument {
  const databases = { ...feed.databases };
  const forget = ([, seq, database]: RecentChange, isEarly: boolean) => {
    const state = databases[database];
    if (state === undefined) return;
    databases[database] = {
      ...state,
      recentFrom: Math.max(state.recentFrom, seq),
      from: isEarly ? Math.max(state.from, seq) : state.from,
    };
  };
  const recentMs = feed.recent.length > RECENT_USUAL ? RECENT_MIN_MS : RECENT_MAX_MS;
  const recent = feed.recent.filter((change, index) => {
    const isEarly = index < feed.recent.length - RECENT_MAX;
    const isKept = !isEarly && nowMs < change[3] + recentMs;
    if (!isKept) forget(change, isEarly);
    return isKept;
  });
  const ownHosts = feed.ownHosts.filter((change, index) => {
    const isEarly = index < feed.ownHosts.length - OWN_HOSTS_MAX;
    if (isEarly) forget(change, true);
    return !isEarly && nowMs < change[3] + OWN_HOSTS_MS;
  });
  return { askedAtMs: nowMs, databases, recent, ownHosts };
}

/** Returns the cursor of each database, to send to the collector. */
export function listCursors(feed: FeedDocument | undefined): Record<string, number> {
  const databases = Object.entries(feed?.databases ?? {});
  return Object.fromEntries(databases.map(([database, { cursor }]) => [database, cursor]));
}
