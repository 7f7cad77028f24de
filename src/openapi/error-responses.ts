import * as z from "zod";
import { ERROR_STATUS, type ErrorCode, type ErrorNames } from "../core/error.ts";
import { id } from "../http/fields.ts";
import { isIdempotent, type Operation } from "../http/operation.ts";
import { keylessHeaders, responseHeaders } from "./headers.ts";
import { jsonContent, type SchemaComponents } from "./json-schema.ts";
import type { ResponseObject } from "./objects.ts";

/** When each error is answered. */
const ERROR_MEANINGS: Record<ErrorCode, string> = {
  VALIDATION_ERROR:
    "A field or parameter is missing, unknown, of the wrong type or out of range. The message names it.",
  INVALID_API_KEY: "The key is missing, malformed or unknown.",
  REVOKED_API_KEY: "The key has been revoked.",
  EXPIRED_API_KEY: "The key is past its `expires_at`.",
  INSUFFICIENT_SCOPE: "The key lacks the scope of the operation.",
  FEATURE_NOT_AVAILABLE: "The workspace's plan lacks the API or the feature.",
  PLAN_LIMIT_EXCEEDED: "A cap of the workspace's plan is reached.",
  RESOURCE_NOT_FOUND: "The resource does not exist, or belongs to another workspace.",
  METHOD_NOT_ALLOWED: "The path does not answer this method; `Allow` names those it does.",
  SLUG_TAKEN: "Another link of the workspace has this `custom_slug`.",
  INVALID_UPLOAD_URL: "The upload address is not as this service signed it.",
  EXPIRED_UPLOAD_URL: "The upload address is past its time.",
  ASSET_ALREADY_UPLOADED: "A file has been uploaded to this address before.",
  WEBHOOK_DISABLED: "The endpoint is disabled; enable it first.",
  ASSET_NOT_UPLOADED: "The file of the asset has not been uploaded.",
  ASSET_NOT_CONFIRMED: "The asset has not been confirmed.",
  IDEMPOTENCY_CONFLICT:
    "The `Idempotency-Key` belongs to a request that is still being answered (409), or that had another payload (422).",
  PAYLOAD_TOO_LARGE: "The body is too large.",
  UNSUPPORTED_MEDIA_TYPE: "The body is of another media type than is asked for.",
  RATE_LIMIT_EXCEEDED: "The monthly quota is used up; `Retry-After` says when it begins anew.",
  BURST_LIMIT_EXCEEDED: "Too many calls a second with this key.",
  INTERNAL_ERROR: "Something went wrong on our side. The `request_id` identifies the request.",
};

const OF_EVERY_OPERATION = [
  "VALIDATION_ERROR",
  "INVALID_API_KEY",
  "REVOKED_API_KEY",
  "EXPIRED_API_KEY",
  "INSUFFICIENT_SCOPE",
  "FEATURE_NOT_AVAILABLE",
  "RATE_LIMIT_EXCEEDED",
  "BURST_LIMIT_EXCEEDED",
  "INTERNAL_ERROR",
] as const satisfies ErrorCode[];

/** The codes that `IDEMPOTENCY_CONFLICT` also answers with another status than its own. */
const FURTHER_STATUS: Partial<Record<ErrorCode, number>> = { IDEMPOTENCY_CONFLICT: 422 };

/** The errors an operation may answer with. */
export function listErrorCodes(operation: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>([...OF_EVERY_OPERATION, ...(operation.errors ?? [])]);
  if (operation.path.includes(":")) codes.add("RESOURCE_NOT_FOUND");
  if (operation.body) codes.add("PAYLOAD_TOO_LARGE").add("UNSUPPORTED_MEDIA_TYPE");
  if (isIdempotent(operation)) codes.add("IDEMPOTENCY_CONFLICT");
  return [...codes];
}

interface ErrorOptions {
  /** Codes by other names, as an operation has them. */
  names?: ErrorNames | undefined;
  /** Of what takes no key, and so has no quota to speak of. */
  keyless?: boolean;
  /** Of what honours `Idempotency-Key`, which keeps refusals too. */
  idempotent?: boolean;
}

/** Statuses of errors that are found once the `Idempotency-Key` is taken, and so are kept. */
const REPLAYED_STATUS = new Set([400, 403, 404, 409]);

/** The error answers of a document: components that operations refer to. */
export class ErrorResponses {
  readonly #schemas: SchemaComponents;
  readonly #answers = new Map<string, ResponseObject>();

  constructor(schemas: SchemaComponents) {
    this.#schemas = schemas;
  }

  /** The components, by name. */
  toJSON(): Record<string, ResponseObject> {
    return Object.fromEntries([...this.#answers].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The answers with these codes, by status. */
  references(codes: readonly ErrorCode[], options: ErrorOptions = {}): Record<string, ResponseObject> {
    const pairs = codes.flatMap((code) => statusesOf(code).map((status) => ({ status, code })));
    const references = [...Map.groupBy(pairs, ({ status }) => status)].map(([status, ofStatus]) => {
      const ofCodes = ofStatus.map(({ code }) => code);
      return [status, { $ref: `#/components/responses/${this.#component(status, ofCodes, options)}` }];
    });
    return Object.fromEntries(references);
  }

  /** Name of the component that is the answer with a status and some codes. */
  #component(
    status: number,
    codes: readonly ErrorCode[],
    { names = {}, keyless = false, idempotent = false }: ErrorOptions,
  ): string {
    const named = codes.map((code) => ({ name: names[code] ?? code, meaning: ERROR_MEANINGS[code] }));
    const isReplayed = idempotent && REPLAYED_STATUS.has(status);
    const component = [
      status,
      ...named.map(({ name }) => name),
      ...(keyless ? ["keyless"] : []),
      ...(isReplayed ? ["idempotent"] : []),
    ].join(".");
    if (!this.#answers.has(component)) {
      const further = isReplayed ? ["Idempotency-Replayed"] : [];
      const schema = this.#schemas.ofResponse(
        buildErrorSchema(
          status,
          named.map(({ name }) => name),
        ),
      );
      this.#answers.set(component, {
        description: named.map(({ name, meaning }) => `\`${name}\`: ${meaning}`).join("\n\n"),
        headers: keyless ? keylessHeaders(status) : responseHeaders(status, ...further),
        content: jsonContent(schema, this.#schemas),
      });
    }
    return component;
  }
}

function statusesOf(code: ErrorCode): number[] {
  const further = FURTHER_STATUS[code];
  return [ERROR_STATUS[code], ...(further === undefined ? [] : [further])];
}

/** The error envelope with one status and the codes, as they are answered, that it may have. */
function buildErrorSchema(status: number, names: readonly string[]): z.ZodType {
  const [first = ""] = names;
  const error = z.strictObject({
    code: z.enum(names as [string, ...string[]]),
    message: z.string().meta({ example: EXAMPLES[first.toUpperCase()] ?? "The reason, for people to read." }),
    status: z.literal(status),
    ...(status === 400 && { details: z.array(fault).optional() }),
  });
  return z.strictObject({ error, meta: z.strictObject({ request_id: id }) });
}

const EXAMPLES: Record<string, string> = {
  VALIDATION_ERROR: "url: is required",
  RESOURCE_NOT_FOUND: "The resource does not exist.",
  NOT_FOUND: "The resource does not exist.",
  INSUFFICIENT_SCOPE: "This key lacks the scope links:write.",
};

const fault = z
  .strictObject({
    field: z.string().meta({ example: "url" }),
    message: z.string().meta({ example: "is required" }),
  })
  .meta({ id: "FieldFault", description: "One fault of an input: where, and what it must be." });
