import { and, eq } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import type { Settings } from "../env.ts";
import { hasFeature } from "../tenant/plans.ts";
import { workspaces } from "../tenant/tenant.table.ts";
import type { PageData } from "./bio.schema.ts";
import { bioPages } from "./bio.table.ts";

/** Data that the public page shows. */
export interface PublishedPage {
  id: string;
  slug: string;
  title: string;
  description: string;
  pageData: PageData;
  /** True if the plan removes the "Made with Signpost" footer. */
  isAdFree: boolean;
}

/** Returns the published page with a slug, or null. */
export async function findPublishedPage(db: Database, slug: string): Promise<PublishedPage | null> {
  const [found] = await db
    .select({
      id: bioPages.id,
      slug: bioPages.slug,
      title: bioPages.title,
      description: bioPages.description,
      pageData: bioPages.pageData,
      plan: workspaces.plan,
    })
    .from(bioPages)
    .innerJoin(workspaces, eq(workspaces.id, bioPages.workspaceId))
    .where(and(eq(bioPages.slug, slug), eq(bioPages.isPublished, true)));
  if (found === undefined) return null;
  const { plan, ...page } = found;
  return { ...page, isAdFree: hasFeature(plan, "adFree") };
}

/** Builds the public URL of a page. */
export function buildPageUrl({ bioUrl }: Settings, slug: string): string {
  return `${bioUrl}/${slug}`;
}
