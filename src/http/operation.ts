import type { MiddlewareHandler } from "hono";
import * as z from "zod";
import { ApiError, type ErrorCode, type ErrorNames } from "../core/error.ts";
import type { RateLimitShape } from "../limits/allowance.ts";
import { findLeastRole } from "../permissions/roles.ts";
import { hasScope, isPersonScope, type OperationScope } from "../permissions/scopes.ts";
import { createSuspendedError } from "../safety/suspension.ts";
import { createMovingError } from "../tenant/moving.ts";
import type { ApiContext, ApiEnv } from "./context.ts";
import { type MetaOptions, wrapInEnvelope } from "./envelope.ts";
import { handleIdempotencyKey } from "./idempotency.ts";
import { readJsonBody, readOptionalJsonBody } from "./json-body.ts";
import { boundPage } from "./page-bytes.ts";
import { runRepeatably } from "./repetition.ts";
import { validateInput } from "./validate-input.ts";

/** Tag of an operation in the OpenAPI document. */
export type OperationTag =
  | "Links"
  | "QR codes"
  | "QR templates"
  | "Bio pages"
  | "Assets"
  | "Workspace"
  | "Sessions"
  | "Keys"
  | "Members"
  | "Passkeys"
  | "Domains"
  | "Analytics"
  | "Reports"
  | "Webhooks"
  | "Audit log";

/**
 * Definition of one API operation. The router reads the path, scope and validation from the definition. The
 * OpenAPI document is written from the same definition.
 */
export interface Operation {
  /** `operationId` in the OpenAPI document. */
  id: string;
  tag: OperationTag;
  summary: string;
  description?: string;
  method: "get" | "put" | "post" | "patch" | "delete";
  /** Path with parameters in Hono's syntax: `/v1/links/:link_id`. */
  path: string;
  /** Scope that the API key or the person's role must have. Some scopes exist only for people. */
  scope: OperationScope;
  /** Shape of `meta.rate_limit` in responses. */
  rateLimit: RateLimitShape;
  /** Schemas of path parameters that aren't ids of Signpost. Ids need no schema, because an invalid id is unknown. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** Schema of the body's items, if the handler validates each item by itself. */
  item?: z.ZodType;
  /** Set if an empty request body is treated as `{}`. */
  isBodyOptional?: true;
  /** Status of a successful response. Defaults to 200. */
  status?: 201;
  /** Set if the operation responds with 201 when it creates the resource, and otherwise with 200. */
  mayCreate?: true;
  /** Schema of `data` in responses. Missing for responses that aren't JSON. */
  data?: z.ZodType;
  /** Media types of responses that aren't JSON. */
  mediaTypes?: readonly string[];
  /** Set for lists. Their `meta` has `total`, `limit` and `offset`. */
  isPaged?: true;
  /** Set for lists whose `meta` also has `total_is_capped` and `next_before`. */
  hasCursor?: true;
  /** Set if `meta` may contain `warnings` about the input. */
  hasWarnings?: true;
  /** Additional response headers with their descriptions. */
  headers?: Readonly<Record<string, string>>;
  /** Set if the operation supports `If-None-Match` and may respond with 304. */
  isConditional?: true;
  /**
   * Set for operations that end access and write only to the directory. These operations also work while the
   * workspace is moved.
   */
  worksDuringMove?: true;
  /** Error codes in addition to the codes of all operations. */
  errors?: readonly ErrorCode[];
  /** Public names that replace error codes in this operation's responses. */
  errorNames?: ErrorNames;
  /** Error codes that `data` may contain for single items of the request. */
  itemErrorCodes?: readonly string[];
  /** Fields of the example response that differ from the schemas' examples. */
  exampleData?: Readonly<Record<string, unknown>>;
}

/** Query schema of operations without parameters. Each given parameter is reported as unknown. */
const emptyQuery = z.strictObject({});

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** Validated input of a handler. */
export interface Input<O extends Operation> {
  query: Parsed<O["query"]>;
  body: Parsed<O["body"]>;
}

/**
 * Result of a JSON operation's handler. Lists set `page`; operations with `hasWarnings` may set `warnings`.
 */
export interface JsonResult<Data> extends MetaOptions {
  data: Data;
  /** Set by operations with `mayCreate`. */
  isCreated?: boolean;
}

type HandlerResult<O extends Operation> = O["data"] extends z.ZodType
  ? JsonResult<z.input<O["data"]>>
  : Response;

/** Operation with its handler. */
export interface Route {
  operation: Operation;
  handle: (c: ApiContext, input: { query: never; body: never }) => Promise<JsonResult<unknown> | Response>;
}

