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
