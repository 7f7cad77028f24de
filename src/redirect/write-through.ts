import { waitAtMost } from "../core/timeout.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { addressKey, type CachedTarget } from "./cached-target.ts";
import { buildTarget, type TargetColumns } from "./target.ts";
import { writeTargetCache } from "./target-cache.ts";
import { remember } from "./target-memory.ts";

/** Number of simultaneous cache writes, as Workers limit the connections of an invocation. */
const CONCURRENT_PUTS_MAX = 6;
/**
 * Maximum number of cache writes, below the 1,000 subrequests of a Worker request. A bulk change in a workspace with
 * many hosts may exceed it; the remaining hosts then see the change as other data centres do, within 35 seconds.
 */
const PUTS_MAX = 900;
/** Time after which a caller no longer waits for a cache that completes no write. The writes go on after the response. */
const STANDSTILL_MS = 50;

/** Link as it is stored now, with the key of its code. */
type WrittenLink = TargetColumns & { codeKey: string };

/** Changes of links that redirects must see. */
export interface LinkChanges {
  /** New state of every link that was updated, or created with a slug that visitors may have requested before. */
  changed: readonly WrittenLink[];
  /** New links with generated codes. Hardly anybody has requested one of these before: there are 10^12 codes. */
  generated: readonly WrittenLink[];
  /** Hosts of the links that workspaces of this deployment added. */
  ownHosts: readonly string[];
  /** Keys of the codes of deleted links. */
  freedCodeKeys: readonly string[];
}

/** State of a code, by its key. */
type Entry = [codeKey: string, CachedTarget];

/** State of an address to be written to the data centre's cache. */
interface Put {
  key: string;
  cached: CachedTarget;
}

/**
 * Writes changes of links to this isolate's memory and this data centre's cache, so that their next redirect sees them.
 * Links with generated codes go to the memory only. Called when the changes are committed. It stores the new state instead
 * of deleting the old one, because a replica that lags behind would restore the old one. Neither fails nor waits long if
 * the cache does.
 */
export async function writeThrough(
  { settings, workspace, waitUntil }: Pick<Tenant, "settings" | "workspace" | "waitUntil">,
  { changed, generated, ownHosts, freedCodeKeys }: LinkChanges,
): Promise<void> {
  // Later than the commit, so that the state of a read which began before it does not count as later.
  const readAtMs = Date.now();
  const toEntry = (link: WrittenLink): Entry => [
    link.codeKey,
    { target: buildTarget(link, ownHosts, settings), readAtMs },
  ];
  const rememberAll = (entries: readonly Entry[]): Put[] =>
    workspace.hostnames.flatMap((hostname) =>
      entries.map(([codeKey, entry]) => {
        const key = addressKey(hostname, codeKey);
        return { key, cached: remember(key, entry, readAtMs) };
      }),
    );
  rememberAll(generated.map(toEntry));
  const freed = freedCodeKeys.map((codeKey): Entry => [codeKey, { target: null, readAtMs }]);
  const puts = rememberAll([...changed.map(toEntry), ...freed]);
  const progress = { left: Math.min(puts.length, PUTS_MAX) };
  const writing = writeAll(puts.slice(0, PUTS_MAX), progress);
  waitUntil(writing);
  await waitWhileMoving(writing, progress);
}

async function writeAll(puts: readonly Put[], progress: { left: number }): Promise<void> {
  const waiting = puts.values();
  const writeNext = async () => {
    for (const { key, cached } of waiting) {
      await writeTargetCache(key, cached);
      progress.left -= 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_PUTS_MAX }, writeNext));
}

/** Waits for the writes as long as some of them complete. */
async function waitWhileMoving(writing: Promise<void>, progress: { left: number }): Promise<void> {
  let left: number;
  do {
    left = progress.left;
    await waitAtMost(writing, STANDSTILL_MS);
  } while (progress.left > 0 && progress.left < left);
}