/**
 * Combines an operation with its handler. The operation's schemas define the types of the handler's input and
 * result.
 */
export function defineRoute<const O extends Operation>(
  operation: O,
  handle: (c: ApiContext, input: Input<O>) => Promise<HandlerResult<O>>,
): Route {
  return { operation, handle: handle as unknown as Route["handle"] };
}

/**
 * Builds the middleware chain of a route: checks the scope, then the path and the query, then the body, and calls
 * the handler. The scope is checked first, so that callers without the scope learn nothing from validation
 * errors.
 */
export function buildHandlers({ operation, handle }: Route): MiddlewareHandler<ApiEnv>[] {
  const { params, query, body, errorNames } = operation;
  const handlers: MiddlewareHandler<ApiEnv>[] = [requireScope(operation.scope)];
  if (isHeldUpByMove(operation)) handlers.push(refuseWhileMoving);
  if (isRefusedWhenSuspended(operation)) handlers.push(refuseWhenSuspended);
  handlers.push(setOperation(operation.id));
  if (errorNames) handlers.unshift(setErrorNames(errorNames));
  if (params) handlers.push(validateInput("param", params));
  handlers.push(validateInput("query", query ?? emptyQuery));
  if (body) handlers.push(operation.isBodyOptional ? readOptionalJsonBody : readJsonBody);
  if (isIdempotent(operation)) handlers.push(handleIdempotencyKey(operation.path));
  if (body) handlers.push(validateInput("body", body));
  const buildDeleted =
    operation.method === "delete" ? (id: string) => ({ data: { id, deleted: true } }) : undefined;
  handlers.push(async (c) => {
    const input = { query: c.req.valid("query" as never), body: body && c.req.valid("json" as never) };
    const result = await runRepeatably(c, () => handle(c, input as never), buildDeleted);
    if (result instanceof Response) return result;
    const status = result.isCreated ? 201 : (operation.status ?? 200);
    const { data, page, ...options } = result;
    if (page === undefined) return c.json(wrapInEnvelope(c, data, operation.rateLimit, options), status);
    const { items, ...metaOptions } = await boundPage({ ...options, data, page });
    const { meta } = wrapInEnvelope(c, null, operation.rateLimit, metaOptions);
    const json = `{"data":[${items.join(",")}],"meta":${JSON.stringify(meta)}}`;
    return c.body(json, status, { "Content-Type": "application/json" });
  });
  return handlers;
}

function setOperation(id: string): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    c.set("operation", id);
    await next();
  };
}

function setErrorNames(errorNames: ErrorNames): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    c.set("errorNames", errorNames);
    await next();
  };
}

/**
 * Returns true if the operation supports `Idempotency-Key`, as all POST operations with a JSON response do.
 */
export function isIdempotent({ method, data }: Operation): boolean {
  return method === "post" && data !== undefined;
}

/** Returns true if the operation is rejected during the last step of a workspace move. */
export function isHeldUpByMove({ method, worksDuringMove }: Operation): boolean {
  return method !== "get" && worksDuringMove !== true;
}

/**
 * Rejects a change during the last step of a workspace move. Triggers on the shard reject changes that are
 * already running.
 */
const refuseWhileMoving: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (c.var.workspace.isMoving) throw createMovingError();
  await next();
};

/**
 * Returns true if a suspended workspace can't use the operation. Reading still works, and so do operations that end
 * access.
 */
export function isRefusedWhenSuspended(operation: Operation): boolean {
  return isHeldUpByMove(operation) && !operation.scope.endsWith(":read");
}

const refuseWhenSuspended: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (c.var.workspace.suspendedAt !== null) throw createSuspendedError();
  await next();
};

function requireScope(scope: OperationScope): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const { caller, session, settings } = c.var;
    if (session === undefined && isPersonScope(scope)) {
      throw new ApiError(
        "SESSION_REQUIRED",
        `This operation does not accept API keys. Sign in at ${settings.appUrl} instead.`,
      );
    }
    if (!hasScope(caller.scopes, scope)) throw createDeniedError(scope, session?.member.role);
    await next();
  };
}

/** Returns the error for a key without a scope, or for a person whose role doesn't include it. */
function createDeniedError(scope: OperationScope, role?: string): ApiError {
  if (role === undefined) return new ApiError("INSUFFICIENT_SCOPE", `This key lacks the scope ${scope}.`);
  const least = findLeastRole(scope);
  return new ApiError(
    "INSUFFICIENT_ROLE",
    `Your role is ${role}. This operation requires the role ${least}${least === "owner" ? "" : " or higher"}.`,
  );
}
