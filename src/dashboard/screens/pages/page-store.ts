import type { PageContent } from "../../../bio/page-content.ts";
import { api, callApi, type Schemas } from "../../data/calls.ts";
import type { Rollback } from "../../data/resource-cache.ts";
import { resources } from "../../data/resources.ts";

/** Bio pages of the workspace: reading and changing them. */

export type Page = Omit<Schemas["BioPage"], "page_data"> & {
  page_data: PageContent & Record<string, unknown>;
};

/** Part of the list, from its start. */
export interface PageList {
  pages: readonly Page[];
  total: number;
}

/** Key of the list in the cache. */
export const PAGES_KEY = "pages?";
const PAGE_KEY = "page/";
const LIST_SIZE = 24;

/** Key of one page in the cache. */
export function formatPageKey(id: string): string {
  return PAGE_KEY + id;
}

/** Reads a part of the list, from its start or after a page. */
export async function readPages(before: string | null = null): Promise<PageList> {
  const query = { limit: LIST_SIZE, ...(before !== null && { before }) };
  const { data, meta } = await callApi(api.GET("/v1/bio/pages", { params: { query } }));
  return { pages: data.map(toPage), total: meta.total };
}

/** Reads the next part of the list, and adds it to what is known. */
export async function readFurtherPages(known: PageList): Promise<void> {
  await resources.read(PAGES_KEY, async () => {
    const { pages, total } = await readPages(known.pages.at(-1)?.id ?? null);
    const ids = new Set(known.pages.map(({ id }) => id));
    return { pages: [...known.pages, ...pages.filter(({ id }) => !ids.has(id))], total };
  });
}

/** Reads one page. */
export async function readBioPage(id: string): Promise<Page> {
  const params = { path: { page_id: id } };
  const { data } = await callApi(api.GET("/v1/bio/pages/{page_id}", { params }));
  return toPage(data);
}

/** Body of a new page. */
export interface NewPage {
  title: string;
  description: string;
  slug?: string;
  page_data: PageContent;
}

/** Creates a page, and shows it in the list. The key makes a repeated call harmless. */
export async function createBioPage(body: NewPage, idempotencyKey: string): Promise<Page> {
  const params = { header: { "Idempotency-Key": idempotencyKey } };
  const sent = { ...body, page_data: body.page_data as Schemas["PageData"] };
  const { data } = await callApi(api.POST("/v1/bio/pages", { params, body: sent }));
  const page = toPage(data);
  resources.change<PageList>(PAGES_KEY, ({ pages, total }) => ({
    pages: [page, ...pages],
    total: total + 1,
  }));
  return page;
}

/** Changes a page. Returns it with the warnings of the service. */
export async function updateBioPage(
  id: string,
  body: { title?: string; description?: string; page_data_patch?: Record<string, unknown> },
): Promise<{ page: Page; warnings: readonly string[] }> {
  const params = { path: { page_id: id } };
  const { data, meta } = await callApi(api.PATCH("/v1/bio/pages/{page_id}", { params, body }));
  const page = toPage(data);
  showPage(page);
  return { page, warnings: meta.warnings ?? [] };
}

/** Publishes or unpublishes a page: at once in what is shown, then at the service. */
export async function setPublished(page: Page, isPublished: boolean): Promise<Page> {
  const undo = showPage({ ...page, is_published: isPublished });
  const params = { path: { page_id: page.id } };
  try {
    const call = isPublished
      ? api.POST("/v1/bio/pages/{page_id}/publish", { params })
      : api.POST("/v1/bio/pages/{page_id}/unpublish", { params });
    const { data } = await callApi(call);
    const changed = toPage(data);
    showPage(changed);
    return changed;
  } catch (fault) {
    undo();
    throw fault;
  }
}

/** Deletes a page at the service. `isLeaving` lets the call outlive the document. */
export async function deleteBioPage(id: string, isLeaving: boolean): Promise<void> {
  const params = { path: { page_id: id } };
  await callApi(api.DELETE("/v1/bio/pages/{page_id}", { params, keepalive: isLeaving }));
  resources.change<PageList>(PAGES_KEY, ({ pages, total }) => ({
    pages: pages.filter((page) => page.id !== id),
    total: total - 1,
  }));
}

/** Shows a page as it is now, in the list and in the editor. */
function showPage(page: Page): Rollback {
  const inList = resources.change<PageList>(PAGES_KEY, (list) => {
    if (!list.pages.some(({ id }) => id === page.id)) return list;
    return { ...list, pages: list.pages.map((other) => (other.id === page.id ? page : other)) };
  });
  const alone = resources.change<Page>(formatPageKey(page.id), () => page);
  return () => {
    inList();
    alone();
  };
}

/** The service has checked the known fields of the content. */
function toPage(page: Schemas["BioPage"]): Page {
  return page as Page;
}
