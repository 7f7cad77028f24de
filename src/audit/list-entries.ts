import type { ListPage } from "../db/list-page.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { findInDirectory } from "./directory-log.ts";
import type { Entry } from "./entry-columns.ts";
import type { EntryFilter, FoundEntries } from "./find-entries.ts";
import { findOnShard } from "./shard-log.ts";

/** Page of the log of a workspace. */
export interface EntryPage {
  entries: Entry[];
  /** Number of entries, or a lower bound of it if `isTotalCapped`. */
  total: number;
  isTotalCapped: boolean;
  /** Value of `before` for the next page, null at the end. A page can have fewer entries than asked for before it. */
  nextBefore: string | null;
}

type Page = Pick<ListPage, "limit" | "before">;

/** Returns a page of the changes in a workspace, newest first: those on its shard and those in the directory. */
export async function listEntries(tenant: Tenant, filter: EntryFilter, page: Page): Promise<EntryPage> {
  return buildPage(
    await Promise.all([findOnShard(tenant, filter, page), findInDirectory(tenant, filter, page)]),
    page,
  );
}

/** Merges the newest entries of logs into one page. */
export function buildPage(logs: readonly FoundEntries[], { limit, before }: Page): EntryPage {
  const reachedIds = logs.flatMap(({ reachedId }) => reachedId ?? []).sort();
  // Before this id, a log has entries that were not examined, so that those of the others would not be in order.
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
