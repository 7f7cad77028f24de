import createClient, { type Client, type ClientOptions } from "openapi-fetch";
import { sleep } from "./abortable-sleep.ts";
import { createRetryingFetch, type RetryOptions } from "./retrying-fetch.ts";
import type { components, paths } from "./schema.d.ts";

/** Client of the API, typed by its OpenAPI document: `signpost.POST("/v1/links", { body: { url } })`. */
export type SignpostClient = Client<paths>;

/** Resources and request bodies, by their schema name in the document. */
export type Schemas = components["schemas"];

/** Options of {@link createSignpostClient}. */
export interface SignpostOptions extends Omit<ClientOptions, "baseUrl">, RetryOptions {
  /** URL of the API, without `/v1`. */
  apiUrl: string;
  /** API key: `svc_pk_…`. */
  key: string;
}

/**
 * Creates a client of the API. A call resolves to the `response` and to either `data` (the response body with
 * its envelope) or `error` (the error envelope). It rejects only if there is no response. What failed for a reason that
 * passes (a limit, a fault of the service or of the network) is repeated first, and creates nothing twice.
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
  const platform = {
    fetch: (request: Request) => fetch(request),
    sleep,
    random: Math.random,
    nowMs: Date.now,
  };
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
  });
}
