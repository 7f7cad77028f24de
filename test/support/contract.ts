import { dereference, type OutputUnit, validate } from "@cfworker/json-schema";
import { routes } from "../../src/api.ts";
import { writeOpenApiDocument } from "../../src/openapi/document.ts";
import { SHARED_HEADERS } from "../../src/openapi/headers.ts";
import type { JsonSchema } from "../../src/openapi/json-schema.ts";
import type { OperationObject, PathItem, ResponseObject } from "../../src/openapi/objects.ts";

/** OpenAPI document of the service under test. */
export const contract = writeOpenApiDocument({
  apiUrl: "http://localhost:8787",
  appUrl: "http://app.localhost:8787",
  operations: routes.map(({ operation }) => operation),
});

type Method = keyof PathItem;

/** Throws if the delivery of an event does not match the webhooks of the document. */
export function checkDelivery(headers: Record<string, string>, body: string): void {
  const event = headers["x-svc-event"] ?? "";
  const { parameters = [], requestBody } = contract.webhooks[event]?.post ?? {};
  const schema = requestBody?.content["application/json"]?.schema;
  if (schema === undefined) throw new Error(`the document has no event "${event}"`);
  const missing = parameters
    .filter(({ name }) => !headers[name.toLowerCase()])
    .map(({ name }) => `no ${name}`);
  const faults = [...missing, ...findSchemaFaults(schema, JSON.parse(body))];
  if (faults.length > 0)
    throw new Error(`a delivery of ${event} is not as documented:\n${faults.join("\n")}`);
}

/**
 * Throws if a response does not match the document: an undocumented status, header or media type, a missing header, or
 * a body that is not valid for its schema.
 */
export function checkResponse(request: Request, response: Response, body: ArrayBuffer | null): void {
  const { pathname } = new URL(request.url);
  const method = request.method.toLowerCase().replace("head", "get");
  if (method === "options") return;
  const faults = findFaults(pathname, method as Method, response, request.method === "HEAD" ? null : body);
  if (faults.length === 0) return;
  const text = body === null ? "" : new TextDecoder().decode(body.slice(0, 1_000));
  throw new Error(
    `${request.method} ${pathname} returned ${response.status}, not as documented:\n${faults.join("\n")}\n${text}`,
  );
}

function findFaults(
  pathname: string,
  method: Method,
  response: Response,
  body: ArrayBuffer | null,
): string[] {
  const item = findPathItem(pathname);
  const operation = item?.[method];
  const documented = findResponse(operation, response.status);
  if (documented === undefined) {
    if (operation === undefined) return findFaultsOutsideOperations(item, pathname, response, body);
    return [`${operation.operationId} documents no status ${response.status}`];
  }
  return [...findHeaderFaults(documented, response), ...findBodyFaults(documented, response, body)];
}

/** Checks a response for an unknown path (404) or method (405). Under `/v1` the API key is checked first. */
function findFaultsOutsideOperations(
  item: PathItem | undefined,
  pathname: string,
  response: Response,
  body: ArrayBuffer | null,
): string[] {
  const isBehindKey = /^\/v1(?:\/|$)/.test(pathname);
  const status = item === undefined ? 404 : 405;
  if (![status, ...(isBehindKey ? [401, 403, 429] : [])].includes(response.status)) {
    return ["the document has no such path or method"];
  }
  const documented = findErrorComponent(response.status);
  const headers = listHeadersOutsideOperations(documented, isBehindKey && response.status !== 401);
  const faults = [...findHeaderFaults({ headers }, response), ...findBodyFaults(documented, response, body)];
  const allow = response.headers.get("Allow");
  if (response.status === 405 && allow !== formatAllow(item)) faults.push(`Allow is ${allow}`);
  return faults;
}

/** Returns the first error response of the document with a status. */
function findErrorComponent(status: number): ResponseObject {
  const responses = Object.values(contract.components.responses);
  const found = responses.find((response) => readExampleStatus(response) === status);
  if (found === undefined) throw new Error(`the document has no error response ${status}`);
  return found;
}

function readExampleStatus({ content }: ResponseObject): number | undefined {
  return (content?.["application/json"]?.example as { error?: { status: number } } | undefined)?.error
    ?.status;
}

/**
 * Returns the headers of an error response outside the operations. It has quota headers if the request had a
 * valid API key.
 */
function listHeadersOutsideOperations({ headers = {} }: ResponseObject, hasQuota: boolean) {
  const ownHeaders = Object.entries(headers).filter(([name]) => !name.startsWith("X-RateLimit-"));
  const quotaHeaders = Object.entries(SHARED_HEADERS).filter(
    ([name]) => hasQuota && name.startsWith("X-RateLimit-"),
  );
  return Object.fromEntries([...ownHeaders, ...quotaHeaders]);
}

/** Returns the value of the `Allow` header of a path. */
function formatAllow(item: PathItem = {}): string {
  return Object.keys(item)
    .flatMap((method) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]))
    .join(", ");
}

