import { routes } from "../api.ts";
import { writeOpenApiDocument } from "../openapi/document.ts";
import type { JsonSchema } from "../openapi/json-schema.ts";
import type { OpenApiDocument, OperationObject, Parameter, ResponseObject } from "../openapi/objects.ts";

/** Where the client's types are kept. */
export const CLIENT_TYPES = "src/client/schema.d.ts";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

/** The types of the client, from the document as it is now. */
export function clientTypes(): string {
  const operations = routes.map(({ operation }) => operation);
  return typesOf(writeOpenApiDocument({ apiUrl: "http://localhost:8787", operations }));
}

/** The document in TypeScript, in the form that openapi-fetch takes (that of openapi-typescript 7). */
function typesOf({ paths, components }: OpenApiDocument): string {
  const items = Object.entries(paths).map(([path, item]) => {
    const members = METHODS.map((method) => {
      const operation = (item as Partial<Record<string, OperationObject>>)[method];
      return operation ? `${method}: ${operationType(operation)}` : `${method}?: never`;
    });
    const parameters = "parameters: { query?: never; header?: never; path?: never; cookie?: never }";
    return `${JSON.stringify(path)}: ${block([parameters, ...members])}`;
  });
  const schemas = Object.entries(components.schemas).map(([name, schema]) => `${name}: ${typeOf(schema)}`);
  const responses = Object.entries(components.responses).map(
    ([name, response]) => `${JSON.stringify(name)}: ${responseType(response)}`,
  );
  const shared = block([`schemas: ${block(schemas)}`, `responses: ${block(responses)}`]);
  return [
    "// Generated from the OpenAPI document by `npm run client`.\n",
    `export interface paths ${block(items)}\n`,
    `export interface components ${shared}\n`,
  ].join("\n");
}

function operationType({ parameters = [], requestBody, responses }: OperationObject): string {
  const body = requestBody?.content["application/json"]?.schema;
  const answers = Object.entries(responses).map(([status, answer]) => `${status}: ${responseType(answer)}`);
  return block([
    `parameters: ${block([
      parametersType("query", parameters),
      parametersType("header", parameters),
      parametersType("path", parameters),
      "cookie?: never",
    ])}`,
    body === undefined
      ? "requestBody?: never"
      : `requestBody${requestBody?.required ? "" : "?"}: { content: { "application/json": ${typeOf(body)} } }`,
    `responses: ${block(answers)}`,
  ]);
}

function parametersType(place: Parameter["in"], parameters: readonly Parameter[]): string {
  const placed = parameters.filter((parameter) => parameter.in === place);
  if (placed.length === 0) return `${place}?: never`;
  const isRequired = placed.some(({ required }) => required);
  const members = placed.map(
    ({ name, required, schema }) => `${keyOf(name)}${required ? "" : "?"}: ${typeOf(schema)}`,
  );
  return `${place}${isRequired ? "" : "?"}: ${block(members)}`;
}

function responseType({ $ref, content }: ResponseObject): string {
  if ($ref !== undefined) return `components["responses"][${JSON.stringify($ref.split("/").at(-1))}]`;
  const headers = "headers: { [name: string]: unknown }";
  if (content === undefined) return block([headers, "content?: never"]);
  const media = Object.entries(content).map(
    ([type, { schema }]) => `${JSON.stringify(type)}: ${typeOf(schema ?? {})}`,
  );
  return block([headers, `content: ${block(media)}`]);
}

/** A value that fits a schema, as a TypeScript type. */
function typeOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined)
    return `components["schemas"][${JSON.stringify(schema.$ref.split("/").at(-1))}]`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return alternatives.map(typeOf).join(" | ");
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return arrayOf(typeOf(schema.items ?? {}));
    case "object":
      return objectType(schema);
    default:
      return "unknown";
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: JsonSchema): string {
  const members = Object.entries(properties).map(([name, member]) => {
    const optional = required.includes(name) ? "" : "?";
    return `${documentation(member)}${keyOf(name)}${optional}: ${typeOf(member)}`;
  });
  if (typeof additionalProperties === "object" && members.length === 0) {
    members.push(`[name: string]: ${typeOf(additionalProperties)}`);
  } else if (additionalProperties !== false) {
    members.push("[name: string]: unknown");
  }
  return block(members);
}

function arrayOf(items: string): string {
  return items.includes(" | ") && !items.startsWith("{") ? `(${items})[]` : `${items}[]`;
}

function keyOf(name: string): string {
  return /^\w+$/.test(name) ? name : JSON.stringify(name);
}

function documentation({ description }: JsonSchema): string {
  return description === undefined ? "" : `/** ${description.replaceAll("*/", "* /")} */\n`;
}

function block(members: readonly string[]): string {
  if (members.length === 0) return "Record<string, never>";
  return `{\n${members.map((member) => `${member};`.replaceAll(/^/gm, "  ")).join("\n")}\n}`;
}
