import { DAY_MS, MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { hashKey } from "./change-key.ts";

/**
 * Time for which the feed says what is current, from the time before its databases were asked. It bounds the time until
 * a change is seen. It is longer than the ages from which collector, data centre and isolate look again, together.
 */
export const FEED_FRESH_MS = 33 * SECOND_MS;
/** Time for which changes are remembered: at least, as an entry may be written so long after its read began; and at most. */
export const RECENT_MIN_MS = 2 * MINUTE_MS;
export const RECENT_MAX_MS = 10 * MINUTE_MS;
/** Numbers of changes up to which the longest time applies, and that are remembered at most. */
const RECENT_USUAL = 500;
const RECENT_MAX = 20_000;
/** Changes of own hosts are remembered as long as an entry of a link lives, and so many of them at most. */
const OWN_HOSTS_MS = DAY_MS;
const OWN_HOSTS_MAX = 500;

/** Change of a key. The numbers of a database's changes follow its commits. */
export interface Change {
  seq: number;
  /** Key without the name of the database. */
  key: string;
}

/** Report of the collector about a database. */
export interface DatabaseNews {
  /** Number of the last change. */
  cursor: number;
  /** Time since the database was asked. An age needs no common clock. */
  ageMs: number;
  /** Changes after the cursor of the caller. Null if there are too many, or if the caller has no cursor. */
  changes: Change[] | null;
}

/** Names of databases with what the collector says. A database that did not answer is absent or old. */
export type News = Record<string, DatabaseNews>;

/** Knowledge of a data centre about a database's changes. */
export interface DatabaseState {
  /** Number of the last change that was followed. */
  cursor: number;
  /** Entries that were read before this change may have missed a deletion. */
  from: number;
  /** All changes after this one are remembered. */
  recentFrom: number;
  /** Time before which every commit is known, in Unix milliseconds. */
  collectedAtMs: number;
}

/** Change that is remembered: hash of the key, its number, its database, and the time at which the data centre heard of it. */
export type RecentChange = [hash: number, seq: number, database: string, heardAtMs: number];

/** The change feed of a data centre. */
export interface FeedDocument {
  /** Time before the collector was asked last. */
  askedAtMs: number;
  databases: Record<string, DatabaseState>;
  recent: RecentChange[];
  /** Changes of own hosts, which no key of a link names. */
  ownHosts: RecentChange[];
}

/** Fate of the news in the data centre. */
export interface Delivery {
  news: News;
  /** Time before the collector was asked. */
  askedAtMs: number;
  /** Databases whose changed entries could not be deleted. */
  failed: ReadonlySet<string>;
  /** Returns true for a change of an own host that must be remembered, false for one that concerns no link. */
  isWatchedHost(key: string): boolean;
  /** Returns true for the key of an own host. */
  isOwnHost(key: string): boolean;
}

/**
 * Returns the feed of a data centre after the news, whose changed entries were deleted from its cache. What could not be
 * deleted stays unknown, so that the next news tell of it again.
 */
export function advanceFeed(former: FeedDocument | undefined, delivery: Delivery): FeedDocument {
  const { news, askedAtMs, failed } = delivery;
  const next: FeedDocument = {
    askedAtMs,
    databases: { ...former?.databases },
    recent: [...(former?.recent ?? [])],
    ownHosts: [...(former?.ownHosts ?? [])],
  };
  for (const [database, { cursor, ageMs, changes }] of Object.entries(news)) {
    if (failed.has(database)) continue;
    const state = next.databases[database];
    const collectedAtMs = askedAtMs - ageMs;
    if (state === undefined || changes === null) {
      next.databases[database] = { cursor, from: cursor, recentFrom: cursor, collectedAtMs };
      continue;
    }
    next.databases[database] = { ...state, cursor, collectedAtMs };
    for (const { seq, key } of changes) remember(next, delivery, database, seq, `${database}/${key}`);
  }
  return forgetOld(next, askedAtMs);
}

function remember(
  { recent, ownHosts }: FeedDocument,
  { askedAtMs, isOwnHost, isWatchedHost }: Delivery,
  database: string,
  seq: number,
  key: string,
): void {
  const change: RecentChange = [hashKey(key), seq, database, askedAtMs];
  if (!isOwnHost(key)) recent.push(change);
  else if (isWatchedHost(key)) ownHosts.push(change);
}

/** Forgets changes that are old or too many. */
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

/** Returns the numbers after which the collector is asked. */
export function listCursors(feed: FeedDocument | undefined): Record<string, number> {
  const databases = Object.entries(feed?.databases ?? {});
  return Object.fromEntries(databases.map(([database, { cursor }]) => [database, cursor]));
}
