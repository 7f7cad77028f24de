import { type OutputUnit, Validator } from "@cfworker/json-schema";
import { routes } from "../../src/api.ts";
import { writeOpenApiDocument } from "../../src/openapi/document.ts";
import type { JsonSchema } from "../../src/openapi/json-schema.ts";
import type { OperationObject, PathItem, ResponseObject } from "../../src/openapi/objects.ts";

/** The document of the service under test. */
export const contract = writeOpenApiDocument({
  apiUrl: "http://localhost:8787",
  operations: routes.map(({ operation }) => operation),
});

type Method = keyof PathItem;

/** Throws where a delivery of an event is not as the document's webhooks say. */
export function checkDelivery(headers: Record<string, string>, body: string): void {
  const event = headers["x-svc-event"] ?? "";
  const { parameters = [], requestBody } = contract.webhooks[event]?.post ?? {};
  const schema = requestBody?.content["application/json"]?.schema;
  if (schema === undefined) throw new Error(`the document knows no event "${event}"`);
  const missing = parameters
    .filter(({ name }) => !headers[name.toLowerCase()])
    .map(({ name }) => `no ${name}`);
  const faults = [...missing, ...schemaFaults(schema, JSON.parse(body))];
  if (faults.length > 0)
    throw new Error(`a delivery of ${event} is not as documented:\n${faults.join("\n")}`);
}

/**
 * Throws where an answer is not as the document says: a status, header or media type that it does not name, or a body
 * that does not fit its schema.
 */
export function checkResponse(request: Request, response: Response, body: ArrayBuffer | null): void {
  const { pathname } = new URL(request.url);
  const method = request.method.toLowerCase().replace("head", "get");
  if (method === "options") return;
  const faults = faultsOf(pathname, method as Method, response, request.method === "HEAD" ? null : body);
  if (faults.length === 0) return;
  const text = body === null ? "" : new TextDecoder().decode(body.slice(0, 1_000));
  throw new Error(
    `${request.method} ${pathname} answered ${response.status}, not as documented:\n${faults.join("\n")}\n${text}`,
  );
}

function faultsOf(pathname: string, method: Method, response: Response, body: ArrayBuffer | null): string[] {
  const item = itemOf(pathname);
  const operation = item?.[method];
  const answer = answerOf(operation, response.status);
  if (answer === undefined) {
    if (operation === undefined) return faultsBesideOperations(item, pathname, response, body);
    return [`${operation.operationId} documents no status ${response.status}`];
  }
  return [...headerFaults(answer, response), ...bodyFaults(answer, response, body)];
}

/** An unknown path is 404, a method that a path does not answer 405; before that, the key has to be right. */
function faultsBesideOperations(
  item: PathItem | undefined,
  pathname: string,
  response: Response,
  body: ArrayBuffer | null,
): string[] {
  const isBehindKey = /^\/v1(?:\/|$)/.test(pathname);
  const status = item === undefined ? 404 : 405;
  if (![status, ...(isBehindKey ? [401, 403, 429] : [])].includes(response.status)) {
    return ["the document knows no such path or method"];
  }
  const known = Object.entries(contract.components.responses).find(([name]) =>
    name.startsWith(`${response.status}.`),
  )?.[1] as ResponseObject;
  const headers = headersBeside(known, isBehindKey && response.status !== 401);
  const faults = [...headerFaults({ headers }, response), ...bodyFaults(known, response, body)];
  const allow = response.headers.get("Allow");
  if (response.status === 405 && allow !== methodsOf(item)) faults.push(`Allow is ${allow}`);
  return faults;
}

/** The headers of an error answer that is no operation's: those of the quota stand wherever a key was found good. */
function headersBeside({ headers = {} }: ResponseObject, hasQuota: boolean) {
  const own = Object.entries(headers).filter(([name]) => !name.startsWith("X-RateLimit-"));
  const ofQuota = Object.keys(contract.components.headers)
    .filter((name) => hasQuota && name.startsWith("X-RateLimit-"))
    .map((name) => [name, { $ref: `#/components/headers/${name}` }] as const);
  return Object.fromEntries([...own, ...ofQuota]);
}

