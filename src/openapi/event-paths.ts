import * as z from "zod";
import { timestamp } from "../http/fields.ts";
import { jsonContent, type SchemaComponents } from "./json-schema.ts";
import type { Parameter, PathItem } from "./objects.ts";

const HEADERS: Parameter[] = [
  header("X-SVC-Event", "The event type."),
  header(
    "X-SVC-Delivery",
    "Identifies the delivery; the same in every attempt, so that a receiver can tell a repetition.",
  ),
  header(
    "X-SVC-Signature",
    "`sha256=` and the hexadecimal HMAC-SHA256 of the body's bytes under the endpoint's secret.",
  ),
  header("webhook-id", "As `X-SVC-Delivery`, by the Standard Webhooks specification."),
  header("webhook-timestamp", "When this attempt was made, as Unix time in seconds."),
  header(
    "webhook-signature",
    "`v1,` and the base64 signature over id, timestamp and body; two of them during a rotation.",
  ),
];

function header(name: string, description: string): Parameter {
  return { name, in: "header", required: true, description, schema: { type: "string" } };
}

/** The delivery of an event, as the receiver gets it (contract section 6). */
export function writeEventPath(type: string, data: z.ZodType, schemas: SchemaComponents): PathItem {
  const schema = schemas.ofResponse(z.strictObject({ event: z.literal(type), timestamp, data }));
  return {
    post: {
      operationId: `on ${type}`.replaceAll(/[^a-z]+(\w)/g, (_, letter: string) => letter.toUpperCase()),
      tags: ["Events"],
      summary: type,
      security: [],
      parameters: HEADERS,
      requestBody: {
        required: true,
        content: jsonContent(schema, schemas),
      },
      responses: {
        "2XX": { description: "The event has been received." },
        "4XX": { description: "A failure, as every other answer and none: the delivery is tried again." },
      },
    },
  };
}
