import { routes } from "../api.ts";
import { writeOpenApiDocument } from "../openapi/document.ts";
import type { JsonSchema } from "../openapi/json-schema.ts";
import type { OpenApiDocument, OperationObject, Parameter, ResponseObject } from "../openapi/objects.ts";

/** Path of the client's types, relative to the project. */
export const CLIENT_TYPES_FILE = "src/client/schema.d.ts";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

/** Generates the client's types from the current OpenAPI document. */
export function generateClientTypes(): string {
  const operations = routes.map(({ operation }) => operation);
  const urls = { apiUrl: "http://localhost:8787", appUrl: "http://app.localhost:8787" };
  return formatTypes(writeOpenApiDocument({ ...urls, operations }));
}

/** Formats the document as TypeScript interfaces for openapi-fetch, in the format of openapi-typescript 7. */
function formatTypes({ paths, components }: OpenApiDocument): string {
  const items = Object.entries(paths).map(([path, item]) => {
    const members = METHODS.map((method) => {
      const operation = (item as Partial<Record<string, OperationObject>>)[method];
      return operation ? `${method}: ${formatOperation(operation)}` : `${method}?: never`;
    });
    const parameters = "parameters: { query?: never; header?: never; path?: never; cookie?: never }";
    return `${JSON.stringify(path)}: ${formatBlock([parameters, ...members])}`;
  });
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `${name}: ${formatSchema(schema)}`,
  );
  const responses = Object.entries(components.responses).map(
    ([name, response]) => `${JSON.stringify(name)}: ${formatResponse(response)}`,
  );
  const shared = formatBlock([`schemas: ${formatBlock(schemas)}`, `responses: ${formatBlock(responses)}`]);
  return [
    "// Generated from the OpenAPI document by `npm run client`.\n",
    `export interface paths ${formatBlock(items)}\n`,
    `export interface components ${shared}\n`,
  ].join("\n");
}

function formatOperation({ parameters = [], requestBody, responses }: OperationObject): string {
  const body = requestBody?.content["application/json"]?.schema;
  const members = Object.entries(responses).map(
    ([status, response]) => `${status}: ${formatResponse(response)}`,
  );
  return formatBlock([
    `parameters: ${formatBlock([
      formatParameters("query", parameters),
      formatParameters("header", parameters),
      formatParameters("path", parameters),
      "cookie?: never",
    ])}`,
    body === undefined
      ? "requestBody?: never"
      : `requestBody${requestBody?.required ? "" : "?"}: { content: { "application/json": ${formatSchema(body)} } }`,
    `responses: ${formatBlock(members)}`,
  ]);
}

/** Formats the parameters of one location: query, header or path. */
function formatParameters(location: Parameter["in"], parameters: readonly Parameter[]): string {
  const located = parameters.filter((parameter) => parameter.in === location);
  if (located.length === 0) return `${location}?: never`;
  const isRequired = located.some(({ required }) => required);
  const members = located.map(
    ({ name, required, schema }) => `${formatKey(name)}${required ? "" : "?"}: ${formatSchema(schema)}`,
  );
  return `${location}${isRequired ? "" : "?"}: ${formatBlock(members)}`;
}

function formatResponse({ $ref, content }: ResponseObject): string {
  if ($ref !== undefined) return `components["responses"][${JSON.stringify($ref.split("/").at(-1))}]`;
  const headers = "headers: { [name: string]: unknown }";
  if (content === undefined) return formatBlock([headers, "content?: never"]);
  const media = Object.entries(content).map(
    ([type, { schema }]) => `${JSON.stringify(type)}: ${formatSchema(schema ?? {})}`,
  );
  return formatBlock([headers, `content: ${formatBlock(media)}`]);
}

/** Formats a schema as a TypeScript type. */
function formatSchema(schema: JsonSchema): string {
  if (schema.$ref !== undefined)
    return `components["schemas"][${JSON.stringify(schema.$ref.split("/").at(-1))}]`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined && schema.type === undefined)
    return alternatives.map(formatSchema).join(" | ");
  if (Array.isArray(schema.type))
    return schema.type.map((type) => formatSchema({ ...schema, type })).join(" | ");
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return formatArray(formatSchema(schema.items ?? {}));
    case "object":
      return formatObject(schema) + formatRequiredAlternatives(schema);
    default:
      return "unknown";
  }
}

function formatObject({ properties = {}, required = [], additionalProperties }: JsonSchema): string {
  const members = Object.entries(properties).map(([name, member]) => {
    const optional = required.includes(name) ? "" : "?";
    return `${formatComment(member)}${formatKey(name)}${optional}: ${formatSchema(member)}`;
  });
  if (typeof additionalProperties === "object" && members.length === 0) {
    members.push(`[name: string]: ${formatSchema(additionalProperties)}`);
  } else if (additionalProperties !== false) {
    members.push("[name: string]: unknown");
  }
  return formatBlock(members);
}

/** Formats a schema's `oneOf`: the object must have the required members of one alternative. */
function formatRequiredAlternatives({ oneOf = [] }: JsonSchema): string {
  const alternatives = oneOf.map(({ required = [] }) =>
    formatBlock(required.map((name) => `${formatKey(name)}: unknown`)),
  );
  return alternatives.length === 0 ? "" : ` & (${alternatives.join(" | ")})`;
}

function formatArray(items: string): string {
  return items.includes(" | ") && !items.startsWith("{") ? `(${items})[]` : `${items}[]`;
}

function formatKey(name: string): string {
  return /^\w+$/.test(name) ? name : JSON.stringify(name);
}

function formatComment({ description }: JsonSchema): string {
  return description === undefined ? "" : `/** ${description.replaceAll("*/", "* /")} */\n`;
}

function formatBlock(members: readonly string[]): string {
  if (members.length === 0) return "Record<string, never>";
  return `{\n${members.map((member) => `${member};`.replaceAll(/^/gm, "  ")).join("\n")}\n}`;
}
