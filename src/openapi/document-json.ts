import type { Settings } from "../env.ts";
import type { Operation } from "../http/operation.ts";
import { writeOpenApiDocument } from "./document.ts";

/** Serialised documents by API URL. A deployment has only one API URL. */
const documents = new Map<string, string>();

/** Returns the OpenAPI document of a deployment as JSON. */
export function serializeDocument(
  { apiUrl, appUrl }: Pick<Settings, "apiUrl" | "appUrl">,
  operations: readonly Operation[],
): string {
  let json = documents.get(apiUrl);
  if (json === undefined) {
    json = JSON.stringify(writeOpenApiDocument({ apiUrl, appUrl, operations }));
    documents.set(apiUrl, json);
  }
  return json;
}
