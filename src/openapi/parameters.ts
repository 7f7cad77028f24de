import { EXAMPLE_ID } from "../http/fields.ts";
import type { Operation } from "../http/operation.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { Parameter } from "./objects.ts";

export const IDEMPOTENCY_KEY: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Makes it safe to retry the request. The first response is stored for 24 hours and returned for every request with the same key, path and body. A request that ended without a response can be retried after at most 10 seconds. No resource is created twice.",
  schema: {
    type: "string",
    minLength: 1,
    maxLength: 255,
    examples: ["8e03978e-40d5-43e8-bc93-6894a57f9324"],
  },
};

export const IF_NONE_MATCH: Parameter = {
  name: "If-None-Match",
  in: "header",
  description:
    "`ETag` of an earlier response. If the resource has not changed, the response is 304 without a body.",
  schema: { type: "string" },
};

/** Writes the header that selects the workspace for a signed-in person. */
export function writeWorkspaceHeader({ method, scope }: Operation): Parameter {
  const isOptional = method === "get" && scope === "session";
  return {
    name: "X-SVC-Workspace",
    in: "header",
    ...(!isOptional && { required: true }),
    description: `Slug of the workspace to use.${isOptional ? " Default: the workspace that the person joined first." : ""}`,
    schema: { type: "string", examples: ["acme"] },
  };
}

/** Writes the parameter for an id in the path, or for another value with the given schema. */
export function writePathParameter(name: string, valueSchema?: JsonSchema): Parameter {
  if (valueSchema !== undefined) {
    const { description = "", ...schema } = valueSchema;
    return { name, in: "path", required: true, description, schema };
  }
  const resource = name.replace(/_id$/, "").replaceAll("_", " ");
  return {
    name,
    in: "path",
    required: true,
    description: `Identifier of the ${resource}.`,
    schema: { type: "string", format: "uuid", examples: [EXAMPLE_ID] },
  };
}

/** Writes the query parameters from the schema of the whole query. */
export function writeQueryParameters({ properties = {}, required = [] }: JsonSchema): Parameter[] {
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    ...(description && { description }),
    ...(required.includes(name) && { required: true }),
    schema,
  }));
}
