import createClient, { type ClientOptions } from "openapi-fetch";
import { sleep } from "./abortable-sleep.ts";
import { createRetryingFetch, type RetryOptions } from "./retrying-fetch.ts";
import type { components, paths } from "./schema.d.ts";
import type { TypedClient } from "./typed-calls.ts";

/** Client for the API, as {@link createSignpostClient} returns it. */
export type SignpostClient = TypedClient;

/** Resources and request bodies by their schema name in the OpenAPI document. */
export type Schemas = components["schemas"];

/** Options of {@link createSignpostClient}. */
export interface SignpostOptions extends Omit<ClientOptions, "baseUrl">, RetryOptions {
  /** URL of the API, without `/v1`. */
  apiUrl: string;
  /** API key: `svc_pk_…`. */
  key: string;
}

/**
 * Creates a client for the API. A call resolves to the `response` and to either `data` (the response body
 * with its envelope) or `error` (the error envelope). A call rejects only if there is no response. Calls that
 * fail for a temporary reason (a rate limit, or a server or network error) are retried first. A retry creates
 * nothing twice.
 */
export function createSignpostClient({
  apiUrl,
  key,
  retries,
  waitMaxMs,
  timeoutMs,
  fetch = globalThis.fetch,
  ...options
}: SignpostOptions): SignpostClient {
  const platform = { fetch, sleep, random: Math.random, nowMs: Date.now };
  const headers = { Authorization: `Bearer ${key}`, ...options.headers };
  return createClient<paths>({
    ...options,
    baseUrl: apiUrl,
    headers: headers as Record<string, string>,
    fetch: createRetryingFetch(platform, {
      ...(retries !== undefined && { retries }),
      ...(waitMaxMs !== undefined && { waitMaxMs }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    }),
  }) as SignpostClient;
}
