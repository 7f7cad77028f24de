// Pure: no I/O, clock or randomness.

/**
 * Sources of a scan:
 * - `link`: the short URL or an alias, followed or typed
 * - `qr`: a compact QR code, whose path is in upper case
 * - `page`: a button of a bio page
 *
 * Scans from before sources were counted have the source `link`.
 */
export const SOURCES = ["link", "qr", "page"] as const;

/** Source of a scan other than `link`. */
export type MarkedSource = Exclude<(typeof SOURCES)[number], "link">;

/**
 * Returns the source of a visit, or undefined for `link`. `code` is the short code, current or former, that the
 * path may be a form of.
 */
export function findSource(pathname: string, code: string, isFromPage: boolean): MarkedSource | undefined {
  if (isCompactPath(pathname, code)) return "qr";
  return isFromPage ? "page" : undefined;
}

/**
 * Returns true if a URL's path is the form of a short code that compact QR codes contain: in upper case, and
 * with a trailing slash if the code has no lower-case letter.
 */
export function isCompactPath(pathname: string, code: string): boolean {
  const upper = code.toUpperCase();
  if (!pathname.startsWith(upper, 1)) return false;
  const rest = pathname.slice(upper.length + 1);
  return rest === "/" || (rest === "" && upper !== code);
}
