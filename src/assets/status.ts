/** Where a file is on its way: announced, or there and checked. */
export const ASSET_STATUSES = ["pending", "confirmed"] as const;
