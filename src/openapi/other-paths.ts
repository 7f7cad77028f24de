import * as z from "zod";
import type { ErrorCode } from "../core/error.ts";
import type { ErrorResponses } from "./error-responses.ts";
import { keylessHeaders } from "./headers.ts";
import { type JsonSchema, jsonContent, type SchemaComponents } from "./json-schema.ts";
import type { Content, OperationObject, Parameter, PathItem } from "./objects.ts";
import { writePathParameter } from "./parameters.ts";

const health = z.strictObject({ status: z.literal("ok") });

/** What the API's host serves outside `/v1`, without a key. */
export function writeOtherPaths(schemas: SchemaComponents, errors: ErrorResponses): Record<string, PathItem> {
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
      get: read("getHealth", "Whether the service answers", jsonContent(schemas.ofResponse(health), schemas)),
    },
    "/openapi.json": {
      get: read("getDocument", "This document", { "application/json": { schema: { type: "object" } } }),
    },
    "/docs": {
      get: read("getDocs", "This document for people to read, with guides", {
        "text/html": { schema: { type: "string" } },
      }),
    },
    "/uploads/{workspace_id}/{asset_id}": { put: upload(errors) },
  };
}

/** The address that `presignUpload` answers with, which is its own authorisation. */
function upload(errors: ErrorResponses): OperationObject {
  const signed = (name: string, schema: JsonSchema): Parameter => ({
    name,
    in: "query",
    required: true,
    description: "Part of the address as it was answered.",
    schema,
  });
  return {
    operationId: "uploadFile",
    tags: ["Assets"],
    summary: "Upload the file of an asset",
    description:
      "At the address, and with the headers, of `data.upload` of the presigned asset. Takes one file, once.",
    security: [],
    parameters: [
      writePathParameter("workspace_id"),
      writePathParameter("asset_id"),
      signed("size", { type: "integer", examples: [48_213] }),
      signed("type", { type: "string", examples: ["application/pdf"] }),
      signed("expires", { type: "integer", examples: [1_795_000_000] }),
      signed("signature", { type: "string", examples: ["0".repeat(64)] }),
    ],
    requestBody: {
      required: true,
      content: { "*/*": { schema: { type: "string", contentMediaType: "application/octet-stream" } } },
    },
    responses: {
      200: { description: "The file is there, and can be confirmed.", headers: keylessHeaders() },
      ...errors.references(UPLOAD_ERRORS, { keyless: true }),
    },
  };
}

const UPLOAD_ERRORS: ErrorCode[] = [
  "VALIDATION_ERROR",
  "INVALID_UPLOAD_URL",
  "EXPIRED_UPLOAD_URL",
  "RESOURCE_NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "ASSET_ALREADY_UPLOADED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "INTERNAL_ERROR",
];
