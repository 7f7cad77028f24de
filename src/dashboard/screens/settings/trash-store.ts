import { api, callApi } from "../../data/calls.ts";
import { type CountedList, removeItems, toPage } from "../../data/paged-list.ts";
import { resources } from "../../data/resources.ts";
import { type TrashItem, type TrashType, toLinkItem, toPageItem, toTemplateItem } from "./trash-item.ts";

/** Items in the trash: reads, restores and erases them. */

export type TrashList = CountedList<TrashItem>;

const PAGE_SIZE = 50;

/** Returns the cache key of a list. */
export function formatTrashKey(type: TrashType): string {
  return `trash?${type}`;
}

/** Reads one page of the trash, from the start or after a cursor. */
export async function readTrash(type: TrashType, before: string | null = null): Promise<TrashList> {
  const query = { deleted: true, limit: PAGE_SIZE, ...(before !== null && { before }) };
  if (type === "links") {
    const { data, meta } = await callApi(api.GET("/v1/links", { params: { query } }));
    return toPage({ data: data.map(toLinkItem), meta });
  }
  if (type === "pages") {
    const { data, meta } = await callApi(api.GET("/v1/bio/pages", { params: { query } }));
    return toPage({ data: data.map(toPageItem), meta });
  }
  const { data, meta } = await callApi(api.GET("/v1/qr/templates", { params: { query } }));
  return toPage({ data: data.map(toTemplateItem), meta });
}

/** Values in place of an item's own, which other items have taken. */
export interface Replacement {
  /** Short code of a link, or slug of a page. */
  slug?: string;
  aliases?: [];
  externalId?: null;
}

/** Restores an item, and removes it from the list of the trash. */
export async function restoreItem(type: TrashType, id: string, replacement: Replacement = {}): Promise<void> {
  const { slug, aliases, externalId } = replacement;
  if (type === "links") {
    const body = {
      ...(slug !== undefined && { custom_slug: slug }),
      ...(aliases !== undefined && { aliases }),
      ...(externalId !== undefined && { external_id: externalId }),
    };
    await callApi(api.POST("/v1/links/{link_id}/restore", { params: { path: { link_id: id } }, body }));
  } else if (type === "pages") {
    const body = slug === undefined ? {} : { slug };
    await callApi(api.POST("/v1/bio/pages/{page_id}/restore", { params: { path: { page_id: id } }, body }));
  } else {
    const params = { path: { template_id: id } };
    await callApi(api.POST("/v1/qr/templates/{template_id}/restore", { params }));
  }
  hideItem(type, id);
}

/** Erases an item permanently. */
export async function eraseItem(type: TrashType, id: string): Promise<void> {
  const query = { permanent: true };
  if (type === "links") {
    await callApi(api.DELETE("/v1/links/{link_id}", { params: { path: { link_id: id }, query } }));
  } else if (type === "pages") {
    await callApi(api.DELETE("/v1/bio/pages/{page_id}", { params: { path: { page_id: id }, query } }));
  } else {
    await callApi(
      api.DELETE("/v1/qr/templates/{template_id}", { params: { path: { template_id: id }, query } }),
    );
  }
  hideItem(type, id);
}

function hideItem(type: TrashType, id: string): void {
  resources.change<TrashList>(formatTrashKey(type), (list) => removeItems(list, new Set([id])));
}
