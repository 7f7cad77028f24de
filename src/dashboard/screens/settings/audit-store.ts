import { api, callApi } from "../../data/calls.ts";
import type { PagedList } from "../../data/paged-list.ts";
import { useResource } from "../../data/resources.ts";
import { PAGE_ITEMS_MAX } from "../../data/service-limits.ts";
import type { AuditQuery } from "./audit-filters.ts";
import type { Entry } from "./audit-labels.ts";

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

const NO_NAMES: ReadonlyMap<string, string> = new Map();

/** Reads the short codes of the newest links by id, for entries that don't contain them. Makes no call unless needed. */
export function useLinkNames(isNeeded: boolean): ReadonlyMap<string, string> {
  const { value } = useResource(`audit-link-names ${isNeeded}`, async () => {
    if (!isNeeded) return NO_NAMES;
    const query = { limit: PAGE_ITEMS_MAX, archived: "all" } as const;
    const { data } = await callApi(api.GET("/v1/links", { params: { query } }));
    return new Map(data.map(({ id, short_code }) => [id, `/${short_code}`]));
  });
  return value ?? NO_NAMES;
}
