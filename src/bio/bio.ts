import { and, desc, eq, ne, type SQL, sql } from "drizzle-orm";
import { created, updated } from "../audit/describe-changes.ts";
import { logChange } from "../audit/shard-log.ts";
import { ApiError, createNotFoundError } from "../core/error.ts";
import { toIso, toIsoOrNull } from "../core/time.ts";
import { isRaised } from "../db/constraint.ts";
import type { Database } from "../db/database.ts";
import { cutPage, type ListPage, olderThan } from "../db/list-page.ts";
import { withinPageBytes } from "../db/page-bytes.ts";
import { formatFieldPath } from "../http/validation.ts";
import { findBlockedNames, rejectBlockedUrls } from "../safety/blocked-hosts.ts";
import { createHeldError } from "../tenant/held-names.ts";
import { deriveId, recover } from "../tenant/request-origin.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { createPlanLimitError, isPlanExceeded, selectUsage, takeUsage } from "../tenant/usage.ts";
import { commit, selectEvents } from "../webhooks/outbox.ts";
import type { NewPage, PageData, PageDataPatch, PagePatch, PageResponse } from "./bio.schema.ts";
import { bioPages } from "./bio.table.ts";
import { listLinkHosts, listLinkUrls } from "./link-hosts.ts";
import { auditedPage } from "./page-audit.ts";
import { buildPageUrl } from "./page-content.ts";
import { mergePageData, rejectUnsafeUrls, toFieldPath } from "./page-data.ts";
import { appendSuffix, isUsableSlug } from "./slug.ts";
import { claimSlug, releaseSlug, settleSlug } from "./slug-claims.ts";

/** Bio page as stored. */
export type BioPage = typeof bioPages.$inferSelect;

/** Maximum attempts to find a free slug. From the second attempt, a suffix with over 10^8 values is added. */
const SLUG_ATTEMPTS_MAX = 5;
/** Maximum attempts to merge a patch. An attempt fails if another request changes the data in between. */
const MERGE_ATTEMPTS_MAX = 50;

/**
 * Creates an unpublished page. If the input has no slug, a free slug is chosen. Throws `VALIDATION_ERROR`,
 * `PLAN_LIMIT_EXCEEDED` or `SLUG_TAKEN`.
 */
export async function createPage(tenant: Tenant, input: NewPage): Promise<BioPage> {
  const { db, directory, workspace, settings, nowMs } = tenant;
  const { title, description = "", page_data: pageData = {} } = input;
  rejectUnsafeUrls(settings, pageData);
  const id = deriveId(tenant);
  const slug = await claimFreeSlug(tenant, id, input);
  const claim = { slug, pageId: id, unsettledAt: nowMs };
  const linkHosts = listLinkHosts(pageData);
  const row = { id, workspaceId: workspace.id, slug, title, description, pageData, linkHosts };
  try {
    const [, [page]] = await db.batch([
      takeUsage(tenant, "bio_pages"),
      db
        .insert(bioPages)
        .values({ ...row, createdAt: nowMs, updatedAt: nowMs })
        .returning(),
      logChange(tenant, created(auditedPage, pageById(workspace.id, id))),
    ]);
    tenant.waitUntil(settleSlug(directory, claim));
    return page as BioPage;
  } catch (error) {
    const recovered = await recover(tenant, getPage);
    // Releases the claim only if the page surely doesn't use it. After any other error the page may exist,
    // and the sweep (a cron job) settles or releases the claim.
    const isRejected = isPlanExceeded(error) || isHostBlocked(error);
    if (recovered?.slug !== slug && (recovered !== null || isRejected)) {
      await releaseSlug(directory, claim);
    }
    if (recovered?.slug === slug) tenant.waitUntil(settleSlug(directory, claim));
    if (recovered !== null) return recovered;
    if (isHostBlocked(error)) await rejectBlockedLinks(db, pageData);
    throw isPlanExceeded(error) ? createPlanLimitError(tenant, "bio_pages") : error;
  }
}

