import { api, callApi } from "../../data/calls.ts";
import type { PagedList } from "../../data/paged-list.ts";
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
