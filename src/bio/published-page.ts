import { and, eq } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { hasFeature } from "../tenant/plans.ts";
import { bioPages } from "./bio.table.ts";
import type { RenderedPage } from "./page-content.ts";
import type { ClaimedSlug } from "./slug-claims.ts";

/** Published page with its ID and workspace, which are needed to count visits. */
export interface PublishedPage extends RenderedPage {
  id: string;
  workspaceId: string;
}

/** Returns the published page of a claimed slug, or null. */
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
