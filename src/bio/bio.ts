import { and, count, desc, eq, ne, type SQL, sql } from "drizzle-orm";
import { createNotFoundError, createValidationError, type FieldFault } from "../core/error.ts";
import { toIso, toIsoOrNull } from "../core/time.ts";
import { isUniqueViolation } from "../db/constraint.ts";
import type { Database } from "../db/database.ts";
import type { Settings } from "../env.ts";
import { isBioHost } from "../tenant/own-hosts.ts";
import { hasFeature } from "../tenant/plans.ts";
import { deriveId, recover } from "../tenant/request-origin.ts";
import { workspaces } from "../tenant/tenant.table.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { isPlanExceeded, planLimitError, releaseUsage, takeUsage } from "../tenant/usage.ts";
import { commit, selectEvents } from "../webhooks/outbox.ts";
import type { NewPage, PageData, PagePatch, PageResponse } from "./bio.schema.ts";
import { bioPages } from "./bio.table.ts";
import { appendSuffix, isUsableSlug, slugify } from "./slug.ts";

/** Bio page as it is stored. */
export type BioPage = typeof bioPages.$inferSelect;

/** Maximum number of attempts to find a free slug. The suffix of later attempts has over 10^8 values. */
const SLUG_ATTEMPTS_MAX = 5;

/** Creates an unpublished page. Throws `VALIDATION_ERROR` or `PLAN_LIMIT_EXCEEDED`. */
export async function createPage(tenant: Tenant, input: NewPage): Promise<BioPage> {
  rejectUnsafeUrls(tenant.settings, input.page_data);
  const { db, workspace, nowMs } = tenant;
  const slug = slugify(input.title);
  for (let attempt = 1; ; attempt++) {
    try {
      const [, [page]] = await db.batch([
        takeUsage(tenant, "bio_pages"),
        db
          .insert(bioPages)
          .values({
            id: deriveId(tenant),
            workspaceId: workspace.id,
            slug: attempt === 1 && isUsableSlug(slug) ? slug : appendSuffix(slug),
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
      const recovered = await recover(tenant, getPage);
      if (recovered !== null) return recovered;
      if (isPlanExceeded(error)) throw planLimitError(tenant, "bio_pages");
      if (!isUniqueViolation(error, "bio_pages.slug") || attempt === SLUG_ATTEMPTS_MAX) throw error;
    }
  }
}

/** Returns a page of the workspace. Throws `RESOURCE_NOT_FOUND`. */
export async function getPage({ db, workspace }: Tenant, pageId: string): Promise<BioPage> {
  const [page] = await db.select().from(bioPages).where(pageById(workspace.id, pageId));
  if (page === undefined) throw createNotFoundError();
  return page;
}

/** Returns pages of the workspace, newest first, and the total number of its pages. */
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

/**
 * Updates the fields in the patch. `page_data` is replaced as a whole. Throws `VALIDATION_ERROR` or
 * `RESOURCE_NOT_FOUND`.
 */
export async function updatePage(tenant: Tenant, pageId: string, patch: PagePatch): Promise<BioPage> {
  rejectUnsafeUrls(tenant.settings, patch.page_data);
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
  if (page === undefined) throw createNotFoundError();
  return page;
}

/**
 * Publishes or unpublishes a page. If the page is already in that state, it stays as it is and there is no
 * event. Throws `RESOURCE_NOT_FOUND`.
 */
export async function setPagePublished(
  tenant: Tenant,
  pageId: string,
  isPublished: boolean,
): Promise<BioPage> {
  const { db, workspace, settings, nowMs } = tenant;
  const changed = and(pageById(workspace.id, pageId), ne(bioPages.isPublished, isPublished));
  const event = selectEvents(
    isPublished ? "bio.published" : "bio.unpublished",
    nowMs,
    {
      page_id: bioPages.id,
      slug: bioPages.slug,
      title: bioPages.title,
      html_url: sql`${buildPageUrl(settings, "")} || ${bioPages.slug}`,
    },
    { from: sql`${bioPages} where ${changed}`, isReadBefore: true },
  );
  const [, [page]] = await commit(
    tenant,
    [
      db
        .update(bioPages)
        .set({ isPublished, updatedAt: nowMs, ...(isPublished && { publishedAt: nowMs }) })
        .where(changed),
      db.select().from(bioPages).where(pageById(workspace.id, pageId)),
    ],
    event,
  );
  if (page === undefined) throw createNotFoundError();
  return page;
}

/**
 * Deletes a page. Its slug becomes available, and it no longer counts towards the plan's limit.
 * Throws `RESOURCE_NOT_FOUND`.
 */
export async function deletePage(tenant: Tenant, pageId: string): Promise<BioPage> {
  const { db, workspace } = tenant;
  const where = pageById(workspace.id, pageId);
  const [, [deleted]] = await db.batch([
    releaseUsage(tenant, "bio_pages", sql`(select count(*) from ${bioPages} where ${where})`),
    db.delete(bioPages).where(where).returning(),
  ]);
  if (deleted === undefined) throw createNotFoundError();
  return deleted;
}

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

/** Builds the response body of a page. */
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
    html_url: buildPageUrl(settings, page.slug),
    created_at: toIso(page.createdAt),
    updated_at: toIso(page.updatedAt),
  };
}

function pageById(workspaceId: string, pageId: string): SQL | undefined {
  return and(eq(bioPages.workspaceId, workspaceId), eq(bioPages.id, pageId));
}

/**
 * Throws `VALIDATION_ERROR` for URLs that the schema cannot check, because the check needs the deployment's
 * own URLs. Images must be https, except those of the deployment's CDN, which uses http in development. A
 * link must not lead to the click address of a page, because that could redirect in a loop.
 */
function rejectUnsafeUrls(settings: Settings, data: PageData = {}): void {
  const isUnencrypted = (url: string) => !/^https:/i.test(url) && new URL(url).origin !== settings.cdnUrl;
  const faults: FieldFault[] = [
    ...listImageUrls(data)
      .filter(({ url }) => isUnencrypted(url))
      .map(({ field }) => ({ field, message: "must be an https URL" })),
    ...(data.links ?? []).flatMap(({ url }, index) =>
      url !== undefined && isClickAddress(settings, new URL(url))
        ? [{ field: `page_data.links[${index}].url`, message: "must not be a click address of a page" }]
        : [],
    ),
  ];
  const [first, ...others] = faults;
  if (first !== undefined) throw createValidationError(first, ...others);
}

function listImageUrls({ avatar_url, seo }: PageData): { field: string; url: string }[] {
  return [
    ...(avatar_url === undefined ? [] : [{ field: "page_data.avatar_url", url: avatar_url }]),
    ...(seo?.image_url === undefined ? [] : [{ field: "page_data.seo.image_url", url: seo.image_url }]),
  ];
}

function isClickAddress(settings: Settings, url: URL): boolean {
  return isBioHost(settings, url) && /^\/[^/]+\/l\//.test(url.pathname);
}
