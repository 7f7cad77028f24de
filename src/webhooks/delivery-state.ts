/** Message of the delivery queue: the id of a delivery, and of the endpoint that receives it. */
export interface DeliveryMessage {
  deliveryId: string;
  webhookId: string;
}

/** States of a delivery: `pending` before the first attempt, `retrying` before a further one. */
export const DELIVERY_STATUSES = ["pending", "retrying", "delivered", "failed"] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
