// Pure: no I/O, clock or randomness.
import { formatCompactPath } from "../routing/compact-code.ts";

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
 * path may be the compact form of.
 */
export function findSource(pathname: string, code: string, isFromPage: boolean): MarkedSource | undefined {
  const compact = formatCompactPath(code);
  const path = pathname.slice(1);
  if (path === compact || path === `${compact}/`) return "qr";
  return isFromPage ? "page" : undefined;
}
