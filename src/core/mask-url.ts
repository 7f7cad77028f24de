// Pure: no I/O, clock or randomness.

/** Replaces the path and the query of a URL, which may contain secrets, by `…`. */
export function maskUrl(url: string): string {
  if (!URL.canParse(url)) return "…";
  const { origin, href } = new URL(url);
  return href === `${origin}/` ? href : `${origin}/…`;
}
