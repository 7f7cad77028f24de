import type { Operation } from "../http/operation.ts";
import { writeOpenApiDocument } from "./document.ts";

/** Documents by the address of their API, of which a deployment has one. */
const written = new Map<string, string>();

/** The document of a deployment as JSON. */
export function serializeDocument(apiUrl: string, operations: readonly Operation[]): string {
  let json = written.get(apiUrl);
  if (json === undefined) {
    json = JSON.stringify(writeOpenApiDocument({ apiUrl, operations }));
    written.set(apiUrl, json);
  }
  return json;
}
