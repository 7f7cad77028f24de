// Pure: no I/O, clock or randomness.

/**
 * Statuses of an asset: `pending` until its upload is confirmed, `confirmed` once the file has been uploaded
 * and checked.
 */
export const ASSET_STATUSES = ["pending", "confirmed"] as const;
