import createClient, { type Client, type ClientOptions } from "openapi-fetch";
import type { components, paths } from "./schema.d.ts";

/** The API, typed by its document: `signpost.POST("/v1/links", { body: { url } })`. */
export type SignpostClient = Client<paths>;

/** Resources and bodies by the name the document gives them. */
export type Schemas = components["schemas"];

/** Options of {@link createSignpostClient}. */
export interface SignpostOptions extends Omit<ClientOptions, "baseUrl"> {
  /** Address of the API, without `/v1`. */
  apiUrl: string;
  /** API key: `svc_pk_…`. */
  key: string;
}

/**
 * A client of the API. A call answers with `data` (the body, envelope and all) or with `error` (the error envelope), and
 * with `response`; it throws only where there is no answer.
 */
export function createSignpostClient({ apiUrl, key, ...options }: SignpostOptions): SignpostClient {
  const headers = { Authorization: `Bearer ${key}`, ...options.headers };
  return createClient<paths>({ ...options, baseUrl: apiUrl, headers: headers as Record<string, string> });
}