/** Claims the input's slug for a new page, or a free slug derived from the title. Throws `SLUG_TAKEN`. */
async function claimFreeSlug(tenant: Tenant, pageId: string, input: NewPage): Promise<string> {
  const { directory, workspace, nowMs } = tenant;
  const page = { workspaceId: workspace.id, pageId };
  const slug = input.slug ?? (await deriveSlug(input.title));
  const isFixed = input.slug !== undefined;
  for (let attempt = 1; attempt <= SLUG_ATTEMPTS_MAX; attempt++) {
    const needsSuffix = !isFixed && (attempt > 1 || !isUsableSlug(slug));
    const candidate = needsSuffix ? appendSuffix(slug) : slug;
    const result = await claimSlug(directory, candidate, page, nowMs);
    if (result === "claimed") return candidate;
    if (!isFixed) continue;
    throw createSlugError(slug, result);
  }
  throw new Error(`no free slug in ${SLUG_ATTEMPTS_MAX} attempts`);
}

/** Returns the error for a slug that can't be claimed. */
export function createSlugError(slug: string, reason: "taken" | "held"): ApiError {
  return reason === "held"
    ? createHeldError("SLUG_TAKEN", `slug: ${slug}`)
    : new ApiError("SLUG_TAKEN", `slug: ${slug} is already used by another bio page`);
}

/** Returns the slug for a title. Imports the transliteration on demand: only new pages need it. */
async function deriveSlug(title: string): Promise<string> {
  const { slugify } = await import("./title-slug.ts");
  return slugify(title);
}

/** Returns a page of the workspace. Throws `RESOURCE_NOT_FOUND`. */
export async function getPage({ db, workspace }: Tenant, pageId: string): Promise<BioPage> {
  const [page] = await db.select().from(bioPages).where(pageById(workspace.id, pageId));
  if (page === undefined) throw createNotFoundError("bio page");
  return page;
}

/** Lists the workspace's bio pages, newest first, and counts them all. */
export async function listPages(
  tenant: Tenant,
  { limit, offset, before }: ListPage,
): Promise<{ pages: BioPage[]; total: number; nextBefore: string | null }> {
  const { db, workspace } = tenant;
  const listed = and(eq(bioPages.workspaceId, workspace.id), olderThan(bioPages.id, before));
  const sizes = sql`select ${bioPages.id} as id, octet_length(${bioPages.pageData}) as bytes from ${bioPages}
                     where ${listed} order by ${bioPages.id} desc limit ${limit + 1} offset ${offset}`;
  const fitting = and(listed, withinPageBytes(sql`${bioPages.id}`, sizes));
  const newestFirst = db.select().from(bioPages).where(fitting).orderBy(desc(bioPages.id));
  const [read, [counted]] = await db.batch([
    newestFirst.limit(limit + 1).offset(offset),
    selectUsage(tenant, "bio_pages"),
  ]);
  const { rows, nextBefore } = cutPage(read, limit);
  return { pages: rows, total: counted?.total ?? 0, nextBefore };
}

/**
 * Updates the fields in the patch. `page_data` replaces the content, and `page_data_patch` is merged into it.
 * Throws `VALIDATION_ERROR` or `RESOURCE_NOT_FOUND`.
 */
export async function updatePage(tenant: Tenant, pageId: string, patch: PagePatch): Promise<BioPage> {
  const { page_data_patch: dataPatch, ...changes } = patch;
  if (changes.page_data !== undefined) rejectUnsafeUrls(tenant.settings, changes.page_data);
  if (Object.keys(patch).length === 0) return getPage(tenant, pageId);
  if (dataPatch !== undefined) return mergePage(tenant, pageId, changes, dataPatch);
  const page = await writePage(tenant, changes, pageById(tenant.workspace.id, pageId));
  if (page === undefined) throw createNotFoundError("bio page");
  return page;
}

type PageChanges = Omit<PagePatch, "page_data_patch">;

