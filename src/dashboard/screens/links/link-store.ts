import { signal } from "@preact/signals";
import { api, callApi, type Schemas } from "../../data/calls.ts";
import { waitForLimits } from "../../data/limit-pause.ts";
import { type CountedList, changeItems, putItem, removeItems, toPage } from "../../data/paged-list.ts";
import type { Rollback } from "../../data/resource-cache.ts";
import { resources } from "../../data/resources.ts";
import { PAGE_ITEMS_MAX } from "../../data/service-limits.ts";
import type { LinkChange } from "./link-draft.ts";
import type { LinkQuery } from "./link-filters.ts";

/**
 * Links of the workspace: reads lists, and changes links. Lists show an update before the API confirms it.
 */

export type Link = Schemas["Link"];
export type NewLink = Schemas["NewLink"];

export type LinkPage = CountedList<Link>;

/** Request body with rules as JSON that the user wrote. Only the API validates it, so it has no type here. */
type UntypedBody = Record<string, never>;

const LISTS = "links?";
const PAGE_SIZE = 50;

/** Labels of all links loaded so far, as suggestions. */
export const knownLabels = signal<readonly string[]>([]);

/** Returns the cache key of a list. */
export function formatListKey(query: LinkQuery): string {
  return LISTS + JSON.stringify(query);
}

/** Stored link, with the first warning of the API's response, or null. */
export interface WarnedLink {
  link: Link;
  warning: string | null;
}

/** Reads one page of a list, from the start or after a cursor. */
export async function readPage(
  query: LinkQuery,
  before: string | null = null,
  limit = PAGE_SIZE,
): Promise<LinkPage> {
  const parameters = { ...query, limit, ...(before !== null && { before }) };
  const body = await callApi(api.GET("/v1/links", { params: { query: parameters } }));
  noteLabels(body.data);
  return toPage(body);
}

/**
 * Reads all links of a list, using the largest page size. `onRead` is called after each page with the number
 * of links so far, and returns false to stop.
 */
export async function readAll(query: LinkQuery, onRead: (count: number) => boolean): Promise<Link[]> {
  const links: Link[] = [];
  let before: string | null = null;
  do {
    const cursor = before;
    const page: LinkPage = await waitForLimits(() => readPage(query, cursor, PAGE_ITEMS_MAX));
    links.push(...page.items);
    before = page.nextBefore;
  } while (before !== null && onRead(links.length));
  return links;
}

export async function readLink(id: string): Promise<Link> {
  const { data } = await callApi(api.GET("/v1/links/{link_id}", { params: { path: { link_id: id } } }));
  return data;
}

/** Returns a link if the loaded list contains it, otherwise null. */
export function findKnownLink(page: LinkPage | undefined, id: string): Link | null {
  return page?.items.find((link) => link.id === id) ?? null;
}

/** Creates a link. Repeating the call with the same key is safe: it returns the first response. */
export async function createLink(body: NewLink, idempotencyKey: string): Promise<Link> {
  return (await createWarned(body, idempotencyKey)).link;
}

/** Creates a link like {@link createLink}, and also returns the API's first warning. */
export async function createWarned(body: NewLink, idempotencyKey: string): Promise<WarnedLink> {
  const header = { "Idempotency-Key": idempotencyKey };
  const { data, meta } = await callApi(api.POST("/v1/links", { params: { header }, body }));
  noteLabels([data]);
  return { link: data, warning: meta.warnings?.[0] ?? null };
}

/** Adds a new link at the start of all cached lists. Reading a list again moves it to its position. */
export function showNewLink(link: Link): Rollback {
  return resources.change<LinkPage>(LISTS, (page) => putItem(page, link));
}

/** Updates a link. All cached lists show the change immediately, and go back if the call fails. */
export async function updateLink(id: string, body: LinkChange, shown: Partial<Link>): Promise<Link> {
  return (await updateWarned(id, body, shown)).link;
}

/** Updates a link like {@link updateLink}, and also returns the API's first warning. */
export async function updateWarned(id: string, body: LinkChange, shown: Partial<Link>): Promise<WarnedLink> {
  const undo = showChange(new Set([id]), () => shown);
  try {
    const params = { path: { link_id: id } };
    const { data, meta } = await callApi(
      api.PATCH("/v1/links/{link_id}", { params, body: body as UntypedBody }),
    );
    showChange(new Set([id]), () => data);
    noteLabels([data]);
    return { link: data, warning: meta.warnings?.[0] ?? null };
  } catch (fault) {
    undo();
    throw fault;
  }
}

/** Restores the values before a change. The warning names values that couldn't be restored. */
export async function revertEntry(id: string, entryId: string): Promise<WarnedLink> {
  const path = { link_id: id, entry_id: entryId };
  const call = api.POST("/v1/links/{link_id}/history/{entry_id}/revert", { params: { path } });
  const { data, meta } = await callApi(call);
  showChange(new Set([id]), () => data);
  return { link: data, warning: meta.warnings?.[0] ?? null };
}

/** Moves a link to the trash. */
export async function deleteLink(id: string): Promise<void> {
  await callApi(api.DELETE("/v1/links/{link_id}", { params: { path: { link_id: id } } }));
}

/** Restores a link from the trash. */
export async function restoreLink(id: string): Promise<Link> {
  const params = { path: { link_id: id } };
  return (await callApi(api.POST("/v1/links/{link_id}/restore", { params, body: {} }))).data;
}

/** Enables or disables up to 200 links in one call. */
export async function setEnabled(ids: readonly string[], enabled: boolean): Promise<void> {
  await callApi(api.PATCH("/v1/links/bulk/status", { body: { ids: [...ids], enabled } }));
}

/** Changes links in all cached lists. */
export function showChange(ids: ReadonlySet<string>, change: (link: Link) => Partial<Link>): Rollback {
  return resources.change<LinkPage>(LISTS, (page) => changeItems(page, ids, change));
}

/** Removes links from all cached lists. */
export function hideLinks(ids: ReadonlySet<string>): Rollback {
  return resources.change<LinkPage>(LISTS, (page) => removeItems(page, ids));
}

function noteLabels(links: readonly Link[]): void {
  const known = new Set(knownLabels.peek());
  const before = known.size;
  for (const { labels } of links) for (const label of labels) known.add(label);
  if (known.size > before) knownLabels.value = [...known].sort((a, b) => a.localeCompare(b));
}
