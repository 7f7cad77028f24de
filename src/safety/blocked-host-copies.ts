import { max, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { blockedHosts as copies } from "./blocked-hosts.table.ts";

/** Blocked or unblocked host with the number of the change. */
export type NumberedBlock = typeof copies.$inferSelect;

/** Returns the number of the last change that was copied from the directory to a shard. */
export async function findLastBlocked(shard: Database): Promise<number> {
  const [row] = await shard.select({ last: max(copies.number) }).from(copies);
  return row?.last ?? 0;
}

/** Copies changes to a shard. Triggers report them to redirects. */
export async function copyBlockedHosts(shard: Database, hosts: readonly NumberedBlock[]): Promise<void> {
  await shard
    .insert(copies)
    .select(
      sql`select value ->> 'hostname', value ->> 'number', value ->> 'isBlocked' from json_each(${JSON.stringify(hosts)}) where true`,
    )
    .onConflictDoUpdate({
      target: copies.hostname,
      set: { number: sql`excluded.number`, isBlocked: sql`excluded.is_blocked` },
    });
}
