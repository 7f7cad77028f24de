import type { Operation } from "../http/operation.ts";
import { formatSessionCookieName } from "../members/session-cookie.ts";
import { isPersonScope, SCOPES } from "../permissions/scopes.ts";
import { ErrorResponseComponents } from "./error-responses.ts";
import { writeWebhooks } from "./event-paths.ts";
import { writeHeaderComponents } from "./headers.ts";
import { SchemaComponents } from "./json-schema.ts";
import { type OpenApiDocument, type PathItem, SECURITY_SCHEME, SESSION_SCHEME } from "./objects.ts";
import { OperationWriter } from "./operation-writer.ts";
import { writeOtherPaths } from "./other-paths.ts";
import { TAGS, writeIntroduction } from "./texts.ts";

export interface DocumentSources {
  /** URL of the API, without a path. */
  apiUrl: string;
  /** URL of the app host, without a path. */
  appUrl: string;
  operations: readonly Operation[];
}

/**
 * Writes the OpenAPI document of the API. The document derives from the same operations and schemas as the
 * router, so document and router can't differ.
 */
export function writeOpenApiDocument({ apiUrl, appUrl, operations }: DocumentSources): OpenApiDocument {
  const schemas = new SchemaComponents();
  const errors = new ErrorResponseComponents(schemas);
  const writer = new OperationWriter(schemas, errors, appUrl);
  const paths: Record<string, PathItem> = {};
  for (const operation of operations) {
    const path = formatDocumentPath(operation.path);
    paths[path] = { ...paths[path], [operation.method]: writer.write(operation) };
  }
  Object.assign(paths, writeOtherPaths(schemas, errors));
  const webhooks = writeWebhooks(schemas);
  return {
    openapi: "3.1.1",
    info: {
      title: "Signpost API",
      version: "1.0.0",
      description: writeIntroduction(operations),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: apiUrl, description: "This deployment" }],
    tags: listUsedTags([...Object.values(paths), ...Object.values(webhooks)]),
    security: [{ [SECURITY_SCHEME]: [] }],
    paths,
    webhooks,
    components: {
      securitySchemes: {
        [SECURITY_SCHEME]: BEARER_SCHEME,
        ...(operations.some(({ scope }) => isPersonScope(scope)) && {
          [SESSION_SCHEME]: buildSessionScheme(appUrl),
        }),
      },
      schemas: schemas.listComponents(),
      responses: errors.listComponents(),
      headers: writeHeaderComponents(),
    },
  };
}

/** Converts a Hono path to OpenAPI syntax: `/v1/links/:link_id` becomes `/v1/links/{link_id}`. */
export function formatDocumentPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}

const BEARER_SCHEME = {
  type: "http" as const,
  scheme: "bearer" as const,
  description: `API key of a workspace: \`Authorization: Bearer svc_pk_…\`. A key can have the scopes ${SCOPES.map((scope) => `\`${scope}\``).join(", ")}, or all of them (\`*\`). Each operation shows the scope that it requires.`,
};

function buildSessionScheme(appUrl: string) {
  return {
    type: "apiKey" as const,
    in: "cookie" as const,
    name: formatSessionCookieName(appUrl),
    description: `Session of a person who signed in at ${appUrl}, where people can call every operation under \`/v1\`. \`X-SVC-Workspace\` contains the slug of the workspace, and write requests need the \`Origin\` ${appUrl}. The role of the person determines the scopes. API keys cannot call operations that only list this scheme.`,
  };
}

/** Returns the tags that the operations use, in the order of {@link TAGS}. */
function listUsedTags(items: readonly PathItem[]): OpenApiDocument["tags"] {
  const used = new Set(items.flatMap((item) => Object.values(item).flatMap(({ tags }) => tags)));
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}
