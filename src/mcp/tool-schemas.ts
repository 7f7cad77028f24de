import type { JsonSchema } from "../openapi/json-schema.ts";
import type { OpenApiDocument, OperationObject } from "../openapi/objects.ts";
import type { OperationScope } from "../permissions/scopes.ts";
import type { Tool } from "./tools.ts";

/**
 * Builds tools from the OpenAPI document: their schemas, and the method and path that they call. Tools
 * therefore accept what the API accepts, except {@link UNOFFERED_FIELDS} and the tool's fixed arguments.
 */

/** Tool with everything needed to list and call it. */
export interface CallableTool extends Tool {
  method: string;
  /** Path with parameters in braces, as in OpenAPI. */
  path: string;
  /** Scope that the operation requires. */
  scope: OperationScope;
  pathNames: readonly string[];
  queryNames: readonly string[];
  hasBody: boolean;
  inputSchema: ObjectSchema;
  /** Schema of the whole response. Missing for images. */
  outputSchema?: ObjectSchema;
}

type ObjectSchema = JsonSchema & { type: "object" };

/**
 * Fields that tools don't offer, at any depth. `password_hash` is for programs that migrate links between
 * services. The service requests a `logo_url`, so that a model could send secrets away in it.
 */
export const UNOFFERED_FIELDS: readonly string[] = ["password_hash", "logo_url"];

const COMPONENTS = "#/components/schemas/";
const DEFINITIONS = "#/$defs/";

/** Builds the tools from the operations of a document. Throws if a tool's operation doesn't exist. */
export function buildTools(document: OpenApiDocument, tools: readonly Tool[]): CallableTool[] {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  return tools.map((tool) => {
    const found = operations.find(({ operation }) => operation.operationId === tool.operation);
    if (found === undefined) {
      throw new Error(
        `the tool ${tool.name} calls the operation ${tool.operation}, which the document doesn't have`,
      );
    }
    return buildTool(tool, found, document.components.schemas);
  });
}

function buildTool(
  tool: Tool,
  { path, method, operation }: { path: string; method: string; operation: OperationObject },
  components: Record<string, JsonSchema>,
): CallableTool {
  const parameters = operation.parameters ?? [];
  const named = (place: "path" | "query") => parameters.filter((parameter) => parameter.in === place);
  const body = resolve(operation.requestBody?.content["application/json"]?.schema, components);
  const properties = Object.fromEntries(
    [...named("path"), ...named("query")].map(({ name, schema, description }) => [
      name,
      { ...schema, ...(description !== undefined && { description }) },
    ]),
  );
  const required = [
    ...parameters.filter((each) => each.in !== "header" && each.required).map(({ name }) => name),
    ...(body?.required ?? []),
  ];
  const isOpen = (name: string) => tool.fixed?.[name] === undefined;
  const all = { ...properties, ...body?.properties };
  const input: ObjectSchema = {
    type: "object",
    properties: Object.fromEntries(Object.entries(all).filter(([name]) => isOpen(name))),
    required: required.filter(isOpen),
    additionalProperties: false,
  };
  const output = operation.responses["200"] ?? operation.responses["201"];
  const schema = output?.content?.["application/json"]?.schema;
  return {
    ...tool,
    method: method.toUpperCase(),
    path,
    scope: readScope(operation),
    pathNames: named("path").map(({ name }) => name),
    queryNames: named("query").map(({ name }) => name),
    hasBody: body !== undefined,
    inputSchema: leaveOutFields(embedComponents(input, components)),
    ...(schema && { outputSchema: buildOutputSchema(tool, schema, components) }),
  };
}

/** Returns the schema of a response, with the mark of untrusted text. */
function buildOutputSchema(
  { untrusted }: Tool,
  schema: JsonSchema,
  components: Record<string, JsonSchema>,
): ObjectSchema {
  const mark = untrusted !== undefined && { untrusted: { type: "string" } };
  const properties = { ...mark, ...schema.properties };
  return embedComponents({ ...schema, type: "object", properties }, components);
}

/** Returns a schema without the fields in {@link UNOFFERED_FIELDS}. */
function leaveOutFields(schema: ObjectSchema): ObjectSchema {
  return JSON.parse(JSON.stringify(schema), (name, value) => {
    if (name !== "properties") return value;
    return Object.fromEntries(Object.entries(value).filter(([field]) => !UNOFFERED_FIELDS.includes(field)));
  });
}

/** Returns the scope that an operation requires. */
function readScope({ operationId, security = [] }: OperationObject): OperationScope {
  const [scope] = Object.values(security[0] ?? {}).flat();
  if (scope === undefined) throw new Error(`${operationId} requires no scope`);
  return scope as OperationScope;
}

/** Returns the component that a schema refers to, or the schema itself. */
function resolve(
  schema: JsonSchema | undefined,
  components: Record<string, JsonSchema>,
): JsonSchema | undefined {
  return schema?.$ref === undefined ? schema : components[schema.$ref.slice(COMPONENTS.length)];
}

/** Returns a self-contained schema, with the components that it refers to as `$defs`. */
function embedComponents(schema: ObjectSchema, components: Record<string, JsonSchema>): ObjectSchema {
  const used = new Set<string>();
  const collect = (part: unknown) => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      collect(components[name]);
    }
  };
  collect(schema);
  const definitions = Object.fromEntries([...used].sort().map((name) => [name, components[name]]));
  const embedded = used.size === 0 ? schema : { ...schema, $defs: definitions };
  return JSON.parse(JSON.stringify(embedded).replaceAll(`"${COMPONENTS}`, `"${DEFINITIONS}`));
}
