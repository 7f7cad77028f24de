import { and, desc, eq, gte } from "drizzle-orm";
import { formatUuidTime } from "../core/id.ts";
import { DAY_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import type { ListPage } from "../db/list-page.ts";
import { rawQuery } from "../db/raw-query.ts";
import { tenants } from "../tenant/tenant.table.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { isLockedByMove } from "../tenant/transits.ts";
import { auditLog } from "./audit.table.ts";
import type { Change } from "./describe-changes.ts";
import type { Entry } from "./entry-columns.ts";
import { type EntryFilter, type FoundEntries, findEntries } from "./find-entries.ts";
import { selectEntries } from "./insert-entries.ts";
import type { ResourceType } from "./resource-type.ts";
import { sweepLog } from "./sweep-log.ts";

/** Audit log of a shard. `directory-log.ts` has the audit log of the directory. */

/**
 * Returns the statement that logs a change on a shard. Run it in the batch of the change: after a creation,
 * otherwise before the change.
 */
export function logChange(tenant: Tenant, change: Change) {
  const statement = tenant.db.insert(auditLog).select(selectEntries(auditLog, tenant, change));
  return rawQuery<never>(tenant.db, statement.getSQL());
}

/** Returns the newest entries that match the filter. */
export function findOnShard(
  { db, workspace }: Tenant,
  filter: EntryFilter,
  page: Pick<ListPage, "limit" | "before">,
): Promise<FoundEntries> {
  return findEntries(db, auditLog, workspace.id, filter, page);
}

/**
 * Returns the query for the bytes that the workspace has written on its shard today. It has no row if nothing
 * was written.
 */
export function selectWrittenToday({ db, workspace: { id }, nowMs }: Tenant) {
  const today = formatUuidTime(nowMs - (nowMs % DAY_MS));
  return db
    .select({ bytes: auditLog.dayBytes })
    .from(auditLog)
    .where(and(eq(auditLog.workspaceId, id), gte(auditLog.id, today)))
    .orderBy(desc(auditLog.id))
    .limit(1);
}

/** Returns an entry of a resource, or undefined. */
export async function findEntry(
  { db, workspace }: Tenant,
  resourceType: ResourceType,
  resourceId: string,
  entryId: string,
): Promise<Entry | undefined> {
  const byId = and(eq(auditLog.workspaceId, workspace.id), eq(auditLog.id, entryId));
  const ofResource = and(eq(auditLog.resourceType, resourceType), eq(auditLog.resourceId, resourceId));
  const [entry] = await db.select().from(auditLog).where(and(byId, ofResource));
  return entry;
}

/** Deletes expired entries. Called by the cron. */
export function sweepShardLog(db: Database, nowMs: number): Promise<void> {
  return sweepLog(db, auditLog, { table: tenants, isLeftAlone: isLockedByMove(tenants.id) }, nowMs);
}

/** Deletes some entries of a deleted workspace and returns their number. */
export function eraseShardLog(db: Database, workspaceId: string): Promise<number> {
  return deleteSome(db, auditLog, [auditLog.workspaceId, auditLog.id], eq(auditLog.workspaceId, workspaceId));
}
