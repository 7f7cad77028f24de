import { and, asc, eq, isNotNull, lte } from "drizzle-orm";
import { logError } from "../core/log.ts";
import { MINUTE_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import type { PlanName } from "../tenant/plans.ts";
import { workspaces } from "../tenant/workspaces.directory.table.ts";
import { bioSlugs } from "./slugs.directory.table.ts";

/**
 * Claims of slugs in the directory. A page is created after its claim and deleted before it. While either is under way the
 * claim is unsettled, so a crash between the two databases leaves a claim that {@link listUnsettled} finds.
 */

/** Time after which an unsettled claim was left by a crash: longer than a request lives. */
const CRASHED_MS = 10 * MINUTE_MS;

/** Slug of a page, and where the page is. */
export interface ClaimedSlug {
  workspaceId: string;
  pageId: string;
  shard: number;
  plan: PlanName;
}

/** Claims a slug for a page. Returns false if another page has it. */
export async function claimSlug(
  directory: Database,
  slug: string,
  page: { workspaceId: string; pageId: string },
  nowMs: number,
): Promise<boolean> {
  const [, [claim]] = await directory.batch([
    directory
      .insert(bioSlugs)
      .values({ slug, ...page, unsettledAt: nowMs })
      .onConflictDoNothing(),
    directory.select().from(bioSlugs).where(eq(bioSlugs.slug, slug)),
  ]);
  return claim?.pageId === page.pageId;
}

/** Marks the claim of a page as settled: the page exists. Never throws: the sweep makes up for it. */
export async function settleSlug(directory: Database, slug: string, pageId: string): Promise<void> {
  try {
    await directory.update(bioSlugs).set({ unsettledAt: null }).where(claimOf(slug, pageId));
  } catch (error) {
    logError(`the slug of bio page ${pageId} was not settled; the sweep will do it`, error);
  }
}

/** Marks the claim of a page that is about to be deleted. */
export async function unsettleSlug(
  directory: Database,
  slug: string,
  pageId: string,
  nowMs: number,
): Promise<void> {
  await directory.update(bioSlugs).set({ unsettledAt: nowMs }).where(claimOf(slug, pageId));
}

/** Gives up the claim of a page that does not exist. */
export async function releaseSlug(directory: Database, slug: string, pageId: string): Promise<void> {
  await directory.delete(bioSlugs).where(claimOf(slug, pageId));
}

function claimOf(slug: string, pageId: string) {
  return and(eq(bioSlugs.slug, slug), eq(bioSlugs.pageId, pageId));
}

/** Returns where the page with a slug is, or null. */
export async function findClaim(directory: Database, slug: string): Promise<ClaimedSlug | null> {
  const [claim] = await directory
    .select({
      workspaceId: bioSlugs.workspaceId,
      pageId: bioSlugs.pageId,
      shard: workspaces.shard,
      plan: workspaces.plan,
    })
    .from(bioSlugs)
    .innerJoin(workspaces, eq(workspaces.id, bioSlugs.workspaceId))
    .where(eq(bioSlugs.slug, slug));
  return claim ?? null;
}

/** Returns some claims that a crash left unsettled, oldest first. */
export function listUnsettled(directory: Database, nowMs: number, limit: number) {
  return directory
    .select({
      slug: bioSlugs.slug,
      workspaceId: bioSlugs.workspaceId,
      pageId: bioSlugs.pageId,
      shard: workspaces.shard,
    })
    .from(bioSlugs)
    .innerJoin(workspaces, eq(workspaces.id, bioSlugs.workspaceId))
    .where(and(isNotNull(bioSlugs.unsettledAt), lte(bioSlugs.unsettledAt, nowMs - CRASHED_MS)))
    .orderBy(asc(bioSlugs.unsettledAt))
    .limit(limit);
}

/** Deletes some claims of a deleted workspace and returns their number. */
export function eraseSlugs(directory: Database, workspaceId: string): Promise<number> {
  return deleteSome(directory, bioSlugs, [bioSlugs.slug], eq(bioSlugs.workspaceId, workspaceId));
}
