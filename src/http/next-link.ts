/**
 * Returns the `Link` header for the next page (RFC 8288), as a path on the same host. Used by lists whose
 * `meta` has no cursor.
 */
export function formatNextLink(url: string, nextBefore: string): string {
  const { pathname, searchParams } = new URL(url);
  searchParams.delete("offset");
  searchParams.set("before", nextBefore);
  return `<${pathname}?${searchParams}>; rel="next"`;
}
