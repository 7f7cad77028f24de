// Pure: no I/O, clock or randomness.

/**
 * Paths that the API host serves itself. All other paths on this host are short codes. The router, the
 * reserved slugs and the OpenAPI document share this list.
 */
export const API_PATHS = {
  operations: "/v1",
  health: "/healthz",
  document: "/openapi.json",
  docs: "/docs",
  linksFileSchema: "/docs/links.schema.json",
  uploads: "/uploads",
  scim: "/scim/v2",
  mcp: "/mcp",
} as const;

/** First segments of {@link API_PATHS}. */
export const API_SEGMENTS: ReadonlySet<string> = new Set(
  Object.values(API_PATHS).map((path) => path.split("/")[1] ?? ""),
);
