import type { ListPage } from "../db/list-page.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { findInDirectory } from "./directory-log.ts";
import type { Entry } from "./entry-columns.ts";
import type { EntryFilter, FoundEntries } from "./find-entries.ts";
import { findOnShard } from "./shard-log.ts";

/** Page of a workspace's audit log. */
export interface EntryPage {
  entries: Entry[];
  /** Number of matching entries, or a lower bound if `isTotalCapped` is true. */
  total: number;
  isTotalCapped: boolean;
  /**
   * Value of `before` for the next page, or null at the end. A page before the end can have fewer entries
   * than its limit.
   */
  nextBefore: string | null;
}

type Page = Pick<ListPage, "limit" | "before">;

/**
 * Returns a page of a workspace's changes, newest first. Merges the logs of its shard and of the directory.
 */
export async function listEntries(tenant: Tenant, filter: EntryFilter, page: Page): Promise<EntryPage> {
  return buildPage(
    await Promise.all([findOnShard(tenant, filter, page), findInDirectory(tenant, filter, page)]),
    page,
  );
}

/** Merges the newest entries of several logs into one page. */
export function buildPage(logs: readonly FoundEntries[], { limit, before }: Page): EntryPage {
  const reachedIds = logs.flatMap(({ reachedId }) => reachedId ?? []).sort();
  // At least one log has unexamined entries older than this id. Older entries of other logs must wait for the
  // next page, so that the order is right.
  const reachedId = reachedIds.at(-1) ?? null;
  const merged = logs
    .flatMap(({ entries }) => entries)
    .filter(({ id }) => reachedId === null || id >= reachedId)
    .sort((one, other) => (one.id < other.id ? 1 : -1));
  const entries = merged.slice(0, limit);
  return {
    entries,
    total: logs.reduce((sum, { total }) => sum + total, 0),
    isTotalCapped: before !== undefined || reachedId !== null,
    nextBefore: merged.length > limit ? (entries.at(-1)?.id ?? null) : reachedId,
  };
}
