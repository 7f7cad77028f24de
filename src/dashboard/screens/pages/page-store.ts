import type { PageContent } from "../../../bio/page-content.ts";
import { api, callApi, type Schemas } from "../../data/calls.ts";
import { type CountedList, changeItem, putItem, removeItems, toPage } from "../../data/paged-list.ts";
import type { Rollback } from "../../data/resource-cache.ts";
import { resources } from "../../data/resources.ts";

/**
 * Bio pages of the workspace: reads and changes them. Lists show some changes before the API confirms them.
 */

export type Page = Omit<Schemas["BioPage"], "page_data"> & {
  page_data: PageContent & Record<string, unknown>;
};

export type PageList = CountedList<Page>;

/** Cache key of the list. */
export const PAGES_KEY = "pages?";
const PAGE_KEY = "page/";
const LIST_SIZE = 24;

/** Returns the cache key of one page. */
export function formatPageKey(id: string): string {
  return PAGE_KEY + id;
}

/** Reads one batch of the list, from the start or after the page with the id `before`. */
export async function readPages(before: string | null = null): Promise<PageList> {
  const query = { limit: LIST_SIZE, ...(before !== null && { before }) };
  const { data, meta } = await callApi(api.GET("/v1/bio/pages", { params: { query } }));
  return toPage({ data: data.map(narrowPage), meta });
}

export async function readBioPage(id: string): Promise<Page> {
  const params = { path: { page_id: id } };
  const { data } = await callApi(api.GET("/v1/bio/pages/{page_id}", { params }));
  return narrowPage(data);
}

/** Request body of a new page. */
export interface NewPage {
  title: string;
  description: string;
  slug?: string;
  page_data: PageContent;
}

/** Creates a page and adds it to the list. Repeating the call with the same key is safe. */
export async function createBioPage(body: NewPage, idempotencyKey: string): Promise<Page> {
  const params = { header: { "Idempotency-Key": idempotencyKey } };
  const sent = { ...body, page_data: body.page_data as Schemas["PageData"] };
  const { data } = await callApi(api.POST("/v1/bio/pages", { params, body: sent }));
  const page = narrowPage(data);
  resources.change<PageList>(PAGES_KEY, (list) => putItem(list, page));
  return page;
}

/** Updates a page. Returns the page with the API's warnings. */
export async function updateBioPage(
  id: string,
  body: { title?: string; description?: string; page_data_patch?: Record<string, unknown> },
): Promise<{ page: Page; warnings: readonly string[] }> {
  const params = { path: { page_id: id } };
  const { data, meta } = await callApi(api.PATCH("/v1/bio/pages/{page_id}", { params, body }));
  const page = narrowPage(data);
  showPage(page);
  return { page, warnings: meta.warnings ?? [] };
}

/** Publishes or unpublishes a page. The change is shown immediately, and undone if the call fails. */
export async function setPublished(page: Page, isPublished: boolean): Promise<Page> {
  const undo = showPage({ ...page, is_published: isPublished });
  const params = { path: { page_id: page.id } };
  try {
    const call = isPublished
      ? api.POST("/v1/bio/pages/{page_id}/publish", { params })
      : api.POST("/v1/bio/pages/{page_id}/unpublish", { params });
    const { data } = await callApi(call);
    const changed = narrowPage(data);
    showPage(changed);
    return changed;
  } catch (fault) {
    undo();
    throw fault;
  }
}

/** Moves a page to the trash. Returns a function that shows it in the list again. */
export async function deleteBioPage(id: string): Promise<Rollback> {
  const params = { path: { page_id: id } };
  await callApi(api.DELETE("/v1/bio/pages/{page_id}", { params }));
  return resources.change<PageList>(PAGES_KEY, (list) => removeItems(list, new Set([id])));
}

/** Restores a page from the trash. `show` is the result of its deletion. */
export async function restoreBioPage(id: string, show: Rollback): Promise<void> {
  const params = { path: { page_id: id } };
  const { data } = await callApi(api.POST("/v1/bio/pages/{page_id}/restore", { params, body: {} }));
  show();
  resources.change<PageList>(PAGES_KEY, (list) => putItem(list, narrowPage(data)));
}

/** Updates a page in the cached list and in the cache of the editor. Returns an undo function. */
function showPage(page: Page): Rollback {
  const inList = resources.change<PageList>(PAGES_KEY, (list) => changeItem(list, page.id, page));
  const alone = resources.change<Page>(formatPageKey(page.id), () => page);
  return () => {
    inList();
    alone();
  };
}

/** Narrows the type of the content, whose known fields the API has validated. */
function narrowPage(page: Schemas["BioPage"]): Page {
  return page as Page;
}
