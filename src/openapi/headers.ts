import type { Header } from "./objects.ts";

/** Headers that more than one operation answers with, by the name of their component, which is their own. */
export const HEADERS: Record<string, Header> = {
  "X-Request-Id": {
    description: "Identifies the request; equal to `meta.request_id`.",
    required: true,
    schema: { type: "string", examples: ["019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f"] },
  },
  "X-RateLimit-Limit": {
    description: "Calls a month that the workspace's plan permits.",
    required: true,
    schema: { type: "integer", examples: [25_000] },
  },
  "X-RateLimit-Remaining": {
    description: "Calls left this month.",
    required: true,
    schema: { type: "integer", examples: [24_999] },
  },
  "X-RateLimit-Reset": {
    description: "When the next month of the quota begins, as Unix time in seconds.",
    required: true,
    schema: { type: "integer", examples: [1_796_083_200] },
  },
  "X-RateLimit-Burst-Limit": {
    description: "Calls a second that each key is good for.",
    required: true,
    schema: { type: "integer", examples: [50] },
  },
  "X-RateLimit-Burst-Remaining": {
    description: "Calls the key may make at once.",
    required: true,
    schema: { type: "integer", examples: [49] },
  },
  "Retry-After": {
    description: "Seconds to wait before the next try.",
    required: true,
    schema: { type: "integer", examples: [1] },
  },
  Allow: {
    description: "The methods that the path answers.",
    required: true,
    schema: { type: "string", examples: ["GET, HEAD"] },
  },
  "Idempotency-Replayed": {
    description: "`true` where the answer is that of an earlier request with the same `Idempotency-Key`.",
    schema: { type: "boolean" },
  },
};

const OF_QUOTA = Object.keys(HEADERS).filter((name) => name.startsWith("X-RateLimit-"));

/** Headers of an answer: of its own, or by reference. */
export type ResponseHeaders = Record<string, Header | { $ref: string }>;

/**
 * The headers that an answer with a status has. Without a valid key there is no quota to speak of, and what failed
 * unexpectedly may have failed before it was known.
 */
export function responseHeaders(status: number, ...further: string[]): ResponseHeaders {
  const names = [
    "X-Request-Id",
    ...(status === 401 || status === 500 ? [] : OF_QUOTA),
    ...(status === 429 ? ["Retry-After"] : []),
    ...(status === 405 ? ["Allow"] : []),
    ...further,
  ];
  return { ...referencesTo(names), ...(status === 500 && QUOTA_IF_KNOWN) };
}

/** The headers of an answer to who needs no key. */
export function keylessHeaders(status = 200): ResponseHeaders {
  const ofAll = Object.entries(responseHeaders(status)).filter(([name]) => !OF_QUOTA.includes(name));
  return Object.fromEntries(ofAll);
}

const QUOTA_IF_KNOWN = Object.fromEntries(
  OF_QUOTA.map((name) => [name, { ...(HEADERS[name] as Header), required: false }]),
);

function referencesTo(names: readonly string[]): ResponseHeaders {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
