import type { Link } from "../links/links.ts";
import type { Tenant } from "../workspace/tenant.ts";
import { targetOf } from "./target.ts";
import { addressKey, cache, type Finding, remember } from "./target-cache.ts";

interface RefreshOptions {
  /** Those of the links' hosts that workspaces have. None for links just made: the database refuses such hosts then. */
  ownHosts?: readonly string[];
  freedCodeKeys?: readonly string[];
}

/**
 * Tells this data centre of changed links and freed codes, so that its next redirect sees them. The new state is
 * written through, not merely forgotten: a replica that lags behind would bring the old one back.
 */
export async function refreshTargets(
  { settings, workspace, nowMs }: Tenant,
  changed: readonly Link[],
  { ownHosts = [], freedCodeKeys = [] }: RefreshOptions = {},
): Promise<void> {
  const findings: [string, Finding][] = [
    ...changed.map((link): [string, Finding] => [
      link.codeKey,
      { target: targetOf(link, ownHosts, settings), readAtMs: nowMs },
    ]),
    ...freedCodeKeys.map((codeKey): [string, Finding] => [codeKey, { target: null, readAtMs: nowMs }]),
  ];
  await Promise.all(
    findings.flatMap(([codeKey, finding]) =>
      workspace.hostnames.map((hostname) => {
        const key = addressKey(hostname, codeKey);
        remember(key, finding, nowMs);
        return cache(key, finding);
      }),
    ),
  );
}
