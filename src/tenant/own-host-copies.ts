import { and, eq, inArray, isNull, lte, max, or, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { ownHosts } from "./tenant.table.ts";

/** Host of a workspace in the directory. */
export interface NumberedHost {
  number: number;
  hostname: string;
}

/** Returns the number of the last host copied to a shard. */
export async function findLastCopied(shard: Database): Promise<number> {
  const [row] = await shard.select({ last: max(ownHosts.number) }).from(ownHosts);
  return row?.last ?? 0;
}

export async function copyHosts(shard: Database, hosts: readonly NumberedHost[]): Promise<void> {
  await shard
    .insert(ownHosts)
    .select(
      sql`select value ->> 'hostname', value ->> 'number' from json_each(${JSON.stringify(hosts)}) where true`,
    )
    .onConflictDoUpdate({ target: ownHosts.hostname, set: { number: sql`excluded.number` } });
}

/** Deletes the copies of hosts that no longer belong to a workspace. */
export async function removeHostCopies(shard: Database, hostnames: readonly string[]): Promise<void> {
  await shard.delete(ownHosts).where(inArray(ownHosts.hostname, [...hostnames]));
}

/** Copies a host that is about to be added. The cron adds its number later. */
export async function copyHostname(shard: Database, hostname: string): Promise<void> {
  await shard.insert(ownHosts).values({ hostname }).onConflictDoNothing();
}

/**
 * Deletes the copy of a host that was removed with this number or was never added. Keeps the copy if the host
 * has been added again since.
 */
export async function removeHostCopy(
  shard: Database,
  { hostname, number }: { hostname: string; number: number | null },
): Promise<void> {
  const isFormer = or(isNull(ownHosts.number), lte(ownHosts.number, number ?? 0));
  await shard.delete(ownHosts).where(and(eq(ownHosts.hostname, hostname), isFormer));
}
