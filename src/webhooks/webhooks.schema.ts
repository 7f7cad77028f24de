import * as z from "zod";
import { boundedText, id, pageQuery, timestamp } from "../http/fields.ts";
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

const description = boundedText(0, DESCRIPTION_MAX_LENGTH);

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
  .partial()
  .meta({ example: { events: ["*"], enabled: true } });

export type WebhookPatch = z.output<typeof updateWebhookBody>;

export const rotateSecretBody = z.strictObject({
  immediate: z.boolean().default(false).meta({ description: "Whether the old secret ends at once." }),
});

export const listWebhooksQuery = z.strictObject(pageQuery);

export const listDeliveriesQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(DELIVERY_STATUSES).optional().describe("Only deliveries in this state."),
  event_type: z.enum(EVENT_TYPES).optional().describe("Only deliveries of this event."),
});

export type DeliveryFilter = z.output<typeof listDeliveriesQuery>;

/** A webhook as it is answered (decisions section 7). */
export const webhookResponse = z
  .object({
    id,
    url: z.string().meta({ example: "https://hooks.example.com/signpost" }),
    description: z.string(),
    events: z.array(eventFilter).meta({ example: ["link.created", "link.scanned"] }),
    enabled: z.boolean(),
    disabled_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Webhook" });

export type WebhookResponse = z.output<typeof webhookResponse>;

/** The only answers that hold the signing secret: of creation and of rotation. */
export const webhookWithSecretResponse = webhookResponse
  .extend({
    secret: z.string().meta({
      description: "Signs the deliveries. Shown this once.",
      example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAAAAAAAAAA=",
    }),
  })
  .meta({ id: "WebhookWithSecret" });

/** Contract section 2.9. */
export const deliveryResponse = z
  .object({
    id,
    status: z.enum(DELIVERY_STATUSES).meta({ example: "delivered" }),
    event_type: z.enum(EVENT_TYPES),
    created_at: timestamp,
    delivered_at: timestamp.nullable(),
    failed_at: timestamp.nullable(),
    attempts: z.int().meta({ example: 1 }),
    response_status: z
      .int()
      .nullable()
      .meta({ example: 200, description: "Of the last attempt; null where there was no answer." }),
  })
  .meta({ id: "Delivery" });

export type DeliveryResponse = z.output<typeof deliveryResponse>;

export const deliveryDetailResponse = deliveryResponse
  .extend({
    payload: z.record(z.string(), z.unknown()).meta({
      description: "The body that is sent.",
      example: { event: "link.created", timestamp: "2026-11-21T09:30:00.000Z", data: {} },
    }),
    attempts_log: z.array(
      z.object({
        attempted_at: timestamp,
        response_status: z.int().nullable().meta({ example: 200 }),
        latency_ms: z.int().meta({ example: 84 }),
        error: z.string().nullable().meta({ description: "Why there was no answer.", example: null }),
        response_body: z
          .string()
          .nullable()
          .meta({ description: "At most its first 16 KiB.", example: "ok" }),
      }),
    ),
  })
  .meta({ id: "DeliveryDetail" });

export type DeliveryDetailResponse = z.output<typeof deliveryDetailResponse>;

const short_code = z.string().meta({ example: "summer-sale" });
const destination = z.string().meta({ example: "https://example.com/sale" });
const filename = z.string().meta({ example: "menu.pdf" });

const linkState = z.object({
  link_id: id,
  short_code,
  destination,
  enabled: z.boolean(),
});

const bioPageAddress = z.object({
  page_id: id,
  slug: z.string().meta({ example: "jane-doe" }),
  title: z.string().meta({ example: "Jane Doe" }),
  html_url: z.string().meta({ example: "https://bio.example.com/jane-doe" }),
});

/** `data` of each event's payload (decisions section 7). */
export const eventData = {
  "link.created": z.object({ link_id: id, short_code, destination }),
  "link.updated": linkState,
  "link.deleted": linkState,
  "link.scanned": z.object({
    link_id: id,
    short_code,
    destination,
    scanned_at: timestamp,
    country: z.string().nullable().meta({ example: "CA" }),
    device: z.string().nullable().meta({ example: "mobile" }),
    os: z.string().nullable().meta({ example: "ios" }),
    browser: z.string().nullable().meta({ example: "safari" }),
    referrer: z.string().nullable().meta({ example: "news.example.com" }),
  }),
  "bio.published": bioPageAddress,
  "bio.unpublished": bioPageAddress,
  "asset.uploaded": z.object({
    asset_id: id,
    filename,
    mime_type: z.string().meta({ example: "application/pdf" }),
    file_size: z.int().meta({ example: 48_213 }),
  }),
  "asset.published": z.object({
    asset_id: id,
    filename,
    public_url: z
      .string()
      .meta({ example: "https://cdn.example.com/019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f/menu.pdf" }),
  }),
  "webhook.disabled": z.object({
    webhook_id: id,
    url: z.string().meta({ example: "https://hooks.example.com/signpost" }),
    disabled_at: timestamp,
  }),
  "webhook.test": z.object({ webhook_id: id }),
} satisfies { [Type in keyof EventData]: z.ZodType<EventData[Type]> };
