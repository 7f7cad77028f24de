import { runConcurrently } from "../core/run-concurrently.ts";
import { waitAtMost } from "../core/timeout.ts";
import type { Tenant } from "../tenant/tenant.ts";
import type { CachedEntry } from "./cached-entry.ts";
import { formatLinkPrefix } from "./change-key.ts";
import { type DataCentre, openDataCentre } from "./data-centre.ts";
import { writeEntry } from "./entry-resolver.ts";
import { tellLocalChanges } from "./local-changes.ts";
import { resolver } from "./resolve.ts";
import { buildTarget, type Target, type TargetColumns } from "./target.ts";
import { TARGET_KIND } from "./target-read.ts";

/** Number of simultaneous cache writes, as Workers limit the connections of an invocation. */
const CONCURRENT_PUTS_MAX = 6;
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

/** State of a link to be written to the data centre's cache. */
interface Put {
  key: string;
  entry: CachedEntry<Target>;
}

/**
 * Writes changes of links to this isolate's memory and this data centre's cache, so that their next redirect sees them.
 * Links with generated codes go to the memory only. Called when the changes are committed. It stores the new state instead
 * of deleting the old one, because a replica that lags behind would restore the old one. The change feed tells the other
 * data centres. Neither fails nor waits long if the cache does.
 */
export async function writeThrough(
  { settings, workspace, waitUntil }: Pick<Tenant, "settings" | "workspace" | "waitUntil">,
  { changed, generated, ownHosts, freedCodeKeys }: LinkChanges,
): Promise<void> {
  // Later than the commit, so that the state of a read which began before it does not count as later.
  const readAtMs = Date.now();
  const prefix = formatLinkPrefix(workspace.shard, workspace.id);
  const remember = (codeKey: string, value: Target | null): Put => {
    const key = prefix + codeKey;
    const { links, watch } = resolver;
    // Without a stamp: the feed says later than the commit which change this was.
    const entry = links.remember(key, { value, readAtMs, stamp: null }, watch.view, readAtMs, "memory");
    return { key, entry: { value: entry.value, readAtMs: entry.readAtMs, stamp: entry.stamp } };
  };
  const rememberLink = (link: WrittenLink) => remember(link.codeKey, buildTarget(link, ownHosts, settings));
  generated.forEach(rememberLink);
  const puts = [...changed.map(rememberLink), ...freedCodeKeys.map((codeKey) => remember(codeKey, null))];
  if (puts.length === 0) return;
  const progress = { left: puts.length };
  const dataCentre = openDataCentre(settings);
  const writing = writeAll(dataCentre, puts, progress);
  const keys = puts.map(({ key }) => key);
  waitUntil(writing.then(() => tellLocalChanges(dataCentre, keys, readAtMs)));
  await waitWhileMoving(writing, progress);
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

/** Waits for the writes as long as some of them complete. */
async function waitWhileMoving(writing: Promise<void>, progress: { left: number }): Promise<void> {
  let left: number;
  do {
    left = progress.left;
    await waitAtMost(writing, STANDSTILL_MS);
  } while (progress.left > 0 && progress.left < left);
}
