/**
 * Whether a list of entity tags (`If-Match`, `If-None-Match`) names this one, quotes included. A weak one names it only
 * where weak comparison will do (RFC 9110 section 8.8.3.2).
 */
export function namesEtag(list: string, etag: string, weakly: boolean): boolean {
  if (list.trim() === "*") return true;
  const listed = list.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return listed.some((candidate) => candidate === etag || (weakly && candidate === `W/${etag}`));
}
