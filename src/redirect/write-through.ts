import type { Tenant } from "../tenant/tenant.ts";
import { buildTarget, type TargetColumns } from "./target.ts";
import { addressKey, type CachedTarget, remember, writeDataCentreCache } from "./target-cache.ts";

const CONCURRENT_PUTS_MAX = 50;
/**
 * Maximum number of cache writes, below the 1,000 subrequests of a Worker request. A bulk change in a workspace with
 * many hosts may exceed it; the remaining hosts then see the change as other data centres do, within 35 seconds.
 */
const PUTS_MAX = 900;

/** Changes of links that redirects must see. */
export interface LinkChanges {
  /** New state of every link that was created or updated. */
  changed: readonly (TargetColumns & { codeKey: string })[];
  /** Hosts of the links that workspaces of this deployment added. */
  ownHosts: readonly string[];
  /** Keys of the codes of deleted links. */
  freedCodeKeys: readonly string[];
}

/**
 * Writes changes of links to this isolate's memory and this data centre's cache, so that their next redirect sees them.
 * It stores the new state instead of deleting the old one, because a replica that lags behind would restore the old one.
 */
export async function writeThrough(
  { settings, workspace, nowMs }: Pick<Tenant, "settings" | "workspace" | "nowMs">,
  { changed, ownHosts, freedCodeKeys }: LinkChanges,
): Promise<void> {
  const entries: [string, CachedTarget][] = [
    ...changed.map((link): [string, CachedTarget] => [
      link.codeKey,
      { target: buildTarget(link, ownHosts, settings), readAtMs: nowMs },
    ]),
    ...freedCodeKeys.map((codeKey): [string, CachedTarget] => [codeKey, { target: null, readAtMs: nowMs }]),
  ];
  const puts = workspace.hostnames.flatMap((hostname) =>
    entries.map(([codeKey, entry]) => {
      const key = addressKey(hostname, codeKey);
      return { key, cached: remember(key, entry, nowMs) };
    }),
  );
  for (let start = 0; start < Math.min(puts.length, PUTS_MAX); start += CONCURRENT_PUTS_MAX) {
    const step = puts.slice(start, start + CONCURRENT_PUTS_MAX);
    await Promise.all(step.map(({ key, cached }) => writeDataCentreCache(key, cached)));
  }
}
