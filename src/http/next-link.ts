/**
 * Returns the `Link` header with the address of the next page (RFC 8288), relative to that of this one. For lists whose
 * `meta` has no cursor.
 */
export function formatNextLink(url: string, nextBefore: string): string {
  const { pathname, searchParams } = new URL(url);
  searchParams.delete("offset");
  searchParams.set("before", nextBefore);
  return `<${pathname}?${searchParams}>; rel="next"`;
}