/** Updates a page and merges a patch into its page data. Patches from parallel requests are all kept. */
async function mergePage(
  tenant: Tenant,
  pageId: string,
  changes: PageChanges,
  dataPatch: PageDataPatch,
): Promise<BioPage> {
  for (let attempt = 1; attempt <= MERGE_ATTEMPTS_MAX; attempt++) {
    const { pageData } = await getPage(tenant, pageId);
    const page_data = mergePageData(tenant.settings, pageData, dataPatch);
    // Updates only if the stored data hasn't changed since it was read, because validity depends on the whole
    // data.
    const withSameData = eq(bioPages.pageData, pageData);
    const selected = and(pageById(tenant.workspace.id, pageId), withSameData);
    const page = await writePage(tenant, { ...changes, page_data }, selected, dataPatch);
    if (page !== undefined) return page;
  }
  throw new Error(`bio page ${pageId}: the patch could not be merged in ${MERGE_ATTEMPTS_MAX} attempts`);
}

/** Writes the changes to the selected page. Returns undefined if no page is selected. */
async function writePage(
  tenant: Tenant,
  { title, description, page_data: pageData }: PageChanges,
  selected: SQL | undefined,
  patch?: PageDataPatch,
): Promise<BioPage | undefined> {
  const { db, nowMs } = tenant;
  const columns = {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(pageData !== undefined && { pageData, linkHosts: listLinkHosts(pageData) }),
    updatedAt: nowMs,
  };
  try {
    const [, [page]] = await db.batch([
      logChange(tenant, updated(auditedPage, selected, columns)),
      db.update(bioPages).set(columns).where(selected).returning(),
    ]);
    return page;
  } catch (error) {
    if (isHostBlocked(error) && pageData !== undefined) await rejectBlockedLinks(db, pageData, patch);
    throw error;
  }
}

/** Returns true if a trigger rejected a page because it links to a blocked host. */
export function isHostBlocked(error: unknown): boolean {
  return isRaised(error, "bio_pages_blocked_host");
}

/** Throws `VALIDATION_ERROR` for the links to blocked hosts. */
export async function rejectBlockedLinks(
  db: Database,
  pageData: PageData,
  patch?: PageDataPatch,
): Promise<void> {
  const links = listLinkUrls(pageData);
  const blocked = await findBlockedNames(
    db,
    links.map(({ url }) => url),
  );
  const fields = links.map(({ path, url }) => ({ field: formatFieldPath(toFieldPath(path, patch)), url }));
  rejectBlockedUrls(blocked, fields);
}

/**
 * Publishes or unpublishes a page. If the page is already in that state, nothing changes and no event is
 * sent. Throws `RESOURCE_NOT_FOUND`.
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
  const [, , [page]] = await commit(
    tenant,
    [
      logChange(tenant, updated(auditedPage, changed, { isPublished })),
      db
        .update(bioPages)
        .set({ isPublished, updatedAt: nowMs, ...(isPublished && { publishedAt: nowMs }) })
        .where(changed),
      db.select().from(bioPages).where(pageById(workspace.id, pageId)),
    ],
    event,
  );
  if (page === undefined) throw createNotFoundError("bio page");
  return page;
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

export function pageById(workspaceId: string, pageId: string): SQL | undefined {
  return and(eq(bioPages.workspaceId, workspaceId), eq(bioPages.id, pageId));
}

/** Returns the claimed slugs that their pages really use. A page may have claimed several slugs. */
export async function findUsedSlugs(
  shard: Database,
  claims: readonly { workspaceId: string; pageId: string; slug: string }[],
): Promise<Set<string>> {
  const keys = JSON.stringify(claims.map(({ workspaceId, pageId, slug }) => [workspaceId, pageId, slug]));
  const used = await shard
    .select({ slug: bioPages.slug })
    .from(bioPages)
    .where(
      sql`(${bioPages.workspaceId}, ${bioPages.id}, ${bioPages.slug}) in
            (select value ->> 0, value ->> 1, value ->> 2 from json_each(${keys}))`,
    );
  return new Set(used.map(({ slug }) => slug));
}
