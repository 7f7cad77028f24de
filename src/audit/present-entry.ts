import { toIso } from "../core/time.ts";
import type { PageMeta } from "../http/envelope.ts";
import type { EntryResponse } from "./audit.schema.ts";
import type { Entry } from "./entry-columns.ts";
import type { EntryPage } from "./list-entries.ts";

/** Converts a page of a log to its response. */
export function presentPage(
  { entries, total, isTotalCapped, nextBefore }: EntryPage,
  limit: number,
): { data: EntryResponse[]; page: PageMeta } {
  return {
    data: entries.map(presentEntry),
    page: { total, limit, offset: 0, total_is_capped: isTotalCapped, next_before: nextBefore },
  };
}

function presentEntry(entry: Entry): EntryResponse {
  return {
    id: entry.id,
    at: toIso(entry.at),
    actor: { type: entry.actorType, id: entry.actorId, name: entry.actorName },
    operation: entry.operation,
    resource: { type: entry.resourceType, id: entry.resourceId },
    changes: entry.changes,
    request_id: entry.requestId,
  };
}
