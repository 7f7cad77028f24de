// Pure: no I/O, clock or randomness.

/**
 * Compact form of short URLs for QR codes. Scheme, host and short code ignore case, and QR codes encode
 * upper-case letters in fewer bits (ISO/IEC 18004 section 7.4.4). The form also marks visits that come from the
 * code: the path has no lower-case letter, or a trailing slash if the short code itself has none.
 */

/** Returns the path, without the leading slash, that compact QR codes of a short code contain. */
export function formatCompactPath(shortCode: string): string {
  const upperCase = shortCode.toUpperCase();
  return upperCase === shortCode ? `${shortCode}/` : upperCase;
}

/** Returns true if the path of a request comes from a compact QR code, perhaps with a trailing slash. */
export function isCompactPath(pathname: string, shortCode: string): boolean {
  // The short code as it is written is the path of most visits, and never the compact form.
  if (pathname.length === shortCode.length + 1 && pathname.endsWith(shortCode)) return false;
  const compact = formatCompactPath(shortCode);
  const path = pathname.slice(1);
  return path === compact || path === `${compact}/`;
}

/** Returns the content of the compact QR code of a link. */
export function formatCompactUrl(shortUrl: string, shortCode: string): string {
  return shortUrl.slice(0, -shortCode.length).toUpperCase() + formatCompactPath(shortCode);
}
