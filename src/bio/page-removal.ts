import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { markSeriesDeleted } from "../analytics/deleted-series.ts";
import { created, deleted } from "../audit/describe-changes.ts";
import { logChange } from "../audit/shard-log.ts";
import { createNotFoundError } from "../core/error.ts";
import type { Database } from "../db/database.ts";
import type { ListPage } from "../db/list-page.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { createPlanLimitError, isPlanExceeded, releaseUsage, takeUsage } from "../tenant/usage.ts";
import {
  eraseItem,
  listTrash,
  moveToTrash,
  removeFromTrash,
  restoredFrom,
  restoreItem,
  type Trashed,
  type TrashPage,
} from "../trash/trash.ts";
import type { PageRestoration } from "./bio.schema.ts";
import { bioPages } from "./bio.table.ts";
import {
  type BioPage,
  createSlugError,
  getPage,
  isHostBlocked,
  pageById,
  rejectBlockedLinks,
} from "./bio.ts";
import { auditedPage } from "./page-audit.ts";
import { claimSlug, releaseSlug, settleSlug, unsettleSlug } from "./slug-claims.ts";

/** Maximum number of pages deleted per step of a workspace erasure. */
const STEP_PAGES = 500;

/**
 * Moves a page to the trash, and frees its place in the plan's limit and, for this workspace, its slug. A permanent
 * deletion erases it, also if it is in the trash; the sweep (a cron job) deletes its counts later. Throws
 * `RESOURCE_NOT_FOUND`.
 */
export async function deletePage(tenant: Tenant, pageId: string, isPermanent: boolean): Promise<void> {
  const { db, directory, workspace, nowMs } = tenant;
  const byId = pageById(workspace.id, pageId);
  for (;;) {
    const [page] = await db.select({ slug: bioPages.slug }).from(bioPages).where(byId);
    if (page === undefined && isPermanent) return eraseItem(tenant, "bio_page", pageId);
    if (page === undefined) throw createNotFoundError("bio page");
    const claim = { slug: page.slug, workspaceId: workspace.id, pageId, unsettledAt: nowMs };
    await unsettleSlug(directory, claim);
    const removed = and(byId, eq(bioPages.slug, page.slug));
    const [, , , , , found] = await db.batch([
      logChange(tenant, deleted(auditedPage, removed, { isPermanent })),
      releaseUsage(tenant, "bio_pages", sql`(select count(*) from ${bioPages} where ${removed})`),
      ...moveToTrash(tenant, "bio_page", bioPages, removed, isPermanent),
      ...removePages(db, removed, isPermanent ? removed : and(removed, sql`false`)),
    ]);
    await releaseSlug(directory, claim);
    // Otherwise another request has deleted the page, or deleted it and restored it with another slug.
    if (found.length > 0) return;
  }
}

/**
 * Brings a page back from the trash, with the input's slug instead of its own, published if it was. Returns a page
 * that isn't deleted as it is. Throws `RESOURCE_NOT_FOUND`, `SLUG_TAKEN`, `PLAN_LIMIT_EXCEEDED`, and
 * `VALIDATION_ERROR` if the page links to a host that was blocked after the deletion.
 */
export async function restorePage(tenant: Tenant, pageId: string, input: PageRestoration): Promise<BioPage> {
  return restoreItem(
    tenant,
    "bio_page",
    bioPages,
    pageId,
    (trashed) => insertPage(tenant, trashed, input.slug ?? trashed.row.slug),
    getPage,
  );
}

async function insertPage(tenant: Tenant, trashed: Trashed<BioPage>, slug: string): Promise<BioPage> {
  const { db, directory, workspace, nowMs } = tenant;
  const { row } = trashed;
  const counts = restoredFrom(tenant, trashed, {
    viewCount: bioPages.viewCount,
    clickCount: bioPages.clickCount,
  });
  const claim = { slug, pageId: row.id, unsettledAt: nowMs };
  const result = await claimSlug(directory, slug, { workspaceId: workspace.id, pageId: row.id }, nowMs);
  if (result !== "claimed") throw createSlugError(slug, result);
  try {
    const [[page]] = await db.batch([
      db
        .insert(bioPages)
        .values({ ...row, ...counts, slug, updatedAt: nowMs })
        .returning(),
      removeFromTrash(tenant, trashed),
      takeUsage(tenant, "bio_pages"),
      logChange(tenant, created(auditedPage, pageById(workspace.id, row.id))),
    ]);
    tenant.waitUntil(settleSlug(directory, claim));
    return page as BioPage;
  } catch (error) {
    // After any other error the page may use the slug, and the sweep settles or releases the claim.
    const isFull = isPlanExceeded(error);
    if (!isFull && !isHostBlocked(error)) throw error;
    await releaseSlug(directory, claim);
    if (isFull) throw createPlanLimitError(tenant, "bio_pages");
    await rejectBlockedLinks(db, row.pageData);
    throw error;
  }
}

/** Lists the bio pages in the trash. */
export function listDeletedPages(tenant: Tenant, page: ListPage): Promise<TrashPage<BioPage>> {
  return listTrash(tenant, "bio_page", bioPages, page);
}

/** Deletes some pages of a deleted workspace and returns how many. */
export async function erasePages(db: Database, workspaceId: string): Promise<number> {
  const some = db
    .select({ id: bioPages.id })
    .from(bioPages)
    .where(eq(bioPages.workspaceId, workspaceId))
    .orderBy(bioPages.id)
    .limit(STEP_PAGES);
  const selected = inArray(bioPages.id, some);
  const [, erased] = await db.batch(removePages(db, selected, selected));
  return erased.length;
}

/** Returns the statements that mark the counts of pages for the sweep, and delete pages. Run them in one batch. */
function removePages(db: Database, removed: SQL | undefined, marked: SQL | undefined) {
  return [
    markSeriesDeleted(
      db,
      sql`${bioPages.workspaceId}`,
      sql`${bioPages.id}`,
      sql`from ${bioPages} where ${marked}`,
    ),
    db.delete(bioPages).where(removed).returning({ id: bioPages.id }),
  ] as const;
}
