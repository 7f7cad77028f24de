// Pure: no I/O, clock or randomness.

/**
 * Returns true if a page of another origin sent a form, which would let it use up the tries or scans of its visitors.
 * Programs send neither header. Browsers send `Sec-Fetch-Site` over https (https://www.w3.org/TR/fetch-metadata/)
 * and `Origin` always.
 */
export function isForeignForm(headers: Headers, url: URL): boolean {
  const site = headers.get("Sec-Fetch-Site");
  if (site !== null) return site !== "same-origin" && site !== "none";
  const origin = headers.get("Origin");
  return origin !== null && !(URL.canParse(origin) && new URL(origin).host === url.host);
}