/** Returns the item whose path matches. A path without parameters takes precedence. */
function findPathItem(pathname: string): PathItem | undefined {
  const segments = decodePath(pathname).split("/");
  return pathItems.find(
    ({ parts }) =>
      parts.length === segments.length &&
      parts.every(
        (part, index) => part === segments[index] || (part.startsWith("{") && segments[index] !== ""),
      ),
  )?.item;
}

const pathItems = Object.entries(contract.paths)
  .map(([path, item]) => ({ parts: path.split("/"), parameters: path.split("{").length, item }))
  .sort((a, b) => a.parameters - b.parameters);

/** Decodes a path as the router does: `decodeURI` keeps the encoding of separators. */
function decodePath(pathname: string): string {
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}

function findResponse(operation: OperationObject | undefined, status: number): ResponseObject | undefined {
  return resolveReference(operation?.responses[status], "responses");
}

function resolveReference<Value extends { $ref?: string }>(
  value: Value | undefined,
  kind: "responses" | "headers",
) {
  if (value?.$ref === undefined) return value;
  return contract.components[kind][value.$ref.split("/").at(-1) as string] as Value | undefined;
}

/** Header value patterns by the type in the header's schema. */
const HEADER_VALUES = { string: /./, integer: /^\d+$/, boolean: /^(?:true|false)$/ };

/** Standard HTTP and proxy headers, which the document does not describe. */
const COMMON_HEADERS = new Set(
  [
    [
      "cache-control",
      "connection",
      "content-encoding",
      "content-length",
      "content-type",
      "date",
      "keep-alive",
    ],
    ["server", "transfer-encoding", "vary"],
    ["content-security-policy", "referrer-policy", "x-content-type-options"],
    ["access-control-allow-origin", "access-control-expose-headers"],
  ].flat(),
);

function findHeaderFaults(documentedResponse: ResponseObject, response: Response): string[] {
  const documented = new Set(Object.keys(documentedResponse.headers ?? {}).map((name) => name.toLowerCase()));
  const undocumented = [...response.headers.keys()].filter(
    (name) => !documented.has(name) && !COMMON_HEADERS.has(name),
  );
  return [
    ...findDocumentedHeaderFaults(documentedResponse, response),
    ...undocumented.map((name) => `header ${name} is not documented`),
  ];
}

function findDocumentedHeaderFaults({ headers = {} }: ResponseObject, response: Response): string[] {
  return Object.entries(headers).flatMap(([name, headerOrReference]) => {
    const header = resolveReference(headerOrReference as { $ref?: string }, "headers") as {
      required?: boolean;
      schema: JsonSchema;
    };
    const value = response.headers.get(name);
    if (value === null) return header.required ? [`header ${name} is missing`] : [];
    const isValid = HEADER_VALUES[header.schema.type as keyof typeof HEADER_VALUES].test(value);
    return isValid ? [] : [`header ${name} is ${value}`];
  });
}

function findBodyFaults({ content }: ResponseObject, response: Response, body: ArrayBuffer | null): string[] {
  if (body === null || (content === undefined && body.byteLength === 0)) return [];
  const mediaType = response.headers.get("Content-Type")?.split(";")[0] ?? "";
  const media = content?.[mediaType];
  if (media === undefined) return [`media type ${mediaType} is not documented`];
  if (mediaType !== "application/json") return [];
  const value = JSON.parse(new TextDecoder().decode(body)) as {
    data?: unknown;
    meta?: { request_id?: string };
  };
  const faults = findSchemaFaults(media.schema ?? {}, sampleItems(value));
  const { meta } = value;
  if (meta !== undefined && meta.request_id !== response.headers.get("X-Request-Id")) {
    faults.push("meta.request_id is not X-Request-Id");
  }
  return faults;
}

/**
 * Returns the body of a list with at most 20 of its items, because the check of a page with 200 similar items
 * takes 20 ms.
 */
function sampleItems<Body extends { data?: unknown }>(body: Body): Body {
  const { data } = body;
  if (!Array.isArray(data) || data.length <= 20) return body;
  return { ...body, data: [...data.slice(0, 10), ...data.slice(-10)] };
}

const SCHEMA_URI = "https://github.com/cfworker";

/**
 * Schemas of the document by their pointers. They are collected once, because each validator would take 20 ms
 * for that.
 */
const components = dereference({ components: { schemas: contract.components.schemas } } as never);
delete components[SCHEMA_URI];

const lookups = new WeakMap<JsonSchema, ReturnType<typeof dereference>>();

/** Returns the errors of a value that is not valid for a schema of the document. */
export function findSchemaFaults(schema: JsonSchema, value: unknown): string[] {
  const lookup = lookups.get(schema) ?? dereference(schema as never, Object.create(components));
  lookups.set(schema, lookup);
  // Three times as fast, because it need not list the errors of alternatives that do not apply.
  if (validate(value, schema as never, "2020-12", lookup, true).valid) return [];
  const { valid, errors } = validate(value, schema as never, "2020-12", lookup, false);
  return valid
    ? []
    : errors.map(({ instanceLocation, error }: OutputUnit) => `${instanceLocation}: ${error}`);
}
