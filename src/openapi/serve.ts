import type { ApiContext } from "../http/context.ts";
import type { Operation } from "../http/operation.ts";
import { openApiDocument } from "./document.ts";

/** Documents as JSON by the address of their API, of which a deployment has one. */
const written = new Map<string, string>();

/** `GET /openapi.json`. */
export function serveDocument(c: ApiContext, operations: readonly Operation[]): Response {
  const { apiUrl } = c.var.settings;
  let json = written.get(apiUrl);
  if (json === undefined) {
    json = JSON.stringify(openApiDocument({ apiUrl, operations, events: {} }));
    written.set(apiUrl, json);
  }
  return c.body(json, 200, { "Content-Type": "application/json", "Cache-Control": "public, max-age=60" });
}
