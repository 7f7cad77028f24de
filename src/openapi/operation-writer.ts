import * as z from "zod";
import { id, timestamp } from "../http/fields.ts";
import { isIdempotent, type Operation } from "../http/operation.ts";
import type { RateLimitShape } from "../limits/allowance.ts";
import { type ErrorResponses, listErrorCodes } from "./error-responses.ts";
import { responseHeaders } from "./headers.ts";
import { jsonContent, type SchemaComponents } from "./json-schema.ts";
import { type Content, type OperationObject, type ResponseObject, SECURITY_SCHEME } from "./objects.ts";
import { IDEMPOTENCY_KEY, IF_NONE_MATCH, writePathParameter, writeQueryParameters } from "./parameters.ts";

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

/** Writes operations as the document has them. */
export class OperationWriter {
  readonly #schemas: SchemaComponents;
  readonly #errors: ErrorResponses;

  constructor(schemas: SchemaComponents, errors: ErrorResponses) {
    this.#schemas = schemas;
    this.#errors = errors;
  }

  write(operation: Operation): OperationObject {
    const { id: operationId, tag, summary, description, scope, body, isBodyOptional = false } = operation;
    const parameters = this.#parameters(operation);
    return {
      operationId,
      tags: [tag],
      summary,
      ...(description && { description }),
      security: [{ [SECURITY_SCHEME]: [scope] }],
      ...(parameters.length > 0 && { parameters }),
      ...(body && {
        requestBody: {
          required: !isBodyOptional,
          content: jsonContent(this.#schemas.ofRequest(body), this.#schemas),
        },
      }),
      responses: {
        ...this.#success(operation),
        ...this.#errors.references(listErrorCodes(operation), {
          names: operation.errorNames,
          idempotent: isIdempotent(operation),
        }),
      },
    };
  }

  #parameters(operation: Operation) {
    const { path, query, conditional } = operation;
    return [
      ...[...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => writePathParameter(name)),
      ...(query ? writeQueryParameters(this.#schemas.ofRequest(query)) : []),
      ...(isIdempotent(operation) ? [IDEMPOTENCY_KEY] : []),
      ...(conditional ? [IF_NONE_MATCH] : []),
    ];
  }

  #success(operation: Operation): Record<string, ResponseObject> {
    const { data, media = [], status = 200, headers = {}, conditional, summary } = operation;
    const further = isIdempotent(operation) ? ["Idempotency-Replayed"] : [];
    const own = Object.fromEntries(
      Object.entries(headers).map(([name, description]) => [
        name,
        { description, schema: { type: "string" as const } },
      ]),
    );
    const answer: ResponseObject = {
      description: summary,
      headers: { ...responseHeaders(status, ...further), ...own },
      content: data
        ? jsonContent(this.#schemas.ofResponse(envelopeOf(data, operation)), this.#schemas)
        : contentOf(media),
    };
    const unchanged = { description: "Nothing has changed.", headers: { ...responseHeaders(304), ...own } };
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
