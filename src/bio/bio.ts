import { and, count, desc, eq, ne, type SQL, sql } from "drizzle-orm";
import { type FieldFault, invalid, notFound } from "../core/error.ts";
import { normalizeHostname } from "../core/hosts.ts";
import { toIso, toIsoOrNull } from "../core/time.ts";
import { violatesUnique } from "../db/constraint.ts";
import type { Database } from "../db/database.ts";
import type { Settings } from "../env.ts";
import { hasFeature } from "../tenant/plans.ts";
import { deriveId, recover } from "../tenant/request-origin.ts";
import { workspaces } from "../tenant/tenant.table.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { isPlanExceeded, planLimitError, releaseUsage, takeUsage } from "../tenant/usage.ts";
import { commit, type OutboxEvent } from "../webhooks/outbox.ts";
import type { NewPage, PageData, PagePatch, PageResponse } from "./bio.schema.ts";
import { bioPages } from "./bio.table.ts";
import { isUsable, slugify, withSuffix } from "./slug.ts";

/** A bio page as it is stored. */
export type BioPage = typeof bioPages.$inferSelect;

/** Tries at a free slug. Past the first, each is one of 10^8. */
const SLUG_TRIES = 5;

/** Creates a page, unpublished. Errors: `VALIDATION_ERROR`, `PLAN_LIMIT_EXCEEDED`. */
export async function createPage(tenant: Tenant, input: NewPage): Promise<BioPage> {
  refuseAddresses(tenant.settings, input.page_data);
  const { db, workspace, nowMs } = tenant;
  const slug = slugify(input.title);
  for (let tries = 1; ; tries++) {
    try {
      const [, [page]] = await db.batch([
        takeUsage(tenant, "bio_pages"),
        db
          .insert(bioPages)
          .values({
            id: deriveId(tenant),
            workspaceId: workspace.id,
            slug: tries === 1 && isUsable(slug) ? slug : withSuffix(slug),
            title: input.title,
            description: input.description ?? "",
            pageData: input.page_data ?? {},
            createdAt: nowMs,
            updatedAt: nowMs,
          })
          .returning(),
      ]);
      return page as BioPage;
    } catch (error) {
      const made = await recover(tenant, getPage);
      if (made !== null) return made;
      if (isPlanExceeded(error)) throw planLimitError(tenant, "bio_pages");
      if (!violatesUnique(error, "bio_pages.slug") || tries === SLUG_TRIES) throw error;
    }
  }
}

/** A page of the workspace. Throws `RESOURCE_NOT_FOUND`. */
export async function getPage({ db, workspace }: Tenant, pageId: string): Promise<BioPage> {
  const [page] = await db.select().from(bioPages).where(pageById(workspace.id, pageId));
  if (page === undefined) throw notFound();
  return page;
}

/** Some of the workspace's pages, newest first, and how many there are in all. */
export async function listPages(
  { db, workspace }: Tenant,
  limit: number,
  offset: number,
): Promise<{ pages: BioPage[]; total: number }> {
  const where = eq(bioPages.workspaceId, workspace.id);
  const [pages, [counted]] = await db.batch([
    db.select().from(bioPages).where(where).orderBy(desc(bioPages.id)).limit(limit).offset(offset),
    db.select({ total: count() }).from(bioPages).where(where),
  ]);
  return { pages, total: counted?.total ?? 0 };
}

/** Changes what the patch names; `page_data` as a whole. Errors: `VALIDATION_ERROR`, `RESOURCE_NOT_FOUND`. */
export async function updatePage(tenant: Tenant, pageId: string, patch: PagePatch): Promise<BioPage> {
  refuseAddresses(tenant.settings, patch.page_data);
  if (Object.keys(patch).length === 0) return getPage(tenant, pageId);
  const [page] = await tenant.db
    .update(bioPages)
    .set({
      ...(patch.title !== undefined && { title: patch.title }),
      ...(patch.description !== undefined && { description: patch.description }),
      ...(patch.page_data && { pageData: patch.page_data }),
      updatedAt: tenant.nowMs,
    })
    .where(pageById(tenant.workspace.id, pageId))
    .returning();
  if (page === undefined) throw notFound();
  return page;
}

/**
 * Publishes a page or takes it down. Nothing of it changes, and no event tells of it, if it is in this state already.
 * Throws `RESOURCE_NOT_FOUND`.
 */
