import type { ApiError } from "../core/error.ts";
import type { RateLimitShape } from "../limits/allowance.ts";
import { type RateLimitMeta, rateLimitMeta } from "../limits/allowance.ts";
import type { ApiContext } from "./context.ts";

/** What a list adds to `meta` (contract section 2.1). */
export interface PageMeta {
  total: number;
  limit: number;
  offset: number;
}

/** The envelope of a JSON answer. */
export interface Envelope<Data> {
  data: Data;
  meta: { request_id: string; rate_limit: RateLimitMeta } & Partial<PageMeta>;
}

/** Wraps the data of an answer. */
export function envelope<Data>(
  c: ApiContext,
  data: Data,
  shape: RateLimitShape,
  page?: PageMeta,
): Envelope<Data> {
  return {
    data,
    meta: { request_id: c.var.requestId, rate_limit: rateLimitMeta(c.var.allowance, shape), ...page },
  };
}

/** The error envelope (contract section 7); `error.details` only where there are field faults. */
export function errorEnvelope(requestId: string, error: ApiError, code: string = error.code) {
  return {
    error: {
      code,
      message: error.message,
      status: error.status,
      ...(error.details && { details: error.details }),
    },
    meta: { request_id: requestId },
  };
}
