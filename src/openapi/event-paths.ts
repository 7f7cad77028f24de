import * as z from "zod";
import { timestamp } from "../http/fields.ts";
import { EVENTS } from "../webhooks/events.ts";
import { buildJsonContent, type SchemaComponents } from "./json-schema.ts";
import type { Parameter, PathItem } from "./objects.ts";

const DELIVERY_HEADERS: Parameter[] = [
  buildHeaderParameter("X-SVC-Event", "Event type."),
  buildHeaderParameter(
    "X-SVC-Delivery",
    "Identifier of the delivery. It is the same in every attempt, so a receiver can detect duplicates.",
  ),
  buildHeaderParameter(
    "X-SVC-Signature",
    "`sha256=` and the hexadecimal HMAC-SHA256 of the raw body with the endpoint's secret as the key.",
  ),
  buildHeaderParameter(
    "webhook-id",
    "Same value as `X-SVC-Delivery`, under the name used by the Standard Webhooks specification.",
  ),
  buildHeaderParameter("webhook-timestamp", "Time of this attempt, as Unix time in seconds."),
  buildHeaderParameter(
    "webhook-signature",
    "`v1,` and the base64 signature of ID, timestamp and body. During a secret rotation, two signatures separated by a space.",
  ),
];

function buildHeaderParameter(name: string, description: string): Parameter {
  return { name, in: "header", required: true, description, schema: { type: "string" } };
}

/** Schemas of the delivery bodies, by event type. */
const EVENT_BODIES = Object.entries(EVENTS).map(([type, data]) => {
  const name = formatEventName(type);
  const time = timestamp.describe("Time of the event.");
  const body = z
    .strictObject({ event: z.literal(type), timestamp: time, data })
    .meta({ id: `${name}Event`, description: `Body of a delivery of \`${type}\`.` });
  return { type, name, body };
});

/** Converts an event type to a name: `link.created` becomes `LinkCreated`. */
function formatEventName(type: string): string {
  return type.replaceAll(/(?:^|[^a-z])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Writes the `webhooks` section of the document: the request that an endpoint receives for each event type.
 */
export function writeWebhooks(schemas: SchemaComponents): Record<string, PathItem> {
  return Object.fromEntries(EVENT_BODIES.map((event) => [event.type, writeEventPath(event, schemas)]));
}

function writeEventPath(
  { type, name, body }: (typeof EVENT_BODIES)[number],
  schemas: SchemaComponents,
): PathItem {
  return {
    post: {
      operationId: `on${name}`,
      tags: ["Events"],
      summary: type,
      security: [],
      parameters: DELIVERY_HEADERS,
      requestBody: {
        required: true,
        content: buildJsonContent(schemas.writeResponseSchema(body), schemas),
      },
      responses: {
        "2XX": { description: "The endpoint has received the event." },
        "4XX": {
          description:
            "The delivery failed and is retried. The same applies to any other response, and if there is no response.",
        },
      },
    },
  };
}