export async function setPagePublished(
  tenant: Tenant,
  pageId: string,
  isPublished: boolean,
): Promise<BioPage> {
  const { db, workspace, settings, nowMs } = tenant;
  const isChanged = and(pageById(workspace.id, pageId), ne(bioPages.isPublished, isPublished));
  const occurrence: OutboxEvent = {
    type: isPublished ? "bio.published" : "bio.unpublished",
    rows: sql`select json_object('page_id', ${bioPages.id}, 'slug', ${bioPages.slug}, 'title', ${bioPages.title},
                                 'html_url', ${pageUrl(settings, "")} || ${bioPages.slug}) as data,
                     ${toIso(nowMs)} as timestamp, 0 as ordinal
                from ${bioPages} where ${isChanged}`,
    isReadBefore: true,
  };
  const [, [page]] = await commit(
    tenant,
    [
      db
        .update(bioPages)
        .set({ isPublished, updatedAt: nowMs, ...(isPublished && { publishedAt: nowMs }) })
        .where(isChanged),
      db.select().from(bioPages).where(pageById(workspace.id, pageId)),
    ],
    occurrence,
  );
  if (page === undefined) throw notFound();
  return page;
}

/** Deletes a page, which frees its slug and its place in the plan. Throws `RESOURCE_NOT_FOUND`. */
export async function deletePage(tenant: Tenant, pageId: string): Promise<BioPage> {
  const { db, workspace } = tenant;
  const where = pageById(workspace.id, pageId);
  const [, [deleted]] = await db.batch([
    releaseUsage(tenant, "bio_pages", sql`(select count(*) from ${bioPages} where ${where})`),
    db.delete(bioPages).where(where).returning(),
  ]);
  if (deleted === undefined) throw notFound();
  return deleted;
}

/** What a visitor of a page is shown. */
export interface PublishedPage {
  id: string;
  slug: string;
  title: string;
  description: string;
  pageData: PageData;
  /** Whether the plan keeps the page free of the mention of this service. */
  isAdFree: boolean;
}

/** The published page of a slug, or null. */
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

/** Public address of a page. */
export function pageUrl({ bioUrl }: Settings, slug: string): string {
  return `${bioUrl}/${slug}`;
}

/** The page as it is answered. */
export function presentPage({ settings }: Tenant, page: BioPage): PageResponse {
  return {
    id: page.id,
    title: page.title,
    description: page.description,
    slug: page.slug,
    page_data: page.pageData,
    is_published: page.isPublished,
    published_at: toIsoOrNull(page.publishedAt),
    view_count: page.viewCount,
    click_count: page.clickCount,
    html_url: pageUrl(settings, page.slug),
    created_at: toIso(page.createdAt),
    updated_at: toIso(page.updatedAt),
  };
}

function pageById(workspaceId: string, pageId: string): SQL | undefined {
  return and(eq(bioPages.workspaceId, workspaceId), eq(bioPages.id, pageId));
}

/**
 * Throws `VALIDATION_ERROR` for what only the deployment's own addresses decide: an image that would be fetched
 * without encryption (this deployment's CDN may be, in a local start), and a link to a page's click address, which
 * could lead in a circle.
 */
function refuseAddresses(settings: Settings, data: PageData = {}): void {
  const isOpen = (url: string) => !/^https:/i.test(url) && new URL(url).origin !== settings.cdnUrl;
  const faults: FieldFault[] = [
    ...listImages(data)
      .filter(({ url }) => isOpen(url))
      .map(({ field }) => ({ field, message: "must be an https URL" })),
    ...(data.links ?? []).flatMap(({ url }, index) =>
      url !== undefined && isClickAddress(settings, new URL(url))
        ? [{ field: `page_data.links[${index}].url`, message: "must not be a click address of a page" }]
        : [],
    ),
  ];
  const [first, ...others] = faults;
  if (first !== undefined) throw invalid(first, ...others);
}

function listImages({ avatar_url, seo }: PageData): { field: string; url: string }[] {
  return [
    ...(avatar_url === undefined ? [] : [{ field: "page_data.avatar_url", url: avatar_url }]),
    ...(seo?.image_url === undefined ? [] : [{ field: "page_data.seo.image_url", url: seo.image_url }]),
  ];
}

function isClickAddress({ bioHost }: Settings, url: URL): boolean {
  return normalizeHostname(url.hostname) === bioHost && /^\/[^/]+\/l\//.test(url.pathname);
}
