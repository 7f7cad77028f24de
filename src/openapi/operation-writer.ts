import * as z from "zod";
import { requestId } from "../http/fields.ts";
import { isIdempotent, type Operation } from "../http/operation.ts";
import { isPersonScope, type OperationScope } from "../permissions/scopes.ts";
import { type ErrorResponseComponents, listErrorCodes } from "./error-responses.ts";
import { buildResponseHeaders } from "./headers.ts";
import { buildExample, buildJsonContent, changeExample, type SchemaComponents } from "./json-schema.ts";
import {
  type Content,
  type OperationObject,
  type ResponseObject,
  SECURITY_SCHEME,
  SESSION_SCHEME,
} from "./objects.ts";
import {
  IDEMPOTENCY_KEY,
  IF_NONE_MATCH,
  writePathParameter,
  writeQueryParameters,
  writeWorkspaceHeader,
} from "./parameters.ts";
import { QUOTA_FORMS } from "./quota-forms.ts";

const WARNINGS = {
  warnings: z
    .array(z.string())
    .optional()
    .describe(
      "Input that was accepted but probably does not do what you intended, with its path. Omitted if there are no warnings.",
    ),
};

/** Pagination fields that list responses add to `meta`. */
const PAGE = {
  total: z.int().meta({ example: 1, description: "Total number of items." }),
  limit: z.int().meta({ example: 50 }),
  offset: z.int().meta({ example: 0 }),
};

/** Fields that a list with a `before` cursor adds to `meta`. */
const CURSOR = {
  total_is_capped: z.boolean().meta({
    example: false,
    description:
      "True if there may be more items than `total`. Always false for a list of links without filters.",
  }),
  next_before: z.string().nullable().meta({
    example: null,
    description: "Value of `before` for the next page. Null at the end of the list.",
  }),
};

/** Writes the operation objects of the document. */
export class OperationWriter {
  readonly #schemas: SchemaComponents;
  readonly #errors: ErrorResponseComponents;

  readonly #appUrl: string;

  constructor(schemas: SchemaComponents, errors: ErrorResponseComponents, appUrl: string) {
    this.#schemas = schemas;
    this.#errors = errors;
    this.#appUrl = appUrl;
  }

  write(operation: Operation): OperationObject {
    const { id: operationId, tag, summary, description, scope, body, isBodyOptional = false } = operation;
    const parameters = this.#writeParameters(operation);
    return {
      operationId,
      tags: [tag],
      summary,
      ...(description && { description }),
      ...this.#writeSecurity(scope),
      ...(parameters.length > 0 && { parameters }),
      ...(body && {
        requestBody: {
          required: !isBodyOptional,
          content: buildJsonContent(this.#schemas.writeRequestSchema(body), this.#schemas),
        },
      }),
      responses: {
        ...this.#writeSuccessResponses(operation),
        ...this.#errors.writeReferences(listErrorCodes(operation), {
          names: operation.errorNames,
          isIdempotent: isIdempotent(operation),
        }),
      },
    };
  }

  /**
   * Writes the security requirement of an operation. For operations that no key can call, also writes the
   * host that serves them.
   */
  #writeSecurity(scope: OperationScope): Pick<OperationObject, "security" | "servers"> {
    if (!isPersonScope(scope)) return { security: [{ [SECURITY_SCHEME]: [scope] }] };
    return {
      security: [{ [SESSION_SCHEME]: [scope] }],
      servers: [{ url: this.#appUrl, description: "Host where people sign in" }],
    };
  }

  #writeParameters(operation: Operation) {
    const { path, params, query, isConditional, scope } = operation;
    const { properties = {} } = params ? this.#schemas.writeRequestSchema(params) : {};
    return [
      ...[...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => writePathParameter(name, properties[name])),
      ...(query ? writeQueryParameters(this.#schemas.writeRequestSchema(query)) : []),
      ...(isIdempotent(operation) ? [IDEMPOTENCY_KEY] : []),
      ...(isConditional ? [IF_NONE_MATCH] : []),
      ...(isPersonScope(scope) ? [writeWorkspaceHeader(operation)] : []),
    ];
  }

  #writeSuccessResponses(operation: Operation): Record<string, ResponseObject> {
    const { mediaTypes = [], status = 200, mayCreate, headers = {}, isConditional, summary } = operation;
    const otherHeaders = isIdempotent(operation) ? ["Idempotency-Replayed"] : [];
    const ownHeaders = Object.fromEntries(
      Object.entries(headers).map(([name, description]) => [
        name,
        { description, schema: { type: "string" as const } },
      ]),
    );
    const success: ResponseObject = {
      description: summary,
      headers: { ...buildResponseHeaders(status, ...otherHeaders), ...ownHeaders },
      content: operation.data ? this.#writeEnvelope(operation.data, operation) : buildContent(mediaTypes),
    };
    const notModified = {
      description: "The resource was not changed.",
      headers: { ...buildResponseHeaders(304), ...ownHeaders },
    };
    return {
      [status]: success,
      ...(mayCreate && { 201: success }),
      ...(isConditional && { 304: notModified }),
    };
  }

  /**
   * Writes the content of a JSON response. The example has no warnings, because the example request causes
   * none.
   */
  #writeEnvelope(data: z.ZodType, operation: Operation): Content {
    const meta = buildMetaSchema(operation);
    const writeSchema = (metaSchema: z.ZodObject) =>
      this.#schemas.writeResponseSchema(z.strictObject({ data, meta: metaSchema }));
    const { hasWarnings, exampleData } = operation;
    const example = buildExample(writeSchema(meta), this.#schemas);
    return buildJsonContent(
      writeSchema(hasWarnings ? meta.extend(WARNINGS) : meta),
      this.#schemas,
      exampleData === undefined ? example : changeExample(example, { data: exampleData }),
    );
  }
}

/** Builds the schema of `meta`, without `warnings`. */
function buildMetaSchema({ rateLimit, isPaged, hasCursor, query }: Operation) {
  const limit = query?.shape.limit?.meta()?.default;
  return z.strictObject({
    request_id: requestId,
    rate_limit: QUOTA_FORMS[rateLimit],
    ...(isPaged && PAGE),
    ...(isPaged && limit !== undefined && { limit: z.int().meta({ example: limit }) }),
    ...(hasCursor && CURSOR),
  });
}

function buildContent(media: readonly string[]): Content {
  return Object.fromEntries(media.map((type) => [type, { schema: { type: "string" as const } }]));
}
