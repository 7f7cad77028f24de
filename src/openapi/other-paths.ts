import * as z from "zod";
import type { ErrorCode } from "../core/error.ts";
import { API_PATHS } from "../routing/api-paths.ts";
import type { ErrorResponseComponents } from "./error-responses.ts";
import { buildKeylessHeaders } from "./headers.ts";
import { buildJsonContent, type JsonSchema, type SchemaComponents } from "./json-schema.ts";
import type { Content, OperationObject, Parameter, PathItem } from "./objects.ts";
import { writePathParameter } from "./parameters.ts";

const health = z.strictObject({ status: z.literal("ok") });

/** Writes the API host's paths outside `/v1`. These paths need no API key. */
export function writeOtherPaths(
  schemas: SchemaComponents,
  errors: ErrorResponseComponents,
): Record<string, PathItem> {
  const writeGet = (operationId: string, summary: string, content: Content): OperationObject => ({
    operationId,
    tags: ["Service"],
    summary,
    security: [],
    responses: {
      200: { description: summary, headers: buildKeylessHeaders(), content },
      ...errors.writeReferences(["HTTPS_REQUIRED", "METHOD_NOT_ALLOWED"], { isKeyless: true }),
    },
  });
  return {
    [API_PATHS.health]: {
      get: writeGet(
        "getHealth",
        "Check that the service is running",
        buildJsonContent(schemas.writeResponseSchema(health), schemas),
      ),
    },
    [API_PATHS.document]: {
      get: writeGet("getDocument", "Get this document", {
        "application/json": { schema: { type: "object" } },
      }),
    },
    [API_PATHS.docs]: {
      get: writeGet("getDocs", "Get this document as a web page with guides", {
        "text/html": { schema: { type: "string" } },
      }),
    },
    [API_PATHS.linksFileSchema]: {
      get: writeGet("getLinksFileSchema", "Get the JSON Schema of links files for `signpost apply`", {
        "application/schema+json": { schema: { type: "object" } },
      }),
    },
    [`${API_PATHS.uploads}/{workspace_id}/{asset_id}`]: { put: writeUpload(errors) },
  };
}

/**
 * Writes the operation of the upload URL that `presignUpload` returns. The signature in the URL replaces the
 * API key.
 */
function writeUpload(errors: ErrorResponseComponents): OperationObject {
  const buildSignedParameter = (name: string, schema: JsonSchema): Parameter => ({
    name,
    in: "query",
    required: true,
    description: "Part of the upload URL, unchanged.",
    schema,
  });
  return {
    operationId: "uploadFile",
    tags: ["Assets"],
    summary: "Upload the file of an asset",
    description:
      "Use the URL and the headers in `data.upload` of the presigned asset. The URL accepts one file, once.",
    security: [],
    parameters: [
      writePathParameter("workspace_id"),
      writePathParameter("asset_id"),
      buildSignedParameter("size", { type: "integer", examples: [48_213] }),
      buildSignedParameter("type", { type: "string", examples: ["application/pdf"] }),
      buildSignedParameter("expires", { type: "integer", examples: [1_795_254_300] }),
      buildSignedParameter("signature", { type: "string", examples: ["0".repeat(64)] }),
    ],
    requestBody: {
      required: true,
      content: { "*/*": { schema: { type: "string", contentMediaType: "application/octet-stream" } } },
    },
    responses: {
      200: {
        description: "The file was stored. The upload can now be confirmed.",
        headers: buildKeylessHeaders(),
      },
      ...errors.writeReferences(UPLOAD_ERRORS, { isKeyless: true }),
    },
  };
}

const UPLOAD_ERRORS: ErrorCode[] = [
  "VALIDATION_ERROR",
  "INVALID_UPLOAD_URL",
  "WORKSPACE_SUSPENDED",
  "EXPIRED_UPLOAD_URL",
  "RESOURCE_NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "ASSET_ALREADY_UPLOADED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "INTERNAL_ERROR",
  "SERVICE_UNAVAILABLE",
  "HTTPS_REQUIRED",
];
