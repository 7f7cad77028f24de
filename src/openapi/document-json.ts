import type { Operation } from "../http/operation.ts";
import { writeOpenApiDocument } from "./document.ts";

/** Serialized documents by the URL of their API. A deployment has one. */
const documents = new Map<string, string>();

/** Returns the OpenAPI document of a deployment as JSON. */
export function serializeDocument(apiUrl: string, operations: readonly Operation[]): string {
  let json = documents.get(apiUrl);
  if (json === undefined) {
    json = JSON.stringify(writeOpenApiDocument({ apiUrl, operations }));
    documents.set(apiUrl, json);
  }
  return json;
}
