import { SCOPES } from "../auth/key.ts";
import type { Operation } from "../http/operation.ts";
import { eventData } from "../webhooks/webhooks.schema.ts";
import { ErrorResponses } from "./error-responses.ts";
import { writeEventPath } from "./event-paths.ts";
import { HEADERS } from "./headers.ts";
import { SchemaComponents } from "./json-schema.ts";
import { type OpenApiDocument, type PathItem, SECURITY_SCHEME } from "./objects.ts";
import { OperationWriter } from "./operation-writer.ts";
import { writeOtherPaths } from "./other-paths.ts";
import { INTRODUCTION, TAGS } from "./texts.ts";

/** What the document is made of. */
export interface DocumentSources {
  /** Address of the API surface. */
  apiUrl: string;
  operations: readonly Operation[];
}

/** The OpenAPI document of the service, from the operations and schemas that the router itself works with. */
export function writeOpenApiDocument({ apiUrl, operations }: DocumentSources): OpenApiDocument {
  const schemas = new SchemaComponents();
  const errors = new ErrorResponses(schemas);
  const writer = new OperationWriter(schemas, errors);
  const paths: Record<string, PathItem> = {};
  for (const operation of operations) {
    const path = documentPath(operation.path);
    paths[path] = { ...paths[path], [operation.method]: writer.write(operation) };
  }
  Object.assign(paths, writeOtherPaths(schemas, errors));
  const webhooks = Object.fromEntries(
    Object.entries(eventData).map(([type, data]) => [type, writeEventPath(type, data, schemas)]),
  );
  return {
    openapi: "3.1.1",
    info: {
      title: "Signpost API",
      version: "1.0.0",
      description: INTRODUCTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: apiUrl, description: "This deployment" }],
    tags: listUsedTags([...Object.values(paths), ...Object.values(webhooks)]),
    security: [{ [SECURITY_SCHEME]: [] }],
    paths,
    webhooks,
    components: {
      securitySchemes: { [SECURITY_SCHEME]: SCHEME },
      schemas: schemas.toJSON(),
      responses: errors.toJSON(),
      headers: HEADERS,
    },
  };
}

/** `/v1/links/{link_id}` of Hono's `/v1/links/:link_id`. */
export function documentPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}

const SCHEME = {
  type: "http",
  scheme: "bearer",
  description: `An API key of a workspace: \`Authorization: Bearer svc_pk_…\`. It has some of the scopes ${SCOPES.map((scope) => `\`${scope}\``).join(", ")}, or all of them (\`*\`). Each operation names the one it needs.`,
};

function listUsedTags(items: readonly PathItem[]): OpenApiDocument["tags"] {
  const used = new Set(items.flatMap((item) => Object.values(item).flatMap(({ tags }) => tags)));
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}
