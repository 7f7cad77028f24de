import { inArray, type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { ownHosts } from "./tenant.table.ts";

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
