// Pure: no I/O, clock or randomness.
import { isEtagListed } from "../core/etag.ts";
import { SECOND_MS } from "../core/time.ts";

/** Validators of a stored file (RFC 9110 section 8.8). */
export interface Validators {
  /** Strong ETag, including quotes. */
  etag: string;
  /** Time of the file's last write, in Unix milliseconds. */
  modifiedMs: number;
}

/** Request headers that make a response depend on the version of the file. */
export const CONDITIONAL_HEADERS = [
  "If-Match",
  "If-Unmodified-Since",
  "If-None-Match",
  "If-Modified-Since",
  "If-Range",
] as const;

/**
 * Evaluates the preconditions of a GET or HEAD request in order of precedence (RFC 9110 section 13.2.2).
 * Returns the response status, or null if the request should proceed.
 */
export function evaluatePreconditions(headers: Headers, { etag, modifiedMs }: Validators): 304 | 412 | null {
  const ifMatch = headers.get("If-Match");
  const unmodifiedSince = parseHttpDate(headers.get("If-Unmodified-Since"));
  if (ifMatch !== null) {
    if (!isEtagListed(ifMatch, etag, false)) return 412;
  } else if (unmodifiedSince !== null && truncateToSeconds(modifiedMs) > unmodifiedSince) return 412;

  const ifNoneMatch = headers.get("If-None-Match");
  const modifiedSince = parseHttpDate(headers.get("If-Modified-Since"));
  if (ifNoneMatch !== null) return isEtagListed(ifNoneMatch, etag, true) ? 304 : null;
  return modifiedSince !== null && truncateToSeconds(modifiedMs) <= modifiedSince ? 304 : null;
}

/**
 * Returns true if `If-Range` is missing or matches the file, so that `Range` applies (RFC 9110 section
 * 13.1.5).
 */
export function isRangeApplicable(headers: Headers, { etag, modifiedMs }: Validators): boolean {
  const ifRange = headers.get("If-Range")?.trim();
  if (ifRange === undefined) return true;
  return ifRange === etag || parseHttpDate(ifRange) === truncateToSeconds(modifiedMs);
}

/**
 * Parses an HTTP date. Returns Unix milliseconds, or null if the header is missing, is an ETag or isn't a
 * date.
 */
function parseHttpDate(header: string | null): number | null {
  const timeMs = header === null || header.startsWith('"') ? Number.NaN : Date.parse(header);
  return Number.isNaN(timeMs) ? null : timeMs;
}

/** Rounds down to whole seconds, because HTTP dates have no milliseconds. */
function truncateToSeconds(timeMs: number): number {
  return Math.floor(timeMs / SECOND_MS) * SECOND_MS;
}
