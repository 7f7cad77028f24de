import type { ApiError } from "../core/error.ts";
import { formatRateLimitMeta, type RateLimitMeta, type RateLimitShape } from "../limits/allowance.ts";
import type { ApiContext } from "./context.ts";

/** Pagination fields in `meta` of list responses. */
export interface PageMeta {
  total: number;
  limit: number;
  offset: number;
  /** True if there may be more items than `total`. */
  total_is_capped?: boolean;
  /** Value of `before` for the next page. Null at the end of the list. */
  next_before?: string | null;
}

/** Page of a handler. `boundPage` removes `cursorAt`. */
export interface HandlerPage extends PageMeta {
  /** Returns the `next_before` after an item, if it isn't the item's id. */
  cursorAt?: (index: number) => string | null;
}

/** Returns the pagination fields of a list whose total is exact. */
export function formatPage(
  { limit, offset }: { limit: number; offset: number },
  total: number,
  nextBefore: string | null,
): PageMeta {
  return { total, limit, offset, total_is_capped: false, next_before: nextBefore };
}

/** Body of a successful JSON response. */
export interface Envelope<Data> {
  data: Data;
  meta: { request_id: string; rate_limit: RateLimitMeta; warnings?: readonly string[] } & Partial<PageMeta>;
}

/** Optional parts of `meta`. */
export interface MetaOptions {
  page?: HandlerPage;
  /** Warnings about accepted input that probably doesn't have the intended effect. Left out if empty. */
  warnings?: readonly string[];
}

/** Wraps response data in the envelope. */
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

/**
 * Builds the body of an error response. `error.details` is present only if the error lists invalid fields.
 */
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
