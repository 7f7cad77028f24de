import { inArray, max, type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { ownHosts } from "./tenant.table.ts";

/** Host with its number in the directory. The number is null for a host that is about to be added. */
export interface NumberedHost {
  number: number | null;
  hostname: string;
}

/** Returns the host names that workspaces of this deployment have added. */
export async function findOwnDomains(db: Database, hostnames: readonly string[]): Promise<Set<string>> {
  const found = await selectOwnDomains(db, sql`select value from json_each(${JSON.stringify(hostnames)})`);
  return new Set(found.map(({ hostname }) => hostname));
}

/** Returns the statement that selects workspaces' hosts among the host names of a subquery. */
export function selectOwnDomains(db: Database, hostnames: SQL) {
  return db
    .select({ hostname: ownHosts.hostname })
    .from(ownHosts)
    .where(inArray(ownHosts.hostname, sql`(${hostnames})`));
}

/** Returns the number of the last host that was copied from the directory to a shard. */
export async function findLastCopied(shard: Database): Promise<number> {
  const [row] = await shard.select({ last: max(ownHosts.number) }).from(ownHosts);
  return row?.last ?? 0;
}

/** Returns the statement that copies hosts to a shard. The cron adds missing numbers later. */
export function copyHosts(shard: Database, hosts: readonly NumberedHost[]) {
  return shard
    .insert(ownHosts)
    .select(
      sql`select value ->> 'hostname', value ->> 'number' from json_each(${JSON.stringify(hosts)}) where true`,
    )
    .onConflictDoUpdate({
      target: ownHosts.hostname,
      set: { number: sql`coalesce(excluded.number, ${ownHosts.number})` },
    });
}

/**
 * Returns the statement that deletes the copies of hosts that were removed with these numbers or were never
 * added. Keeps the copies of hosts that have been added again since.
 */
export function removeHostCopies(shard: Database, hosts: readonly NumberedHost[]) {
  const former = sql`(select copy.hostname from json_each(${JSON.stringify(hosts)})
                        cross join ${ownHosts} as copy on copy.hostname = value ->> 'hostname'
                       where copy.number is null or copy.number <= value ->> 'number')`;
  return shard.delete(ownHosts).where(inArray(ownHosts.hostname, former));
}
