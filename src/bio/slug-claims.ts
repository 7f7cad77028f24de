import { and, asc, eq, lte, sql } from "drizzle-orm";
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
 *
 * A claim is settled or given up only by who unsettled it last, which its time tells: a retry of a request claims its slug
 * again, and neither the sweep nor the slow first request may then give it away.
 */

/** Time after which an unsettled claim was left by a crash: longer than a request lives. */
const CRASHED_MS = 10 * MINUTE_MS;

/** Claim that is unsettled since a time. */
export interface UnsettledClaim {
  slug: string;
  pageId: string;
  unsettledAt: number;
}

/** Slug of a page, and where the page is. */
export interface ClaimedSlug {
  workspaceId: string;
  pageId: string;
  shard: number;
  plan: PlanName;
}

/** Claims a slug for a page, or claims it again for a retry. Returns false if another page has it. */
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
      .onConflictDoUpdate({
        target: bioSlugs.slug,
        set: { unsettledAt: nowMs },
        setWhere: sql`${bioSlugs.pageId} = ${page.pageId} and ${bioSlugs.unsettledAt} is not null`,
      }),
    directory.select().from(bioSlugs).where(eq(bioSlugs.slug, slug)),
  ]);
  return claim?.pageId === page.pageId;
}

/** Marks a claim as settled: the page exists. Never throws: the sweep makes up for it. */
export async function settleSlug(directory: Database, claim: UnsettledClaim): Promise<void> {
  try {
    await directory.update(bioSlugs).set({ unsettledAt: null }).where(unsettledBy(claim));
  } catch (error) {
    logError(`the slug of bio page ${claim.pageId} was not settled; the sweep will do it`, error);
  }
}

/** Marks the claim of a page that is about to be deleted. */
export async function unsettleSlug(
  directory: Database,
  { slug, pageId, unsettledAt }: UnsettledClaim,
): Promise<void> {
  await directory
    .update(bioSlugs)
    .set({ unsettledAt })
    .where(and(eq(bioSlugs.slug, slug), eq(bioSlugs.pageId, pageId)));
}

/** Gives up the claim of a page that does not exist. */
export async function releaseSlug(directory: Database, claim: UnsettledClaim): Promise<void> {
  await directory.delete(bioSlugs).where(unsettledBy(claim));
}

function unsettledBy({ slug, pageId, unsettledAt }: UnsettledClaim) {
  return and(eq(bioSlugs.slug, slug), eq(bioSlugs.pageId, pageId), eq(bioSlugs.unsettledAt, unsettledAt));
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

/** Unsettled claim of a workspace. */
export type WorkspaceClaim = UnsettledClaim & { workspaceId: string };

/** Returns some claims of workspaces on a shard that a crash left unsettled, oldest first. */
export async function listUnsettled(
  directory: Database,
  shard: number,
  nowMs: number,
  limit: number,
): Promise<WorkspaceClaim[]> {
  const rows = await directory
    .select({
      slug: bioSlugs.slug,
      workspaceId: bioSlugs.workspaceId,
      pageId: bioSlugs.pageId,
      unsettledAt: sql<number>`${bioSlugs.unsettledAt}`,
    })
    .from(bioSlugs)
    .innerJoin(workspaces, eq(workspaces.id, bioSlugs.workspaceId))
    .where(and(lte(bioSlugs.unsettledAt, nowMs - CRASHED_MS), eq(workspaces.shard, shard)))
    .orderBy(asc(bioSlugs.unsettledAt))
    .limit(limit);
  return rows;
}

/** Deletes some claims of a deleted workspace and returns their number. */
export function eraseSlugs(directory: Database, workspaceId: string): Promise<number> {
  return deleteSome(directory, bioSlugs, [bioSlugs.slug], eq(bioSlugs.workspaceId, workspaceId));
}
