import { z } from "zod";
import { id, pageQuery, textOf, timestamp } from "../http/fields.ts";
import { ALL_EVENTS, DELIVERY_STATUSES, EVENT_TYPES, type EventData, type EventFilter } from "./events.ts";

const URL_MAX_LENGTH = 8_192;
const DESCRIPTION_MAX_LENGTH = 1_000;

const eventFilter = z.enum([ALL_EVENTS, ...EVENT_TYPES]);

/** What may be asked for is said by the outbound guard, when it is saved and before each attempt. */
const endpointUrl = z
  .string()
  .max(URL_MAX_LENGTH)
  .refine((url) => URL.canParse(url), { error: "must be a URL" })
  .meta({ format: "uri", example: "https://hooks.example.com/signpost" });

const description = textOf(0, DESCRIPTION_MAX_LENGTH);

const events = z
  .array(eventFilter)
  .min(1)
  .transform((given): EventFilter[] => [...new Set(given)])
  .meta({ description: "Event types, or `*` for all of them.", example: ["link.created", "link.scanned"] });

export const createWebhookBody = z.strictObject({
  url: endpointUrl,
  events: events.optional(),
  description: description.optional(),
});

export type NewWebhook = z.output<typeof createWebhookBody>;

export const updateWebhookBody = z
  .strictObject({ url: endpointUrl, events, description, enabled: z.boolean() })
  .partial();

export type WebhookPatch = z.output<typeof updateWebhookBody>;

export const rotateSecretBody = z.strictObject({
  immediate: z.boolean().default(false).meta({ description: "Whether the old secret ends at once." }),
});

export const listWebhooksQuery = z.strictObject(pageQuery);

export const listDeliveriesQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(DELIVERY_STATUSES).optional(),
  event_type: z.enum(EVENT_TYPES).optional(),
});

export type DeliveryFilter = z.output<typeof listDeliveriesQuery>;

/** A webhook as it is answered (decisions section 7). */
export const webhookAnswer = z.object({
  id,
  url: z.string(),
  description: z.string(),
  events: z.array(eventFilter),
  enabled: z.boolean(),
  disabled_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});

export type WebhookAnswer = z.output<typeof webhookAnswer>;

/** The only answers that hold the signing secret: of creation and of rotation. */
export const webhookWithSecretAnswer = webhookAnswer.extend({
  secret: z.string().meta({
    description: "Signs the deliveries. Shown this once.",
    example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAAAAAAAAAA=",
  }),
});

/** Contract section 2.9. */
export const deliveryAnswer = z.object({
  id,
  status: z.enum(DELIVERY_STATUSES),
  event_type: z.enum(EVENT_TYPES),
  created_at: timestamp,
  delivered_at: timestamp.nullable(),
  failed_at: timestamp.nullable(),
  attempts: z.int(),
  response_status: z.int().nullable(),
});

export type DeliveryAnswer = z.output<typeof deliveryAnswer>;

export const deliveryDetailAnswer = deliveryAnswer.extend({
  payload: z.record(z.string(), z.unknown()).meta({ description: "The body that is sent." }),
  attempts_log: z.array(
    z.object({
      attempted_at: timestamp,
      response_status: z.int().nullable(),
      latency_ms: z.int(),
      error: z.string().nullable().meta({ description: "Why there was no answer." }),
      response_body: z.string().nullable().meta({ description: "At most its first 16 KiB." }),
    }),
  ),
});

export type DeliveryDetailAnswer = z.output<typeof deliveryDetailAnswer>;

const linkState = z.object({
  link_id: id,
  short_code: z.string(),
  destination: z.string(),
  enabled: z.boolean(),
});

const bioPageAddress = z.object({ page_id: id, slug: z.string(), title: z.string(), html_url: z.string() });

/** `data` of each event's payload (decisions section 7). */
export const eventData = {
  "link.created": z.object({ link_id: id, short_code: z.string(), destination: z.string() }),
  "link.updated": linkState,
  "link.deleted": linkState,
  "link.scanned": z.object({
    link_id: id,
    short_code: z.string(),
    destination: z.string(),
    scanned_at: timestamp,
    country: z.string().nullable(),
    device: z.string().nullable(),
    os: z.string().nullable(),
    browser: z.string().nullable(),
    referrer: z.string().nullable(),
  }),
  "bio.published": bioPageAddress,
  "bio.unpublished": bioPageAddress,
  "asset.uploaded": z.object({
    asset_id: id,
    filename: z.string(),
    mime_type: z.string(),
    file_size: z.int(),
  }),
  "asset.published": z.object({ asset_id: id, filename: z.string(), public_url: z.string() }),
  "webhook.disabled": z.object({ webhook_id: id, url: z.string(), disabled_at: timestamp }),
  "webhook.test": z.object({ webhook_id: id }),
} satisfies { [Type in keyof EventData]: z.ZodType<EventData[Type]> };
