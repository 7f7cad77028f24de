/** The events of decisions section 7, and what each says in `data`. */
export interface EventData {
  "link.created": { link_id: string; short_code: string; destination: string };
  "link.updated": LinkState;
  "link.deleted": LinkState;
  "link.scanned": {
    link_id: string;
    short_code: string;
    /** The address the visitor was sent to. */
    destination: string;
    scanned_at: string;
    country: string | null;
    device: string | null;
    os: string | null;
    browser: string | null;
    referrer: string | null;
  };
  "bio.published": BioPageAddress;
  "bio.unpublished": BioPageAddress;
  "asset.uploaded": { asset_id: string; filename: string; mime_type: string; file_size: number };
  "asset.published": { asset_id: string; filename: string; public_url: string };
  "webhook.disabled": { webhook_id: string; url: string; disabled_at: string };
  "webhook.test": { webhook_id: string };
}

interface LinkState {
  link_id: string;
  short_code: string;
  destination: string;
  enabled: boolean;
}

interface BioPageAddress {
  page_id: string;
  slug: string;
  title: string;
  html_url: string;
}

export type EventType = keyof EventData;

export const EVENT_TYPES = [
  "link.created",
  "link.updated",
  "link.deleted",
  "link.scanned",
  "bio.published",
  "bio.unpublished",
  "asset.uploaded",
  "asset.published",
  "webhook.disabled",
  "webhook.test",
] as const satisfies readonly EventType[];

/** Stands for every event type, those to come included. */
export const ALL_EVENTS = "*";

/** What an endpoint may ask to hear of. */
export type EventFilter = EventType | typeof ALL_EVENTS;

/** What the delivery queue carries: what a delivery is found by, and whose it is. */
export interface DeliveryMessage {
  deliveryId: string;
  webhookId: string;
}

/** States of a delivery; `pending` before its first attempt, `retrying` before a further one. */
export const DELIVERY_STATUSES = ["pending", "retrying", "delivered", "failed"] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
