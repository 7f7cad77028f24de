/** States of an asset: waiting for the confirmation of its upload, or uploaded and checked. */
export const ASSET_STATUSES = ["pending", "confirmed"] as const;
