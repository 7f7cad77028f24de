// Pure: no I/O, clock or randomness.

/** Matches the URL of the next page in a `Link` header (RFC 8288), in the format that this service writes. */
const NEXT = /<([^<>]*)>\s*;\s*rel="next"/;
/** Base for parsing relative URLs. Any host works, because only the query is read. */
const ANY_BASE = "http://localhost";

/** Returns the value of `before` for the next page, or null if a `Link` header contains no next page. */
export function readNextCursor(link: string | null): string | null {
  const address = NEXT.exec(link ?? "")?.[1];
  if (address === undefined || !URL.canParse(address, ANY_BASE)) return null;
  return new URL(address, ANY_BASE).searchParams.get("before");
}
