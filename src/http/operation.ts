import type { MiddlewareHandler } from "hono";
import * as z from "zod";
import { grantsScope, type Scope } from "../auth/key.ts";
import { ApiError, type ErrorCode, type ErrorNames } from "../core/error.ts";
import type { RateLimitShape } from "../limits/allowance.ts";
import type { ApiContext, ApiEnv } from "./context.ts";
import { envelope, type PageMeta } from "./envelope.ts";
import { idempotent } from "./idempotency.ts";
import { jsonBody, optionalJsonBody } from "./json-body.ts";
import { validate } from "./validation.ts";

/**
 * One operation of the API, said once: the router takes its path, scope and validation from here, and the OpenAPI
 * document its description.
 */
export interface Operation {
  /** `operationId` of the document. */
  id: string;
  tag: string;
  summary: string;
  description?: string;
  method: "get" | "post" | "patch" | "delete";
  /** With Hono's parameters: `/v1/links/:link_id`. */
  path: string;
  scope: Scope;
  /** The shape of `meta.rate_limit`. */
  rateLimit: RateLimitShape;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** A request without a body is taken for one with `{}`. */
  isBodyOptional?: true;
  /** Status of success; 200 where absent. */
  status?: 201;
  /** Schema of `data`. Absent where the answer is no JSON: then `media` names its types. */
  data?: z.ZodType;
  media?: readonly string[];
  /** `meta` has total, limit and offset. */
  paged?: true;
  /** Headers of the answer beyond those of every answer, and what they say. */
  headers?: Readonly<Record<string, string>>;
  /** Honours `If-None-Match` with 304. */
  conditional?: true;
  /** Error codes beyond those any operation may answer with. */
  errors?: readonly ErrorCode[];
  /** What this operation calls the codes of its own errors, where it is not their name. */
  errorNames?: ErrorNames;
}

/** Of an operation that takes no query parameters: any is refused by name. */
const noQuery = z.strictObject({});

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** What a handler is given: the validated query and body. */
export interface Input<O extends Operation> {
  query: Parsed<O["query"]>;
  body: Parsed<O["body"]>;
}

/** What a handler of a JSON operation answers: the data, and the page it is of. */
export interface JsonResult<Data> {
  data: Data;
  page?: PageMeta;
}

type Answer<O extends Operation> = O["data"] extends z.ZodType ? JsonResult<z.input<O["data"]>> : Response;

/** An operation and what it does. */
export interface Route {
  operation: Operation;
  handle: (c: ApiContext, input: { query: never; body: never }) => Promise<JsonResult<unknown> | Response>;
}

/** Ties an operation to its handler; the types of input and answer come from the operation's schemas. */
export function route<const O extends Operation>(
  operation: O,
  handle: (c: ApiContext, input: Input<O>) => Promise<Answer<O>>,
): Route {
  return { operation, handle: handle as unknown as Route["handle"] };
}

/** The middleware chain of a route, in the order of checks of decisions section 1: scope, input, then the handler. */
export function buildHandlers({ operation, handle }: Route): MiddlewareHandler<ApiEnv>[] {
  const { query, body, errorNames } = operation;
  const handlers: MiddlewareHandler<ApiEnv>[] = [requireScope(operation.scope)];
  if (errorNames) handlers.unshift(nameErrors(errorNames));
  handlers.push(validate("query", query ?? noQuery));
  if (body) handlers.push(operation.isBodyOptional ? optionalJsonBody : jsonBody);
  if (isIdempotent(operation)) handlers.push(idempotent);
  if (body) handlers.push(validate("json", body));
  handlers.push(async (c) => {
    const answer = await handle(c, {
      query: c.req.valid("query" as never),
      body: body && c.req.valid("json" as never),
    } as never);
    if (answer instanceof Response) return answer;
    return c.json(envelope(c, answer.data, operation.rateLimit, answer.page), operation.status ?? 200);
  });
  return handlers;
}

function nameErrors(errorNames: ErrorNames): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    c.set("errorNames", errorNames);
    await next();
  };
}

/** Whether an operation honours `Idempotency-Key` (decisions section 1). */
export function isIdempotent({ method, data }: Operation): boolean {
  return method === "post" && data !== undefined;
}

function requireScope(scope: Scope): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    if (!grantsScope(c.var.key.scopes, scope)) {
      throw new ApiError("INSUFFICIENT_SCOPE", `This key lacks the scope ${scope}.`);
    }
    await next();
  };
}
