/**
 * Returns true if an `If-Match` or `If-None-Match` header lists an entity tag. `etag` includes its quotes.
 * With weak comparison (RFC 9110 section 8.8.3.2), a weak tag in the list matches too.
 */
export function isEtagListed(list: string, etag: string, isWeakComparison: boolean): boolean {
  if (list.trim() === "*") return true;
  const listed = list.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return listed.some((candidate) => candidate === etag || (isWeakComparison && candidate === `W/${etag}`));
}
