import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../core/time.ts";

/** Time from each failed attempt to the retry after it. The documentation promises this schedule. */
export const RETRY_DELAYS_MS = [5 * SECOND_MS, 30 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS];

/** Lane to wake, or the fan-out of a workspace's events if `lane` is null. */
export interface WakeUp {
  workspaceId: string;
  lane: number | null;
}

/**
 * Message of the delivery queue. If the workspace has moved to another shard meanwhile, nothing is found there, and the
 * sweep of the new shard wakes the lane.
 */
export interface WakeUpMessage extends WakeUp {
  shard: number;
}

/** States of a delivery: `pending` before the first attempt, `retrying` before a further one. */
export const DELIVERY_STATUSES = ["pending", "retrying", "delivered", "failed"] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
