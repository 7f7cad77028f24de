import type { ResourceType } from "../../../audit/resource-type.ts";
import { api, callApi } from "../../data/calls.ts";
import type { PagedList } from "../../data/paged-list.ts";
import { useResource } from "../../data/resources.ts";
import { PAGE_ITEMS_MAX } from "../../data/service-limits.ts";
import type { AuditQuery } from "./audit-filters.ts";
import { type Entry, pickName } from "./audit-labels.ts";

/** Reads entries of the audit log, and reverts changes of links. */

export type EntryList = PagedList<Entry>;

const PAGE_SIZE = 50;

/** Returns the cache key of a list. */
export function formatAuditKey(query: AuditQuery): string {
  return `audit?${JSON.stringify(query)}`;
}

/** Reads one page of the log, from the start or after a cursor. */
export async function readEntries(query: AuditQuery, before: string | null = null): Promise<EntryList> {
  const parameters = { ...query, limit: PAGE_SIZE, ...(before !== null && { before }) };
  const { data, meta } = await callApi(api.GET("/v1/audit", { params: { query: parameters } }));
  return { items: data, nextBefore: meta.next_before };
}

/**
 * Restores the values that a link had before a change. Returns a warning about values that couldn't be
 * restored, or null.
 */
export async function revertChange(linkId: string, entryId: string): Promise<string | null> {
  const path = { link_id: linkId, entry_id: entryId };
  const header = { "Idempotency-Key": crypto.randomUUID() };
  const call = api.POST("/v1/links/{link_id}/history/{entry_id}/revert", { params: { path, header } });
  const { meta } = await callApi(call);
  return (meta as { warnings?: string[] }).warnings?.[0] ?? null;
}

const LIST_QUERY = { params: { query: { limit: PAGE_ITEMS_MAX } } } as const;

/** Reads the newest resources of a type, for the types that people rename and change most. */
const RESOURCE_LISTS: Partial<Record<ResourceType, () => Promise<{ data: readonly { id: string }[] }>>> = {
  link: () =>
    callApi(api.GET("/v1/links", { params: { query: { ...LIST_QUERY.params.query, archived: "all" } } })),
  qr_template: () => callApi(api.GET("/v1/qr/templates", LIST_QUERY)),
  bio_page: () => callApi(api.GET("/v1/bio/pages", LIST_QUERY)),
  asset: () => callApi(api.GET("/v1/assets", LIST_QUERY)),
  webhook: () => callApi(api.GET("/v1/webhooks", LIST_QUERY)),
  domain: () => callApi(api.GET("/v1/domains", LIST_QUERY)),
};

/**
 * Reads names of resources by id, for entries that don't contain them. Makes one call for each of the given types
 * that has a list.
 */
export function useNames(types: ReadonlySet<ResourceType>): ReadonlyMap<string, string> {
  const asked = [...types].sort();
  const { value } = useResource(`audit-names ${asked}`, async () => {
    const lists = asked.map(async (type) =>
      ((await RESOURCE_LISTS[type]?.())?.data ?? []).map((item): [string, string] => [
        item.id,
        pickName(type, (field) => item[field as keyof typeof item]) ?? "",
      ]),
    );
    return new Map((await Promise.all(lists)).flat().filter(([, name]) => name !== ""));
  });
  return value ?? new Map();
}
