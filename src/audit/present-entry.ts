import { maskUrl } from "../core/mask-url.ts";
import { toIso } from "../core/time.ts";
import type { PageMeta } from "../http/envelope.ts";
import type { EntryResponse } from "./audit.schema.ts";
import type { Changes, Entry } from "./entry-columns.ts";
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
    changes: maskChanges(entry),
    request_id: entry.requestId,
  };
}

/** Masks the URLs of webhook endpoints, because everyone who may read the log would learn their secrets. */
function maskChanges({ resourceType, changes }: Entry): Changes {
  if (resourceType !== "webhook" || changes.url === undefined) return changes;
  const [before, after] = changes.url.map((url) => (typeof url === "string" ? maskUrl(url) : url));
  return { ...changes, url: [before, after] };
}
