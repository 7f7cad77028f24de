import { type OutputUnit, Validator } from "@cfworker/json-schema";
import { routes } from "../../src/api.ts";
import { openApiDocument } from "../../src/openapi/document.ts";
import type { JsonSchema } from "../../src/openapi/json-schema.ts";
import type { OperationObject, PathItem, ResponseObject } from "../../src/openapi/objects.ts";

/** The document of the service under test. */
export const contract = openApiDocument({
  apiUrl: "http://localhost:8787",
  operations: routes.map(({ operation }) => operation),
});

type Method = keyof PathItem;

/**
 * Throws where an answer is not as the document says: a status, header or media type that it does not name, or a body
 * that does not fit its schema.
 */
export function checkAnswer(request: Request, response: Response, body: ArrayBuffer | null): void {
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
  const status = item === undefined ? 404 : 405;
  const permitted = pathname.startsWith("/v1/") ? [401, 403, 429, status] : [status];
  if (!permitted.includes(response.status)) return [`the document knows no such path or method`];
  if (response.status === 405 && !response.headers.has("Allow")) return ["no Allow"];
  const known = Object.entries(contract.components.responses).find(([name]) =>
    name.startsWith(`${response.status}.`),
  );
  return known === undefined || body === null ? [] : headerFaults(keylessOf(known[1]), response);
}

function keylessOf(answer: ResponseObject): ResponseObject {
  return { headers: { "X-Request-Id": answer.headers?.["X-Request-Id"] as { $ref: string } } };
}

/** The item whose path fits; one without parameters before one with. */
function itemOf(pathname: string): PathItem | undefined {
  const segments = pathname.split("/");
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

function answerOf(operation: OperationObject | undefined, status: number): ResponseObject | undefined {
  return resolve(operation?.responses[status], "responses");
}

function resolve<Value extends { $ref?: string }>(value: Value | undefined, kind: "responses" | "headers") {
  if (value?.$ref === undefined) return value;
  return contract.components[kind][value.$ref.split("/").at(-1) as string] as Value | undefined;
}

function headerFaults({ headers = {} }: ResponseObject, response: Response): string[] {
  return Object.entries(headers).flatMap(([name, given]) => {
    const header = resolve(given as { $ref?: string }, "headers") as {
      required?: boolean;
      schema: JsonSchema;
    };
    const value = response.headers.get(name);
    if (value === null) return header.required ? [`header ${name} is missing`] : [];
    const isFitting = header.schema.type !== "integer" || /^\d+$/.test(value);
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
