import * as z from "zod";
import {
  boundedText,
  cursorQuery,
  EXAMPLE_CREATED_AT,
  EXAMPLE_ID,
  id,
  laterTimestamp,
  queryInteger,
  timestamp,
} from "../http/fields.ts";
import { DELIVERY_STATUSES } from "./delivery-state.ts";
import { ALL_EVENTS, EVENT_TYPES, type EventFilter } from "./events.ts";

const URL_MAX_LENGTH = 8_192;
const DESCRIPTION_MAX_LENGTH = 1_000;

const eventFilter = z.enum([ALL_EVENTS, ...EVENT_TYPES]);

/**
 * URL of an endpoint. The schema only checks the syntax. The outbound guard decides which URLs are allowed,
 * when the endpoint is saved and before each attempt.
 */
const endpointUrl = z
  .string()
  .max(URL_MAX_LENGTH)
  .refine((url) => URL.canParse(url), { error: "must be a URL" })
  .meta({ format: "uri", example: "https://hooks.example.com/signpost" });

const description = boundedText(0, DESCRIPTION_MAX_LENGTH).meta({ example: "Updates the dashboard" });

const events = z
  .array(eventFilter)
  .min(1)
  .transform((given): EventFilter[] => [...new Set(given)])
  .meta({
    description: "Event types that the endpoint subscribes to, or `*` for all of them.",
    example: ["link.created", "link.scanned"],
  });

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
  immediate: z
    .boolean()
    .default(false)
    .meta({ description: "Set to true to stop using the old secret immediately." }),
});

const RECENT_MAX = 20;

export const listWebhooksQuery = z.strictObject({
  ...cursorQuery,
  recent: queryInteger(0, RECENT_MAX, 0).describe(
    "Number of each endpoint's last deliveries whose statuses are returned as `recent_statuses`.",
  ),
});

export const listDeliveriesQuery = z.strictObject({
  ...cursorQuery,
  status: z.enum(DELIVERY_STATUSES).optional().describe("Returns only deliveries with this status."),
  event_type: z.enum(EVENT_TYPES).optional().describe("Returns only deliveries of this event type."),
});

export type DeliveryFilter = Omit<z.output<typeof listDeliveriesQuery>, keyof typeof cursorQuery>;

export const webhookResponse = z
  .object({
    id,
    url: z.string().meta({
      description: "Viewers see only the scheme and the host, followed by `/…`.",
      example: "https://hooks.example.com/signpost",
    }),
    description: z.string().meta({ example: "Updates the dashboard" }),
    events: z.array(eventFilter).meta({ example: ["link.created", "link.scanned"] }),
    enabled: z.boolean(),
    disabled_at: timestamp.nullable().meta({ example: null }),
    created_at: timestamp,
    updated_at: laterTimestamp,
    skipped_count: z.int().meta({
      example: 0,
      description:
        "Number of events skipped because the workspace had reached its limit for pending deliveries. Skipped scans are still counted in analytics.",
    }),
    skipped_at: timestamp
      .nullable()
      .meta({ example: null, description: "Time at which an event was last skipped, or null if none was." }),
  })
  .meta({ id: "Webhook" });

export type WebhookResponse = z.output<typeof webhookResponse>;

/** Webhook endpoint in a list. */
export const listedWebhookResponse = webhookResponse
  .extend({
    recent_statuses: z.array(z.enum(DELIVERY_STATUSES)).meta({
      description: "Statuses of the last deliveries, newest first. Empty unless requested with `recent`.",
      example: ["delivered", "delivered", "failed"],
    }),
  })
  .meta({ id: "ListedWebhook" });

export type ListedWebhookResponse = z.output<typeof listedWebhookResponse>;

/**
 * Webhook endpoint with its signing secret. Only returned when an endpoint is created or its secret is
 * rotated.
 */
export const webhookWithSecretResponse = webhookResponse
  .extend({
    secret: z.string().meta({
      description: "Signing secret of the deliveries. Only shown once.",
      example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAAAAAAAAAA=",
    }),
  })
  .meta({ id: "WebhookWithSecret" });

const DELIVERED_AT_EXAMPLE = "2026-11-21T09:30:01.250Z";

export const deliveryResponse = z
  .object({
    id,
    status: z.enum(DELIVERY_STATUSES).meta({ example: "delivered" }),
    event_type: z.enum(EVENT_TYPES),
    created_at: timestamp,
    delivered_at: timestamp.nullable().meta({ example: DELIVERED_AT_EXAMPLE }),
    failed_at: timestamp.nullable().meta({ example: null }),
    attempts: z.int().meta({ example: 1 }),
    response_status: z.int().nullable().meta({
      example: 200,
      description: "HTTP status of the last attempt, or null if there was no response.",
    }),
  })
  .meta({ id: "Delivery" });

export type DeliveryResponse = z.output<typeof deliveryResponse>;

export const deliveryDetailResponse = deliveryResponse
  .extend({
    payload: z.record(z.string(), z.unknown()).meta({
      description: "Request body of the delivery.",
      example: {
        event: "link.created",
        timestamp: EXAMPLE_CREATED_AT,
        data: {
          link_id: EXAMPLE_ID,
          short_code: "summer-sale",
          destination: "https://example.com/sale",
        },
      },
    }),
    attempts_log: z
      .array(
        z.object({
          attempted_at: timestamp.meta({ example: DELIVERED_AT_EXAMPLE }),
          response_status: z.int().nullable().meta({ example: 200 }),
          latency_ms: z.int().meta({ example: 84 }),
          error: z
            .string()
            .nullable()
            .meta({ description: "Reason if there was no response.", example: null }),
          response_body: z.string().nullable().meta({
            description:
              "Beginning of the response body: 1 KiB if it succeeded, 16 KiB if the first attempt failed, 512 bytes if a retry failed. Null if there was no response, or if the workspace has logged 10 MB of bodies on that day (UTC).",
            example: "ok",
          }),
        }),
      )
      .describe("The last 50 attempts, oldest first."),
  })
  .meta({ id: "DeliveryDetail" });

export type DeliveryDetailResponse = z.output<typeof deliveryDetailResponse>;
