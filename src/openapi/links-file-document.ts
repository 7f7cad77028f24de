import { linksFile } from "../links/links-file.schema.ts";
import { API_PATHS } from "../routing/api-paths.ts";
import { type JsonSchema, SchemaComponents } from "./json-schema.ts";

const COMPONENTS = "#/components/schemas/";
const DEFINITIONS = "#/$defs/";

/**
 * Writes the JSON Schema (draft 2020-12) of files with links, for editors. It is derived from the schemas by which the
 * API and the command check links. `id` is the address at which it is published.
 */
export function writeLinksFileSchema(id?: string): JsonSchema {
  const components = new SchemaComponents();
  const schema = components.writeRequestSchema(linksFile);
  const document = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...(id !== undefined && { $id: id }),
    title: "Links of a Signpost workspace",
    ...schema,
    $defs: components.listComponents(),
  };
  return JSON.parse(JSON.stringify(document).replaceAll(`"${COMPONENTS}`, `"${DEFINITIONS}`));
}

/** Serialized schemas by the URL of their API. A deployment has one. */
const serialized = new Map<string, string>();

/** Returns the schema of files with links as JSON, with its address at a deployment. */
export function serializeLinksFileSchema(apiUrl: string): string {
  let json = serialized.get(apiUrl);
  if (json === undefined) {
    json = `${JSON.stringify(writeLinksFileSchema(apiUrl + API_PATHS.linksFileSchema), null, 2)}\n`;
    serialized.set(apiUrl, json);
  }
  return json;
}
