import { readScimBody } from "./scim-body.ts";
import type { ScimContext } from "./scim-context.ts";
import { type Filter, parseFilter } from "./scim-filter.ts";

/** Request of an identity provider whose token is valid. */
export interface ScimRequest {
  context: ScimContext;
  method: string;
  query: URLSearchParams;
  /** Id in the path, or null for a list. */
  id: string | null;
  /** Reads the body as a JSON object. */
  readBody(): Promise<Record<string, unknown>>;
}

/** Result of a request. Without a body, the response has none. */
export interface ScimResult {
  status: number;
  body?: unknown;
  location?: string;
}

/** Handlers by method. A method that is missing is refused with 405. */
export type Handlers = Readonly<Record<string, (request: ScimRequest) => Promise<ScimResult>>>;

/** Builds the request that handlers receive. */
export function buildScimRequest(
  context: ScimContext,
  request: Request,
  url: URL,
  id: string | null,
): ScimRequest {
  return {
    ...{ context, id, method: request.method, query: url.searchParams },
    readBody: () => readScimBody(request),
  };
}

/** Reads the filter of a list, or null if there is none. Throws `invalidFilter`. */
export function readFilter(query: URLSearchParams): Filter | null {
  const text = query.get("filter")?.trim() ?? "";
  return text === "" ? null : parseFilter(text);
}
