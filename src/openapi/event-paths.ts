import * as z from "zod";
import { timestamp } from "../http/fields.ts";
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
    "Same value as `X-SVC-Delivery`, under the name of the Standard Webhooks specification.",
  ),
  buildHeaderParameter("webhook-timestamp", "Time of this attempt, as Unix time in seconds."),
  buildHeaderParameter(
    "webhook-signature",
    "`v1,` and the base64 signature of id, timestamp and body. During a secret rotation, two of them separated by a space.",
  ),
];

function buildHeaderParameter(name: string, description: string): Parameter {
  return { name, in: "header", required: true, description, schema: { type: "string" } };
}

/** Writes the path item of an event: the request that a webhook endpoint receives for it. */
export function writeEventPath(type: string, data: z.ZodType, schemas: SchemaComponents): PathItem {
  const schema = schemas.writeResponseSchema(z.strictObject({ event: z.literal(type), timestamp, data }));
  return {
    post: {
      operationId: `on ${type}`.replaceAll(/[^a-z]+(\w)/g, (_, letter: string) => letter.toUpperCase()),
      tags: ["Events"],
      summary: type,
      security: [],
      parameters: DELIVERY_HEADERS,
      requestBody: {
        required: true,
        content: buildJsonContent(schema, schemas),
      },
      responses: {
        "2XX": { description: "The endpoint has received the event." },
        "4XX": {
          description:
            "The delivery has failed and is retried. Any other response, or none, is a failure too.",
        },
      },
    },
  };
}
