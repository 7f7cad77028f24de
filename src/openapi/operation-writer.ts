import { z } from "zod";
import { id, timestamp } from "../http/fields.ts";
import { isIdempotent, type Operation } from "../http/operation.ts";
import type { RateLimitShape } from "../limits/allowance.ts";
import { type ErrorAnswers, errorsOf } from "./errors.ts";
import { headersOf } from "./headers.ts";
import { type JsonSchema, jsonContent, type SchemaComponents } from "./json-schema.ts";
import {
  type Content,
  type OperationObject,
  type Parameter,
  type ResponseObject,
  SECURITY_SCHEME,
} from "./objects.ts";

/** The two shapes of `meta.rate_limit` (contract section 2.1). */
const RATE_LIMIT = {
  A: z
    .strictObject({
      limit: z.int().meta({ example: 25_000 }),
      remaining: z.int().meta({ example: 24_999 }),
      reset: z.int().meta({ example: 1_796_083_200, description: "Unix time in seconds." }),
    })
    .meta({ id: "RateLimitA", description: "The monthly quota." }),
  B: z
    .strictObject({
      remaining: z.int().meta({ example: 24_999 }),
      reset_at: timestamp,
    })
    .meta({ id: "RateLimitB", description: "The monthly quota." }),
} satisfies Record<RateLimitShape, z.ZodType>;

const PAGE = {
  total: z.int().meta({ example: 1, description: "How many there are in all." }),
  limit: z.int().meta({ example: 50 }),
  offset: z.int().meta({ example: 0 }),
};

const IDEMPOTENCY_KEY: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Makes a repetition of the request safe: the first answer is kept for 24 hours and given again to every request with this key, path and body.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

const IF_NONE_MATCH: Parameter = {
  name: "If-None-Match",
  in: "header",
  description: "An `ETag` of an earlier answer: where nothing has changed, the answer is 304 without a body.",
  schema: { type: "string" },
};

/** Writes operations as the document has them. */
export class OperationWriter {
  readonly #schemas: SchemaComponents;
  readonly #errors: ErrorAnswers;

  constructor(schemas: SchemaComponents, errors: ErrorAnswers) {
    this.#schemas = schemas;
    this.#errors = errors;
  }

  write(operation: Operation): OperationObject {
    const { id: operationId, tag, summary, description, scope, body } = operation;
    const parameters = this.#parameters(operation);
    return {
      operationId,
      tags: [tag],
      summary,
      ...(description && { description }),
      security: [{ [SECURITY_SCHEME]: [scope] }],
      ...(parameters.length > 0 && { parameters }),
      ...(body && {
        requestBody: { required: true, content: jsonContent(this.#schemas.ofRequest(body), this.#schemas) },
      }),
      responses: {
        ...this.#success(operation),
        ...this.#errors.references(errorsOf(operation), { names: operation.errorNames }),
      },
    };
  }

  #parameters(operation: Operation): Parameter[] {
    const { path, query, conditional } = operation;
    return [
      ...[...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => pathParameter(name)),
      ...(query ? parametersOf(this.#schemas.ofRequest(query)) : []),
      ...(isIdempotent(operation) ? [IDEMPOTENCY_KEY] : []),
      ...(conditional ? [IF_NONE_MATCH] : []),
    ];
  }

  #success(operation: Operation): Record<string, ResponseObject> {
    const { data, media = [], status = 200, headers = {}, conditional, summary } = operation;
    const further = isIdempotent(operation) ? ["Idempotency-Replayed"] : [];
    const own = Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: { type: "string" as const } },
    ]);
    const answer: ResponseObject = {
      description: summary,
      headers: { ...headersOf(status, ...further), ...Object.fromEntries(own) },
      content: data
        ? jsonContent(this.#schemas.ofAnswer(envelopeOf(data, operation)), this.#schemas)
        : contentOf(media),
    };
    const unchanged = { description: "Nothing has changed.", headers: headersOf(304) };
    return { [status]: answer, ...(conditional && { 304: unchanged }) };
  }
}

function envelopeOf(data: z.ZodType, { rateLimit, paged }: Operation): z.ZodType {
  return z.strictObject({
    data,
    meta: z.strictObject({ request_id: id, rate_limit: RATE_LIMIT[rateLimit], ...(paged && PAGE) }),
  });
}

function contentOf(media: readonly string[]): Content {
  return Object.fromEntries(media.map((type) => [type, { schema: { type: "string" as const } }]));
}

function pathParameter(name: string): Parameter {
  const resource = name.replace(/_id$/, "").replaceAll("_", " ");
  const example = "019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f";
  return {
    name,
    in: "path",
    required: true,
    description: `Identifier of the ${resource}.`,
    schema: { type: "string", format: "uuid", examples: [example] },
  };
}

function parametersOf({ properties = {}, required = [] }: JsonSchema): Parameter[] {
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    ...(description && { description }),
    ...(required.includes(name) && { required: true }),
    schema,
  }));
}
