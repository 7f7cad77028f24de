import { and, eq, sql } from "drizzle-orm";
import { updated } from "../audit/describe-changes.ts";
import { logDirectoryChange } from "../audit/directory-log.ts";
import type { LogContext } from "../audit/insert-entries.ts";
import { isUniqueViolation } from "../db/constraint.ts";
import type { Database } from "../db/database.ts";
import { isErased } from "../tenant/deleted-workspaces.ts";
import { copyHosts } from "../tenant/host-copies.ts";
import { HOSTNAME_COLUMN, insertHosts, settleOwned, unsettleHost } from "../tenant/host-ownership.ts";
import { domains, workspaces } from "../tenant/workspaces.directory.table.ts";
import { domainClaims as claims } from "./claims.directory.table.ts";
import { auditedDomain, buildActiveChange } from "./domain-audit.ts";
import { claimById } from "./workspace-domains.ts";

/** Claim of a host whose ownership is proved. */
export interface ProvedClaim {
  id: string;
  workspaceId: string;
  hostname: string;
}

/**
 * Gives a host to the workspace that proved its claim. Returns false if another workspace has the host.
 *
 * The host is copied to the shards before it's written to the directory, so that the shards reject links to
 * the host before the host starts to redirect. A crash in between leaves an unsettled host. The change is
 * logged only if `log` is given; the cron passes none.
 */
export async function activateDomain(
  directory: Database,
  shards: readonly Database[],
  { id, workspaceId, hostname }: ProvedClaim,
  nowMs: number,
  log?: LogContext,
): Promise<boolean> {
  await unsettleHost(directory, hostname, nowMs);
  await Promise.all(shards.map((shard) => copyHosts(shard, [{ hostname, number: null }])));
  // The claim or its workspace may have been deleted since.
  const claim = sql`select ${claims.hostname} as hostname, ${claims.workspaceId} as workspace_id
                      from ${claims} join ${workspaces} on ${workspaces.id} = ${claims.workspaceId}
                     where ${claims.id} = ${id} and ${claims.workspaceId} = ${workspaceId}
                       and not ${isErased()}`;
  const byId = claimById(workspaceId, id);
  const activated = updated(auditedDomain, byId, {}, buildActiveChange());
  const logging = log === undefined ? [] : [logDirectoryChange({ ...log, directory }, activated)];
  try {
    const batch = [...logging, insertHosts(directory, claim, nowMs), settleOwned(directory, hostname)];
    await directory.batch(batch as [(typeof batch)[number]]);
    return true;
  } catch (error) {
    if (!isUniqueViolation(error, HOSTNAME_COLUMN)) throw error;
  }
  const isOwn = and(eq(domains.hostname, hostname), eq(domains.workspaceId, workspaceId));
  const [, owned] = await directory.batch([
    settleOwned(directory, hostname),
    directory.select({ hostname: domains.hostname }).from(domains).where(isOwn),
  ]);
  return owned.length > 0;
}
