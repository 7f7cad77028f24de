import { namesEtag } from "../core/etag.ts";
import { SECOND_MS } from "../core/time.ts";

/** What a stored file is compared by: its strong ETag with the quotes, and when it was written. */
export interface Validators {
  etag: string;
  modifiedMs: number;
}

/** Headers that make an answer depend on the stored file. */
export const CONDITIONAL_HEADERS = [
  "If-Match",
  "If-Unmodified-Since",
  "If-None-Match",
  "If-Modified-Since",
  "If-Range",
] as const;

/** The status that the preconditions of a GET or HEAD demand, in their order (RFC 9110 section 13.2.2); null for none. */
export function preconditionStatus(headers: Headers, { etag, modifiedMs }: Validators): 304 | 412 | null {
  const ifMatch = headers.get("If-Match");
  const unmodifiedSince = dateOf(headers.get("If-Unmodified-Since"));
  if (ifMatch !== null) {
    if (!namesEtag(ifMatch, etag, false)) return 412;
  } else if (unmodifiedSince !== null && wholeSeconds(modifiedMs) > unmodifiedSince) return 412;

  const ifNoneMatch = headers.get("If-None-Match");
  const modifiedSince = dateOf(headers.get("If-Modified-Since"));
  if (ifNoneMatch !== null) return namesEtag(ifNoneMatch, etag, true) ? 304 : null;
  return modifiedSince !== null && wholeSeconds(modifiedMs) <= modifiedSince ? 304 : null;
}

/** Whether `If-Range` (RFC 9110 section 13.1.5) lets a `Range` hold: true without one. */
export function rangeHolds(headers: Headers, { etag, modifiedMs }: Validators): boolean {
  const ifRange = headers.get("If-Range")?.trim();
  if (ifRange === undefined) return true;
  return ifRange === etag || dateOf(ifRange) === wholeSeconds(modifiedMs);
}

function dateOf(header: string | null): number | null {
  const timeMs = header === null || header.startsWith('"') ? Number.NaN : Date.parse(header);
  return Number.isNaN(timeMs) ? null : timeMs;
}

/** HTTP dates have no milliseconds. */
function wholeSeconds(timeMs: number): number {
  return Math.floor(timeMs / SECOND_MS) * SECOND_MS;
}
