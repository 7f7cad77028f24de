import { and, asc, eq, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import { logError } from "../core/log.ts";
import { MINUTE_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import { formatSlugName, holdNames, isHeld, trimHeldNames } from "../tenant/held-names.ts";
import type { PlanName } from "../tenant/plans.ts";
import { workspaces } from "../tenant/workspaces.directory.table.ts";
import { bioSlugs } from "./slugs.directory.table.ts";

/**
 * Claims slugs in the directory. The claim of a page is written before the page and deleted after it. Until
 * both databases are written, the claim is unsettled. If a crash happens in between, {@link listUnsettled}
 * finds the claim.
 *
 * Only the request that unsettled a claim last, identified by `unsettledAt`, may settle or release the claim.
 * A retry of a request claims its slug again. Then neither the sweep (the cron job in sweep-slugs.ts) nor the
 * slow first request may release the claim.
 */

/** Age from which an unsettled claim counts as left by a crash. Longer than any request takes. */
const CRASHED_MS = 10 * MINUTE_MS;

/** Claim with the time since which it has been unsettled. */
export interface UnsettledClaim {
  slug: string;
  pageId: string;
  unsettledAt: number;
}

/** Unsettled claim with its workspace. */
export type WorkspaceClaim = UnsettledClaim & { workspaceId: string };

/** Claimed slug: the page it belongs to, and the shard where the page is. */
export interface ClaimedSlug {
  workspaceId: string;
  pageId: string;
  shard: number;
  plan: PlanName;
  /** Time since which the workspace is suspended. */
  suspendedAt: number | null;
}

/**
 * Claims a slug for a page, or again for a retry. The slug may be `taken` by another page, or `held` for another
 * workspace that used it.
 */
export async function claimSlug(
  directory: Database,
  slug: string,
  page: { workspaceId: string; pageId: string },
  nowMs: number,
): Promise<"claimed" | "taken" | "held"> {
  const { workspaceId, pageId } = page;
  const isFree = sql`not ${isHeld(formatSlugName(slug), workspaceId)}`;
  const [, [claim]] = await directory.batch([
    directory
      .insert(bioSlugs)
      .select(sql`select ${slug}, ${workspaceId}, ${pageId}, cast(${nowMs} as integer) where ${isFree}`)
      .onConflictDoUpdate({
        target: bioSlugs.slug,
        set: { unsettledAt: nowMs },
        setWhere: and(eq(bioSlugs.pageId, pageId), isNotNull(bioSlugs.unsettledAt)) as SQL,
      }),
    directory.select().from(bioSlugs).where(eq(bioSlugs.slug, slug)),
  ]);
  if (claim === undefined) return "held";
  return claim.pageId === pageId ? "claimed" : "taken";
}

/**
 * Marks a claim as settled because the page exists. Never throws: on failure, the sweep settles the claim.
 */
export async function settleSlug(directory: Database, claim: UnsettledClaim): Promise<void> {
  try {
    await directory.update(bioSlugs).set({ unsettledAt: null }).where(unsettledBy(claim));
  } catch (error) {
    logError(`the slug of bio page ${claim.pageId} was not settled; the sweep will do it`, error);
  }
}

/**
 * Marks a claim as unsettled because its page is about to be deleted. From now on, the slug is held for the
 * workspace.
 */
export async function unsettleSlug(
  directory: Database,
  { slug, workspaceId, pageId, unsettledAt }: WorkspaceClaim,
): Promise<void> {
  const claimed = and(eq(bioSlugs.slug, slug), eq(bioSlugs.pageId, pageId));
  const names = sql`select ${formatSlugName(slug)} as name, workspace_id from ${bioSlugs} where ${claimed}`;
  await directory.batch([
    directory.update(bioSlugs).set({ unsettledAt }).where(claimed),
    holdNames(directory, names, unsettledAt),
    trimHeldNames(directory, workspaceId),
  ]);
}

/** Deletes the claim of a page that doesn't exist. */
export async function releaseSlug(directory: Database, claim: UnsettledClaim): Promise<void> {
  await directory.delete(bioSlugs).where(unsettledBy(claim));
}

function unsettledBy({ slug, pageId, unsettledAt }: UnsettledClaim) {
  return and(eq(bioSlugs.slug, slug), eq(bioSlugs.pageId, pageId), eq(bioSlugs.unsettledAt, unsettledAt));
}

/** Returns the claim of a slug, with the page's shard, or null. */
export async function findClaim(directory: Database, slug: string): Promise<ClaimedSlug | null> {
  const [claim] = await directory
    .select({
      workspaceId: bioSlugs.workspaceId,
      pageId: bioSlugs.pageId,
      shard: workspaces.shard,
      plan: workspaces.plan,
      suspendedAt: workspaces.suspendedAt,
    })
    .from(bioSlugs)
    .innerJoin(workspaces, eq(workspaces.id, bioSlugs.workspaceId))
    .where(eq(bioSlugs.slug, slug));
  return claim ?? null;
}

/** Returns some claims that crashes left unsettled, for workspaces on a shard, oldest first. */
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

/** Deletes some claims of a deleted workspace and returns how many. */
export function eraseSlugs(directory: Database, workspaceId: string): Promise<number> {
  return deleteSome(directory, bioSlugs, [bioSlugs.slug], eq(bioSlugs.workspaceId, workspaceId));
}
