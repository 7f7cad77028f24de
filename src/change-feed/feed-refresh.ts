import type { DataCentre } from "../caching/data-centre.ts";
import { logRecurringError } from "../caching/recurring-errors.ts";
import { runConcurrently } from "../core/run-concurrently.ts";
import { HOUR_MS, SECOND_MS } from "../core/time.ts";
import { withTimeout } from "../core/timeout.ts";
import { parseOwnHostKey } from "./change-key.ts";
import { advanceFeed, type ChangeReports, type FeedDocument, listCursors } from "./feed-document.ts";

/** Cache keys of the feed and of the lease held by the isolate that refreshes it. */
const FEED_KEY = "feed";
const LEASE_KEY = "feed-lease";
/** Duration of the lease. Other isolates don't refresh the feed during this time. */
const LEASE_MS = 5 * SECOND_MS;
/**
 * Maximum age of a feed that is continued. Older feeds are replaced, because the databases keep their changes
 * for only a day.
 */
const FEED_MAX_AGE_MS = HOUR_MS;
const COLLECTOR_TIMEOUT_MS = 5 * SECOND_MS;
/** Maximum number of parallel deletions. Workers limit the connections of an invocation. */
const CONCURRENT_DELETIONS_MAX = 6;

/** Polls the collector for the changes after each database's cursor. */
export type PollCollector = (cursors: Record<string, number>) => Promise<ChangeReports>;

/** Returns the data centre's feed, or undefined if it is missing or too old. */
export async function readFeed(dataCentre: DataCentre, nowMs: number): Promise<FeedDocument | undefined> {
  const feed = await dataCentre.read<FeedDocument>(FEED_KEY);
  return feed !== undefined && nowMs < feed.askedAtMs + FEED_MAX_AGE_MS ? feed : undefined;
}

/**
 * Updates the data centre's feed and returns it. Deletes changed entries from the cache before the feed
 * confirms that the changes were applied. Returns undefined if another isolate holds the lease. Throws if the
 * collector fails.
 */
export async function refreshFeed(
  dataCentre: DataCentre,
  pollCollector: PollCollector,
  former: FeedDocument | undefined,
  isShortName: (hostname: string) => boolean,
  now: () => number,
): Promise<FeedDocument | undefined> {
  const askedAtMs = now();
  const lease = await dataCentre.read<{ untilMs: number }>(LEASE_KEY);
  if (lease !== undefined && askedAtMs < lease.untilMs) return undefined;
  await dataCentre.write(LEASE_KEY, { untilMs: askedAtMs + LEASE_MS }, LEASE_MS);
  const reports = await withTimeout(pollCollector(listCursors(former)), COLLECTOR_TIMEOUT_MS);
  const failed = await deleteChanged(dataCentre, reports);
  const next = advanceFeed(former, {
    reports,
    askedAtMs,
    failed,
    isOwnHost: (key) => parseOwnHostKey(key) !== null,
    // Links can't redirect to hosts below `SHORT_DOMAIN`, whether or not a workspace uses them.
    isWatchedHost: (key) => !isShortName(parseOwnHostKey(key) ?? ""),
  });
  await dataCentre.write(FEED_KEY, next, FEED_MAX_AGE_MS);
  return next;
}

/**
 * Deletes changed entries from the data centre's cache. Returns the databases for which a deletion failed.
 */
async function deleteChanged(dataCentre: DataCentre, reports: ChangeReports): Promise<Set<string>> {
  const failed = new Set<string>();
  await runConcurrently(listChangedKeys(reports), CONCURRENT_DELETIONS_MAX, async ([database, key]) => {
    if (failed.has(database)) return;
    try {
      await dataCentre.delete(key);
    } catch (error) {
      failed.add(database);
      logRecurringError("a changed entry could not be deleted from the data centre's cache", error);
    }
  });
  return failed;
}

/** Lists the keys of changed entries with their databases, without duplicates. */
function listChangedKeys(reports: ChangeReports): [database: string, key: string][] {
  const keys = new Map<string, string>();
  for (const [database, { changes }] of Object.entries(reports)) {
    for (const change of changes ?? []) {
      const key = `${database}/${change.key}`;
      if (parseOwnHostKey(key) === null) keys.set(key, database);
    }
  }
  return [...keys].map(([key, database]) => [database, key]);
}
