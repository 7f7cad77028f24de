import type { JsonSchema } from "./json-schema.ts";

/** The one security scheme of the document. */
export const SECURITY_SCHEME = "ApiKey";

/** A header object of the document. */
export interface Header {
  description: string;
  required?: boolean;
  schema: { type: "string" | "integer" | "boolean"; examples?: unknown[] };
}

/** A parameter object. */
export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  description?: string;
  required?: boolean;
  schema: JsonSchema;
}

/** The content of a body, by media type. */
export type Content = Record<string, { schema?: JsonSchema; example?: unknown }>;

/** A response object; `$ref` to a component in its place. */
export interface ResponseObject {
  $ref?: string;
  description?: string;
  headers?: Record<string, Header | { $ref: string }>;
  content?: Content;
}

/** An operation object. */
export interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, ResponseObject>;
}

export type PathItem = Partial<Record<"get" | "put" | "post" | "patch" | "delete", OperationObject>>;

/** An OpenAPI 3.1 document, as far as this service writes one. */
export interface OpenApiDocument {
  openapi: "3.1.1";
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  security: Record<string, string[]>[];
  paths: Record<string, PathItem>;
  webhooks: Record<string, PathItem>;
  components: {
    securitySchemes: Record<string, { type: string; scheme: string; description: string }>;
    schemas: Record<string, JsonSchema>;
    responses: Record<string, ResponseObject>;
    headers: Record<string, Header>;
  };
}
