import { linksFile } from "../links/links-file.schema.ts";
import { API_PATHS } from "../routing/api-paths.ts";
import { type JsonSchema, SchemaComponents } from "./json-schema.ts";

const COMPONENTS = "#/components/schemas/";
const DEFINITIONS = "#/$defs/";

/**
 * Writes the JSON Schema (draft 2020-12) of links files, for editors. The schema derives from the zod schemas
 * with which the API and the command line validate links. `id` is the URL at which the schema is published.
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

/** Serialised schemas by API URL. A deployment has only one API URL. */
const serialized = new Map<string, string>();

/** Returns the JSON Schema of links files as JSON, with its URL on this deployment as the id. */
export function serializeLinksFileSchema(apiUrl: string): string {
  let json = serialized.get(apiUrl);
  if (json === undefined) {
    json = `${JSON.stringify(writeLinksFileSchema(apiUrl + API_PATHS.linksFileSchema), null, 2)}\n`;
    serialized.set(apiUrl, json);
  }
  return json;
}
