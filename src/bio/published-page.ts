import { and, eq } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import type { Settings } from "../env.ts";
import { hasFeature } from "../tenant/plans.ts";
import type { PageData } from "./bio.schema.ts";
import { bioPages } from "./bio.table.ts";
import type { ClaimedSlug } from "./slug-claims.ts";

/** Data that the public page shows. */
export interface PublishedPage {
  id: string;
  workspaceId: string;
  slug: string;
  title: string;
  description: string;
  pageData: PageData;
  /** True if the plan removes the "Made with Signpost" footer. */
  isAdFree: boolean;
}

/** Returns the published page of a claim, or null. */
export async function findPublishedPage(
  shard: Database,
  { workspaceId, pageId, plan }: ClaimedSlug,
): Promise<PublishedPage | null> {
  const [page] = await shard
    .select({
      id: bioPages.id,
      workspaceId: bioPages.workspaceId,
      slug: bioPages.slug,
      title: bioPages.title,
      description: bioPages.description,
      pageData: bioPages.pageData,
    })
    .from(bioPages)
    .where(
      and(eq(bioPages.workspaceId, workspaceId), eq(bioPages.id, pageId), eq(bioPages.isPublished, true)),
    );
  return page === undefined ? null : { ...page, isAdFree: hasFeature(plan, "adFree") };
}

/** Builds the public URL of a page. */
export function buildPageUrl({ bioUrl }: Settings, slug: string): string {
  return `${bioUrl}/${slug}`;
}
