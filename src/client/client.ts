import createClient, { type Client, type ClientOptions } from "openapi-fetch";
import type { components, paths } from "./schema.d.ts";

/** Client of the API, typed by its OpenAPI document: `signpost.POST("/v1/links", { body: { url } })`. */
export type SignpostClient = Client<paths>;

/** Resources and request bodies, by their schema name in the document. */
export type Schemas = components["schemas"];

/** Options of {@link createSignpostClient}. */
export interface SignpostOptions extends Omit<ClientOptions, "baseUrl"> {
  /** URL of the API, without `/v1`. */
  apiUrl: string;
  /** API key: `svc_pk_…`. */
  key: string;
}

/**
 * Creates a client of the API. A call resolves to the `response` and to either `data` (the response body with
 * its envelope) or `error` (the error envelope). It rejects only if there is no response.
 */
export function createSignpostClient({ apiUrl, key, ...options }: SignpostOptions): SignpostClient {
  const headers = { Authorization: `Bearer ${key}`, ...options.headers };
  return createClient<paths>({ ...options, baseUrl: apiUrl, headers: headers as Record<string, string> });
}
