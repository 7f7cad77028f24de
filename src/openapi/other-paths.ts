import { z } from "zod";
import type { ErrorAnswers } from "./errors.ts";
import { keylessHeaders } from "./headers.ts";
import { jsonContent, type SchemaComponents } from "./json-schema.ts";
import type { Content, OperationObject, PathItem } from "./objects.ts";

const health = z.strictObject({ status: z.literal("ok") });

/** What the API's host serves outside `/v1`, without a key. */
export function otherPaths(schemas: SchemaComponents, errors: ErrorAnswers): Record<string, PathItem> {
  const read = (operationId: string, summary: string, content: Content): OperationObject => ({
    operationId,
    tags: ["Service"],
    summary,
    security: [],
    responses: {
      200: { description: summary, headers: keylessHeaders(), content },
      ...errors.references(["METHOD_NOT_ALLOWED"], { keyless: true }),
    },
  });
  return {
    "/healthz": {
      get: read("getHealth", "Whether the service answers", jsonContent(schemas.ofAnswer(health), schemas)),
    },
    "/openapi.json": {
      get: read("getDocument", "This document", { "application/json": { schema: { type: "object" } } }),
    },
    "/docs": {
      get: read("getDocs", "This document for people to read, with guides", {
        "text/html": { schema: { type: "string" } },
      }),
    },
  };
}
