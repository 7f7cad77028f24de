import { and, eq, inArray, not, type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { domains, unsettledHosts, workspaces } from "./workspaces.directory.table.ts";

/**
 * Column whose unique index ensures that a host belongs to only one workspace. Constraint errors contain this
 * name if another workspace already has the host.
 */
export const HOSTNAME_COLUMN = "domains.hostname";

/** Time stored with a host's mark as unsettled if the next sweep may settle the host. */
const DUE_MS = 0;

/** Returns the statement that assigns hosts to workspaces. `rows` selects host names and workspace ids. */
export function insertHosts(directory: Database, rows: SQL, nowMs: number) {
  return directory
    .insert(domains)
    .select(sql`select null, hostname, workspace_id, ${nowMs} from (${rows}) where true`);
}

/**
 * Returns the statements that remove a host from a workspace and mark the host as unsettled, because its
 * copies on the shards are then outdated. Does nothing if the host is the primary domain.
 */
export function deleteHost(directory: Database, workspaceId: string, hostname: SQL, nowMs: number) {
  const isPrimary = eq(domains.number, selectPrimary(workspaceId));
  const selected = and(eq(domains.workspaceId, workspaceId), eq(domains.hostname, hostname), not(isPrimary));
  return deleteHosts(directory, selected, nowMs);
}

/**
 * Erases the hosts that were still added to a workspace during its deletion. Returns their number. The next
 * sweep deletes their copies on the shards.
 */
export async function eraseHosts(directory: Database, workspaceId: string): Promise<number> {
  const owned = eq(domains.workspaceId, workspaceId);
  const [, removed] = await directory.batch(deleteHosts(directory, owned, DUE_MS));
  return removed.length;
}

function deleteHosts(directory: Database, selected: SQL | undefined, nowMs: number) {
  return [
    directory
      .insert(unsettledHosts)
      .select(sql`select ${domains.hostname}, ${domains.number}, ${nowMs} from ${domains} where ${selected}`)
      .onConflictDoUpdate({
        target: unsettledHosts.hostname,
        set: { number: sql`excluded.number`, unsettledAt: nowMs },
      }),
    directory.delete(domains).where(selected).returning({ hostname: domains.hostname }),
  ] as const;
}

/** Returns the hosts that workspaces currently have. */
export async function findUsedHosts(directory: Database, hostnames: readonly string[]): Promise<Set<string>> {
  const rows = await directory
    .select({ hostname: domains.hostname })
    .from(domains)
    .where(inArray(domains.hostname, [...hostnames]));
  return new Set(rows.map(({ hostname }) => hostname));
}

/** Returns the SQL expression for the number of the workspace's primary domain, used in `short_url`. */
export function selectPrimary(workspaceId: string): SQL<number> {
  return sql`coalesce(
    (select d.number from workspaces w join domains d on d.number = w.primary_domain and d.workspace_id = w.id
      where w.id = ${workspaceId}),
    (select min(d.number) from domains d where d.workspace_id = ${workspaceId}))`;
}

/** Returns the statement that makes a host the primary domain, if the workspace has it. */
export function setPrimary(directory: Database, workspaceId: string, hostname: SQL) {
  const number = sql`(select ${domains.number} from ${domains}
                       where ${domains.hostname} = ${hostname} and ${domains.workspaceId} = ${workspaceId})`;
  return directory
    .update(workspaces)
    .set({ primaryDomain: number })
    .where(and(eq(workspaces.id, workspaceId), sql`${number} is not null`));
}

/**
 * Marks a host as unsettled before it is copied to the shards. If the host is already marked, the mark keeps
 * the number of the removed host.
 */
export async function unsettleHost(directory: Database, hostname: string, nowMs: number): Promise<void> {
  await directory
    .insert(unsettledHosts)
    .values({ hostname, unsettledAt: nowMs })
    .onConflictDoUpdate({ target: unsettledHosts.hostname, set: { unsettledAt: nowMs } });
}

/**
 * Returns the statement that removes a host's mark as unsettled if a workspace has the host, because the
 * copies of the host are then on all shards.
 */
export function settleOwned(directory: Database, hostname: string) {
  const owned = directory
    .select({ hostname: domains.hostname })
    .from(domains)
    .where(eq(domains.hostname, hostname));
  return directory.delete(unsettledHosts).where(inArray(unsettledHosts.hostname, owned));
}
