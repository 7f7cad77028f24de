import { linksFile } from "../links/links-file.schema.ts";
import { API_PATHS } from "../routing/api-paths.ts";
import { type JsonSchema, SchemaComponents } from "./json-schema.ts";

const COMPONENTS = "#/components/schemas/";
const DEFINITIONS = "#/$defs/";

/**
 * Writes the JSON Schema (draft 2020-12) of links files, which `signpost apply` reads. Text editors use this
 * schema to check links files. The schema derives from the Zod schemas with which the API and the command line validate links. `id`
 * is the URL at which the JSON Schema is published.
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

/** Cache of serialised JSON Schemas by API URL. It holds one entry, because a deployment has one API URL. */
const serialized = new Map<string, string>();

/** Returns the JSON Schema of links files as JSON text. Its `$id` is its URL on the API host. */
export function serializeLinksFileSchema(apiUrl: string): string {
  let json = serialized.get(apiUrl);
  if (json === undefined) {
    json = `${JSON.stringify(writeLinksFileSchema(apiUrl + API_PATHS.linksFileSchema), null, 2)}\n`;
    serialized.set(apiUrl, json);
  }
  return json;
}
