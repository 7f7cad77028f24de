import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { markSeriesDeleted } from "../analytics/deleted-series.ts";
import { deleted } from "../audit/describe-changes.ts";
import { logChange } from "../audit/shard-log.ts";
import { createNotFoundError } from "../core/error.ts";
import type { Database } from "../db/database.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { releaseUsage } from "../tenant/usage.ts";
import { bioPages } from "./bio.table.ts";
import { getPage } from "./bio.ts";
import { auditedPage } from "./page-audit.ts";
import { releaseSlug, unsettleSlug } from "./slug-claims.ts";

/** Maximum number of pages deleted per step of a workspace erasure. */
const STEP_PAGES = 500;

/**
 * Deletes a page, and frees its place in the plan's limit and, for this workspace, its slug. The sweep (a cron
 * job) deletes the page's counts later. Throws `RESOURCE_NOT_FOUND`.
 */
export async function deletePage(tenant: Tenant, pageId: string): Promise<void> {
  const { db, directory, workspace, nowMs } = tenant;
  const { slug } = await getPage(tenant, pageId);
  const claim = { slug, workspaceId: workspace.id, pageId, unsettledAt: nowMs };
  await unsettleSlug(directory, claim);
  const removed = and(eq(bioPages.workspaceId, workspace.id), eq(bioPages.id, pageId));
  const [, , , found] = await db.batch([
    logChange(tenant, deleted(auditedPage, removed)),
    releaseUsage(tenant, "bio_pages", sql`(select count(*) from ${bioPages} where ${removed})`),
    ...removePages(db, removed),
  ]);
  await releaseSlug(directory, claim);
  if (found.length === 0) throw createNotFoundError("bio page");
}

/** Deletes some pages of a deleted workspace and returns how many. */
export async function erasePages(db: Database, workspaceId: string): Promise<number> {
  const some = db
    .select({ id: bioPages.id })
    .from(bioPages)
    .where(eq(bioPages.workspaceId, workspaceId))
    .orderBy(bioPages.id)
    .limit(STEP_PAGES);
  const [, erased] = await db.batch(removePages(db, inArray(bioPages.id, some)));
  return erased.length;
}

/** Returns the statements that delete pages and mark their counts for the sweep. Run them in one batch. */
function removePages(db: Database, removed: SQL | undefined) {
  return [
    markSeriesDeleted(
      db,
      sql`${bioPages.workspaceId}`,
      sql`${bioPages.id}`,
      sql`from ${bioPages} where ${removed}`,
    ),
    db.delete(bioPages).where(removed).returning({ id: bioPages.id }),
  ] as const;
}
