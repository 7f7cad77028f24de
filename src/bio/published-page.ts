import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { findBlockedNames } from "../safety/blocked-hosts.ts";
import { findBlockedName, selectBlockedNames } from "../safety/host-names.ts";
import { hasFeature } from "../tenant/plans.ts";
import { bioPages } from "./bio.table.ts";
import { listLinkUrls } from "./link-hosts.ts";
import type { RenderedPage } from "./page-content.ts";
import type { ClaimedSlug } from "./slug-claims.ts";

/** Published page with its ID and workspace, which are needed to count visits. */
export interface PublishedPage extends RenderedPage {
  id: string;
  workspaceId: string;
  /** Names that block links of the page. */
  blockedNames: ReadonlySet<string>;
}

const BLOCKED_NAMES = sql<string>`${sql.raw(
  selectBlockedNames("SELECT value AS name FROM json_each(bio_pages.link_hosts)"),
)}`;

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
      hasHosts: sql<number>`${bioPages.linkHosts} is not null`,
      blockedNames: BLOCKED_NAMES,
    })
    .from(bioPages)
    .where(
      and(eq(bioPages.workspaceId, workspaceId), eq(bioPages.id, pageId), eq(bioPages.isPublished, true)),
    );
  if (page === undefined) return null;
  const { hasHosts, blockedNames: stored, ...others } = page;
  const blockedNames =
    hasHosts === 1
      ? new Set(JSON.parse(stored) as string[])
      : await findBlockedNames(
          shard,
          listLinkUrls(page.pageData).map(({ url }) => url),
        );
  return { ...others, blockedNames, isAdFree: hasFeature(plan, "adFree") };
}

/** Returns a page without its blocked links. The others keep their numbers, which are in their click URLs. */
export function hideBlockedLinks(page: PublishedPage): PublishedPage {
  const { pageData, blockedNames } = page;
  if (blockedNames.size === 0) return page;
  const isBlocked = (url: string) => findBlockedName(blockedNames, new URL(url)) !== undefined;
  const { links, socials } = pageData;
  return {
    ...page,
    pageData: {
      ...pageData,
      ...(links && {
        links: links.map((link) =>
          link.url !== undefined && isBlocked(link.url) ? { ...link, enabled: false } : link,
        ),
      }),
      ...(socials && { socials: socials.filter(({ url }) => !isBlocked(url)) }),
    },
  };
}