/** What `Allow` says of a path. */
function methodsOf(item: PathItem = {}): string {
  return Object.keys(item)
    .flatMap((method) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]))
    .join(", ");
}

/** The item whose path fits; one without parameters before one with. */
function itemOf(pathname: string): PathItem | undefined {
  const segments = decoded(pathname).split("/");
  const fitting = Object.entries(contract.paths).filter(([path]) => {
    const parts = path.split("/");
    return (
      parts.length === segments.length &&
      parts.every(
        (part, index) => part === segments[index] || (part.startsWith("{") && segments[index] !== ""),
      )
    );
  });
  return fitting.sort(([a], [b]) => a.split("{").length - b.split("{").length)[0]?.[1];
}

/** The router reads a path with its percent-encodings undone, but for those of its own separators. */
function decoded(pathname: string): string {
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}

function answerOf(operation: OperationObject | undefined, status: number): ResponseObject | undefined {
  return resolve(operation?.responses[status], "responses");
}

function resolve<Value extends { $ref?: string }>(value: Value | undefined, kind: "responses" | "headers") {
  if (value?.$ref === undefined) return value;
  return contract.components[kind][value.$ref.split("/").at(-1) as string] as Value | undefined;
}

/** What a header of a type looks like. */
const VALUES = { string: /./, integer: /^\d+$/, boolean: /^(?:true|false)$/ };

/** Headers of HTTP itself and of what stands before the service, which mean here what they mean everywhere. */
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

function headerFaults(answer: ResponseObject, response: Response): string[] {
  const documented = new Set(Object.keys(answer.headers ?? {}).map((name) => name.toLowerCase()));
  const strangers = [...response.headers.keys()].filter(
    (name) => !documented.has(name) && !COMMON_HEADERS.has(name),
  );
  return [
    ...documentedHeaderFaults(answer, response),
    ...strangers.map((name) => `header ${name} is not documented`),
  ];
}

function documentedHeaderFaults({ headers = {} }: ResponseObject, response: Response): string[] {
  return Object.entries(headers).flatMap(([name, given]) => {
    const header = resolve(given as { $ref?: string }, "headers") as {
      required?: boolean;
      schema: JsonSchema;
    };
    const value = response.headers.get(name);
    if (value === null) return header.required ? [`header ${name} is missing`] : [];
    const isFitting = VALUES[header.schema.type as keyof typeof VALUES].test(value);
    return isFitting ? [] : [`header ${name} is ${value}`];
  });
}

function bodyFaults({ content }: ResponseObject, response: Response, body: ArrayBuffer | null): string[] {
  if (body === null || (content === undefined && body.byteLength === 0)) return [];
  const mediaType = response.headers.get("Content-Type")?.split(";")[0] ?? "";
  const media = content?.[mediaType];
  if (media === undefined) return [`media type ${mediaType} is not documented`];
  if (mediaType !== "application/json") return [];
  const value: unknown = JSON.parse(new TextDecoder().decode(body));
  const faults = schemaFaults(media.schema ?? {}, value);
  const { meta } = value as { meta?: { request_id?: string } };
  if (meta !== undefined && meta.request_id !== response.headers.get("X-Request-Id")) {
    faults.push("meta.request_id is not X-Request-Id");
  }
  return faults;
}

const validators = new WeakMap<JsonSchema, Validator>();

/** What of a value does not fit a schema of the document. */
export function schemaFaults(schema: JsonSchema, value: unknown): string[] {
  let validator = validators.get(schema);
  if (validator === undefined) {
    const { schemas } = contract.components;
    validator = new Validator({ ...schema, components: { schemas } } as never, "2020-12", false);
    validators.set(schema, validator);
  }
  const { valid, errors } = validator.validate(value);
  return valid
    ? []
    : errors.map(({ instanceLocation, error }: OutputUnit) => `${instanceLocation}: ${error}`);
}
