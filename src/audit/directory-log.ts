import { asc, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import type { ListPage } from "../db/list-page.ts";
import { rawQuery } from "../db/raw-query.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { workspaces } from "../tenant/workspaces.directory.table.ts";
import { directoryAuditLog as log } from "./audit.directory.table.ts";
import type { Change } from "./describe-changes.ts";
import type { Entry } from "./entry-columns.ts";
import { type EntryFilter, type FoundEntries, findEntries } from "./find-entries.ts";
import { type LogContext, selectEntries } from "./insert-entries.ts";
import { sweepLog } from "./sweep-log.ts";

/** Audit log of the directory. `shard-log.ts` has the audit log of a shard. */

/**
 * Returns the statement that logs a change in the directory. Run it in the batch of the change: after a
 * creation, otherwise before the change.
 */
export function logDirectoryChange(tenant: LogContext & Pick<Tenant, "directory">, change: Change) {
  const { directory } = tenant;
  const statement = directory.insert(log).select(selectEntries(log, tenant, change));
  return rawQuery<never>(directory, statement.getSQL());
}

/** Returns the newest entries that match the filter. */
export function findInDirectory(
  { directory, workspace }: Tenant,
  filter: EntryFilter,
  page: Pick<ListPage, "limit" | "before">,
): Promise<FoundEntries> {
  return findEntries(directory, log, workspace.id, filter, page);
}

/** Returns the oldest entry of a resource, in any workspace, or undefined. */
export async function findOldestEntry(directory: Database, resourceId: SQL): Promise<Entry | undefined> {
  const [entry] = await directory
    .select()
    .from(log)
    .where(eq(log.resourceId, resourceId))
    .orderBy(asc(log.id))
    .limit(1);
  return entry;
}

/** Deletes expired entries. Called by the cron. */
export function sweepDirectoryLog(directory: Database, nowMs: number): Promise<void> {
  return sweepLog(directory, log, { table: workspaces, isLeftAlone: sql`false` }, nowMs);
}

/** Deletes some entries of a deleted workspace and returns their number. */
export function eraseDirectoryLog(directory: Database, workspaceId: string): Promise<number> {
  return deleteSome(directory, log, [log.workspaceId, log.id], eq(log.workspaceId, workspaceId));
}
