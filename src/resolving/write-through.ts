import { type DataCentre, openDataCentre } from "../caching/data-centre.ts";
import { formatLinkPrefix } from "../change-feed/change-key.ts";
import { shareLocalChanges } from "../change-feed/local-changes.ts";
import { logError } from "../core/log.ts";
import { runConcurrently } from "../core/run-concurrently.ts";
import { waitAtMost } from "../core/timeout.ts";
import type { Database } from "../db/database.ts";
import type { Tenant } from "../tenant/tenant.ts";
import type { CachedEntry } from "./cached-entry.ts";
import { writeEntry } from "./entry-resolver.ts";
import { resolver } from "./resolve.ts";
import { buildTarget, type TargetColumns, type TargetEntry } from "./target.ts";
import { readEntries, TARGET_KIND } from "./target-read.ts";

/** Maximum number of parallel cache writes. Workers limit the connections of an invocation. */
const CONCURRENT_PUTS_MAX = 6;
/** Maximum number of cache writes of a change. Workers limit the subrequests of an invocation. */
const PUTS_MAX = 500;
/**
 * Time without a completed write after which the caller stops waiting. The writes continue after the
 * response.
 */
const STANDSTILL_MS = 50;

/** Link as it is stored now, with the key of its code. */
type WrittenLink = TargetColumns & { codeKey: string };

/** Changes of links that redirects must see. */
export interface LinkChanges {
  /**
   * New states of links that were updated, or created with a custom slug that visitors may have requested
   * before.
   */
  changed: readonly WrittenLink[];
  /**
   * New links with generated codes. There are 10^12 codes, so earlier requests for these are very unlikely.
   */
  generated: readonly WrittenLink[];
  /** Hosts among the links' destinations that workspaces have added. */
  ownHosts: readonly string[];
  /** Names that block destinations of the links. */
  blockedNames: ReadonlySet<string>;
  /** Code keys of deleted links. */
  freedCodeKeys: readonly string[];
  /**
   * Keys that the changed links have, or had, aliases with, or that other links have aliases with. Their
   * entries are read after the commit, because they may contain several links.
   */
  sharedKeys: readonly string[];
}

/** Entry to write to the data centre's cache. */
interface Put {
  key: string;
  entry: CachedEntry<TargetEntry>;
}

/**
 * Writes changes of links to this isolate's memory and this data centre's cache, so that the next redirects
 * of these links use them. Called after the commit. Links with generated codes are only written to memory.
 * Writes the new state instead of deleting the old one, because a lagging replica would restore the old
 * state. Other data centres get the change through the change feed. If the cache fails, the caller neither
 * fails nor waits long.
 */
export async function writeThrough(
  tenant: Pick<Tenant, "db" | "settings" | "workspace" | "waitUntil">,
  { changed, generated, ownHosts, blockedNames, freedCodeKeys, sharedKeys }: LinkChanges,
): Promise<void> {
  const { settings, workspace, waitUntil } = tenant;
  // Read after the commit, so that a state read before the commit never counts as more recent.
  const readAtMs = Date.now();
  const prefix = formatLinkPrefix(workspace.shard, workspace.id);
  const shared = await readShared(tenant, sharedKeys);
  const isShared = ({ codeKey }: { codeKey: string }) => sharedKeys.includes(codeKey);
  const remember = (codeKey: string, value: TargetEntry | null): Put => {
    const key = prefix + codeKey;
    const { links, watch } = resolver;
    // Without a stamp, because the number of the change isn't available yet.
    const entry = links.remember(key, { value, readAtMs, stamp: null }, watch.view, readAtMs, "memory");
    return { key, entry: { value: entry.value, readAtMs: entry.readAtMs, stamp: entry.stamp } };
  };
  const rememberLink = (link: WrittenLink) =>
    remember(link.codeKey, buildTarget(link, ownHosts, blockedNames, settings));
  for (const link of generated) if (!isShared(link)) rememberLink(link);
  const puts = [
    ...changed.filter((link) => !isShared(link)).map(rememberLink),
    ...freedCodeKeys.filter((codeKey) => !isShared({ codeKey })).map((codeKey) => remember(codeKey, null)),
    ...[...shared].map(([codeKey, entry]) => remember(codeKey, entry)),
  ].slice(0, PUTS_MAX);
  if (puts.length === 0) return;
  const progress = { left: puts.length };
  const dataCentre = openDataCentre(settings);
  const writing = writeAll(dataCentre, puts, progress);
  const keys = puts.map(({ key }) => key);
  waitUntil(writing.then(() => shareLocalChanges(dataCentre, keys, readAtMs)));
  await waitWhileMoving(writing, progress);
}

/**
 * Reads the entries of shared keys. If that fails, the change is seen here as in other data centres: through
 * the change feed.
 */
async function readShared(
  { db, settings, workspace }: Pick<Tenant, "db" | "settings" | "workspace">,
  keys: readonly string[],
): Promise<Map<string, TargetEntry | null>> {
  if (keys.length === 0) return new Map();
  const { $client } = db as Database & { $client: D1Database };
  try {
    return await readEntries($client, settings, workspace.id, keys.slice(0, PUTS_MAX));
  } catch (error) {
    logError("the aliases of a changed link could not be read", error);
    return new Map();
  }
}

async function writeAll(
  dataCentre: DataCentre,
  puts: readonly Put[],
  progress: { left: number },
): Promise<void> {
  await runConcurrently(puts, CONCURRENT_PUTS_MAX, async ({ key, entry }) => {
    await writeEntry(dataCentre, TARGET_KIND, key, entry);
    progress.left -= 1;
  });
}

/** Waits for the writes as long as they make progress. */
async function waitWhileMoving(writing: Promise<void>, progress: { left: number }): Promise<void> {
  let left: number;
  do {
    left = progress.left;
    await waitAtMost(writing, STANDSTILL_MS);
  } while (progress.left > 0 && progress.left < left);
}
