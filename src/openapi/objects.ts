import type { JsonSchema } from "./json-schema.ts";

/** Name of the security scheme for API keys. */
export const SECURITY_SCHEME = "ApiKey";
/** Name of the security scheme for signed-in people, required by operations that no key can call. */
export const SESSION_SCHEME = "Session";

/** OpenAPI Header object. */
export interface Header {
  description: string;
  required?: boolean;
  schema: { type: "string" | "integer" | "boolean"; examples?: unknown[] };
}

/** OpenAPI Parameter object. */
export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  description?: string;
  required?: boolean;
  schema: JsonSchema;
}

/** Content of a body by media type. */
export type Content = Record<string, { schema?: JsonSchema; example?: unknown }>;

/** OpenAPI Response object, or a reference to a component (`$ref`). */
export interface ResponseObject {
  $ref?: string;
  description?: string;
  headers?: Record<string, Header | { $ref: string }>;
  content?: Content;
}

/** OpenAPI Operation object. */
export interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: Record<string, string[]>[];
  servers?: { url: string; description: string }[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, ResponseObject>;
}

export type PathItem = Partial<Record<"get" | "put" | "post" | "patch" | "delete", OperationObject>>;

/** OpenAPI Security Scheme object: a bearer token, or a cookie. */
type SecurityScheme =
  | { type: "http"; scheme: "bearer"; description: string }
  | { type: "apiKey"; in: "cookie"; name: string; description: string };

/** OpenAPI 3.1 document with the fields used here. */
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
    securitySchemes: Record<string, SecurityScheme>;
    schemas: Record<string, JsonSchema>;
    responses: Record<string, ResponseObject>;
    headers: Record<string, Header>;
  };
}
