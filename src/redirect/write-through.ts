import type { Link } from "../links/links.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { buildTarget } from "./target.ts";
import { addressKey, type CachedTarget, remember, writeDataCentreCache } from "./target-cache.ts";

const PUTS_AT_ONCE = 50;
/**
 * A request may ask Cloudflare 1,000 things. Of a bulk change on a workspace of many hosts, the last hosts learn as other
 * data centres do: within 35 seconds.
 */
const PUTS_MAX = 900;

interface RefreshOptions {
  /** Those of the links' hosts that workspaces have. None for links just made: the database refuses such hosts then. */
  ownHosts?: readonly string[];
  freedCodeKeys?: readonly string[];
}

/**
 * Tells this data centre of changed links and freed codes, so that its next redirect sees them. The new state is
 * written through, not merely forgotten: a replica that lags behind would bring the old one back.
 */
export async function writeThrough(
  { settings, workspace, nowMs }: Tenant,
  changed: readonly Link[],
  { ownHosts = [], freedCodeKeys = [] }: RefreshOptions = {},
): Promise<void> {
  const findings: [string, CachedTarget][] = [
    ...changed.map((link): [string, CachedTarget] => [
      link.codeKey,
      { target: buildTarget(link, ownHosts, settings), readAtMs: nowMs },
    ]),
    ...freedCodeKeys.map((codeKey): [string, CachedTarget] => [codeKey, { target: null, readAtMs: nowMs }]),
  ];
  const puts = workspace.hostnames.flatMap((hostname) =>
    findings.map(([codeKey, finding]) => {
      const key = addressKey(hostname, codeKey);
      return { key, finding: remember(key, finding, nowMs) };
    }),
  );
  for (let start = 0; start < Math.min(puts.length, PUTS_MAX); start += PUTS_AT_ONCE) {
    const some = puts.slice(start, start + PUTS_AT_ONCE);
    await Promise.all(some.map(({ key, finding }) => writeDataCentreCache(key, finding)));
  }
}
