import { readScimBody } from "./scim-body.ts";
import type { ScimContext } from "./scim-context.ts";
import { type Filter, parseFilter } from "./scim-filter.ts";

/** Authenticated request of an identity provider. */
export interface ScimRequest {
  context: ScimContext;
  method: string;
  query: URLSearchParams;
  /** Id from the path, or null for a list. */
  id: string | null;
  /** Reads the body as a JSON object. */
  readBody(): Promise<Record<string, unknown>>;
}

/** Result of a request. If `body` is missing, the response has no body. */
export interface ScimResult {
  status: number;
  body?: unknown;
  location?: string;
}

/** Handlers by method. Missing methods get a 405. */
export type Handlers = Readonly<Record<string, (request: ScimRequest) => Promise<ScimResult>>>;

/** Builds the request that is passed to handlers. */
export function buildScimRequest(
  context: ScimContext,
  request: Request,
  url: URL,
  id: string | null,
): ScimRequest {
  return {
    context,
    id,
    method: request.method,
    query: url.searchParams,
    readBody: () => readScimBody(request),
  };
}

/** Reads the filter of a list request, or null if there is none. Throws `invalidFilter`. */
export function readFilter(query: URLSearchParams): Filter | null {
  const text = query.get("filter")?.trim() ?? "";
  return text === "" ? null : parseFilter(text);
}
