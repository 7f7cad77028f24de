// Pure: no I/O, clock or randomness.
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../core/time.ts";

/** Delays between each failed attempt and its retry. The documentation promises this schedule. */
export const RETRY_DELAYS_MS = [5 * SECOND_MS, 30 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS];

/**
 * Lane (deliveries of one endpoint) to wake. If `lane` is null, the fan-out is woken instead, which writes
 * the workspace's remaining deliveries.
 */
export interface WakeUp {
  workspaceId: string;
  lane: number | null;
}

/**
 * Message of the delivery queue. If the workspace has moved to another shard since the message was sent, the
 * consumer finds nothing on the old shard. The sweep of the new shard then wakes the lane.
 */
export interface WakeUpMessage extends WakeUp {
  shard: number;
}

/** Statuses of a delivery: `pending` before the first attempt, `retrying` before each further attempt. */
export const DELIVERY_STATUSES = ["pending", "retrying", "delivered", "failed"] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
