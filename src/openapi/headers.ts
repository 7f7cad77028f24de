import { EXAMPLE_REQUEST_ID } from "../http/fields.ts";
import type { Header } from "./objects.ts";

/** Headers used by several responses, by name. They are components of the document. */
export const SHARED_HEADERS: Record<string, Header> = {
  "X-Request-Id": {
    description: "Identifier of the request, equal to `meta.request_id`.",
    required: true,
    schema: { type: "string", examples: [EXAMPLE_REQUEST_ID] },
  },
  "X-RateLimit-Limit": {
    description:
      "Number of calls per month that the workspace's plan allows. For people, the calls allowed per second.",
    required: true,
    schema: { type: "integer", examples: [25_000] },
  },
  "X-RateLimit-Remaining": {
    description: "Number of calls left this month. For people, the calls left right now.",
    required: true,
    schema: { type: "integer", examples: [23_766] },
  },
  "X-RateLimit-Reset": {
    description:
      "Time at which the next quota period starts, as Unix time in seconds. For people, the next second.",
    required: true,
    schema: { type: "integer", examples: [1_796_083_200] },
  },
  "X-RateLimit-Burst-Limit": {
    description: "Number of calls per second that each API key or person can make.",
    required: true,
    schema: { type: "integer", examples: [50] },
  },
  "X-RateLimit-Burst-Remaining": {
    description: "Number of calls that the API key or person can make right now.",
    required: true,
    schema: { type: "integer", examples: [49] },
  },
  "Retry-After": {
    description: "Seconds to wait before a retry.",
    required: true,
    schema: { type: "integer", examples: [1] },
  },
  "WWW-Authenticate": {
    description: "How to authenticate (RFC 6750).",
    required: true,
    schema: { type: "string", examples: ['Bearer realm="Signpost", error="invalid_token"'] },
  },
  Allow: {
    description: "Methods supported by the path.",
    required: true,
    schema: { type: "string", examples: ["GET, HEAD"] },
  },
  "Idempotency-Replayed": {
    description:
      "`true` if the response is a replay of the response to an earlier request with the same `Idempotency-Key`.",
    schema: { type: "boolean" },
  },
};

/** Returns the header components of the document. Their names consist of letters and digits only. */
export function writeHeaderComponents(): Record<string, Header> {
  return Object.fromEntries(
    Object.entries(SHARED_HEADERS).map(([name, header]) => [formatComponentName(name), header]),
  );
}

/** Converts a header name to the name of its component: `X-Request-Id` becomes `XRequestId`. */
function formatComponentName(header: string): string {
  return header.replaceAll("-", "");
}

const QUOTA_HEADERS = Object.keys(SHARED_HEADERS).filter((name) => name.startsWith("X-RateLimit-"));

/** Headers of a response, either inline or as references to components. */
export type ResponseHeaders = Record<string, Header | { $ref: string }>;

/**
 * Returns the headers of a response with a status, plus `otherHeaders`. Without a valid API key (401) there
 * are no quota headers. With 400, 403, 500 and 503 the quota headers are optional, because the error can occur
 * before the quota is read.
 */
export function buildResponseHeaders(status: number, ...otherHeaders: string[]): ResponseHeaders {
  const hasOptionalQuota = [400, 403, 429, 500, 503].includes(status);
  const names = [
    "X-Request-Id",
    ...(status === 401 || hasOptionalQuota ? [] : QUOTA_HEADERS),
    ...(status === 429 || status === 503 ? ["Retry-After"] : []),
    ...(status === 401 ? ["WWW-Authenticate"] : []),
    ...(status === 405 ? ["Allow"] : []),
    ...otherHeaders,
  ];
  return { ...buildReferences(names), ...(hasOptionalQuota && OPTIONAL_QUOTA_HEADERS) };
}

/** Returns the headers of a response to a request that needs no API key. */
export function buildKeylessHeaders(status = 200): ResponseHeaders {
  const withoutQuota = Object.entries(buildResponseHeaders(status)).filter(
    ([name]) => !QUOTA_HEADERS.includes(name),
  );
  return Object.fromEntries(withoutQuota);
}

const OPTIONAL_QUOTA_HEADERS = Object.fromEntries(
  QUOTA_HEADERS.map((name) => [name, { ...(SHARED_HEADERS[name] as Header), required: false }]),
);

function buildReferences(names: readonly string[]): ResponseHeaders {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${formatComponentName(name)}` }]),
  );
}
