/** Message of the delivery queue. It wakes a lane, or the fan-out of a workspace's events if `lane` is null. */
export interface WakeUp {
  workspaceId: string;
  lane: number | null;
}

/** States of a delivery: `pending` before the first attempt, `retrying` before a further one. */
export const DELIVERY_STATUSES = ["pending", "retrying", "delivered", "failed"] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
