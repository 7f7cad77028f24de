import type { ApiError } from "../core/error.ts";
import { formatRateLimitMeta, type RateLimitMeta, type RateLimitShape } from "../limits/allowance.ts";
import type { ApiContext } from "./context.ts";

/** Pagination fields that a list response adds to `meta`. */
export interface PageMeta {
  /** Number of items on all pages. */
  total: number;
  limit: number;
  offset: number;
  /** True if there may be more items than `total`. */
  total_is_capped?: boolean;
  /** Value of `before` for the next page. Null at the end of the list. */
  next_before?: string | null;
}

/** Body of a successful JSON response. */
export interface Envelope<Data> {
  data: Data;
  meta: { request_id: string; rate_limit: RateLimitMeta; warnings?: readonly string[] } & Partial<PageMeta>;
}

/** Optional parts of `meta`. */
export interface MetaOptions {
  page?: PageMeta;
  /** Sentences about accepted input that probably does not do what the caller meant. Left out if empty. */
  warnings?: readonly string[];
}

/** Wraps the data of a response in the envelope. */
export function wrapInEnvelope<Data>(
  c: ApiContext,
  data: Data,
  shape: RateLimitShape,
  { page, warnings = [] }: MetaOptions = {},
): Envelope<Data> {
  return {
    data,
    meta: {
      request_id: c.var.requestId,
      rate_limit: formatRateLimitMeta(c.var.allowance, shape),
      ...page,
      ...(warnings.length > 0 && { warnings }),
    },
  };
}

/** Builds the body of an error response. It has `error.details` only if the error lists field faults. */
export function buildErrorEnvelope(requestId: string, error: ApiError, code: string = error.code) {
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
