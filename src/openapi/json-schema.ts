import * as z from "zod";
import { isJsonObject } from "../core/json-object.ts";
import { EXAMPLE_CREATED_AT, EXAMPLE_ID } from "../http/fields.ts";

/** JSON Schema (2020-12), limited to the keywords used here. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  examples?: unknown[];
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  [keyword: string]: unknown;
}

const COMPONENTS = "#/components/schemas/";

/**
 * Collects the schemas of the document. A zod schema with an `id` in its metadata becomes a component with
 * that name, and is referenced wherever it's used.
 */
export class SchemaComponents {
  readonly #schemas = new Map<string, JsonSchema>();

  /** Returns the schema of a value that a client sends, before defaults and conversions. */
  writeRequestSchema(schema: z.ZodType): JsonSchema {
    return this.#convert(schema, "input");
  }

  /** Returns the schema of a value in a response. */
  writeResponseSchema(schema: z.ZodType): JsonSchema {
    return this.#convert(schema, "output");
  }

  /** Returns the components by name. */
  listComponents(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Returns the component that a schema refers to, or the schema itself if it isn't a reference. */
  resolveReference(schema: JsonSchema): JsonSchema {
    if (schema.$ref === undefined) return schema;
    const component = this.#schemas.get(schema.$ref.slice(COMPONENTS.length));
    if (component === undefined) throw new Error(`schema ${schema.$ref} does not exist`);
    return component;
  }

  #convert(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    // zod turns schemas with an id into components, except the root schema. So the schema is wrapped in an
    // array.
    const converted = z.toJSONSchema(z.array(schema), {
      io,
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => tidySchema(jsonSchema as JsonSchema, zodSchema),
    });
    const { items, $defs = {} } = JSON.parse(
      JSON.stringify(converted).replaceAll('"#/$defs/', `"${COMPONENTS}`),
    ) as { items: JsonSchema; $defs?: Record<string, JsonSchema> };
    for (const [name, definition] of Object.entries($defs)) this.#add(name, definition);
    return items;
  }

  #add(name: string, schema: JsonSchema): void {
    const existing = this.#schemas.get(name);
    if (existing !== undefined && JSON.stringify(existing) !== JSON.stringify(schema)) {
      throw new Error(`two different schemas have the id ${name}`);
    }
    this.#schemas.set(name, schema);
  }
}

/** Removes keywords that don't help readers or that the metadata overrides. Moves `example` to `examples`. */
function tidySchema(schema: JsonSchema, zodSchema: z.core.$ZodType): void {
  delete schema.id;
  if (schema.format !== undefined) delete schema.pattern;
  // Query parameters are sent as text, even if their type is a number or a boolean.
  if (schema.type !== "string") delete schema.pattern;
  if (schema.type === "boolean") delete schema.enum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.example !== undefined) schema.examples = [schema.example];
  delete schema.example;
  // zod omits the default of a schema that converts its value, because that default is a converted value.
  const { default: defaultValue } = z.globalRegistry.get(zodSchema) ?? {};
  if (defaultValue !== undefined) schema.default = defaultValue;
}

/** Example strings, by format. */
const STRING_EXAMPLES: Record<string, string> = {
  uri: "https://example.com/",
  uuid: EXAMPLE_ID,
  date: EXAMPLE_CREATED_AT.slice(0, 10),
  "date-time": EXAMPLE_CREATED_AT,
};

/** Builds a valid example for a schema from the examples of its parts. */
export function buildExample(schemaOrReference: JsonSchema, components: SchemaComponents): unknown {
  const schema = components.resolveReference(schemaOrReference);
  for (const example of [schema.examples?.[0], schema.const, schema.default, schema.enum?.[0]]) {
    if (example !== undefined) return example;
  }
  const [alternative] = schema.anyOf ?? schema.oneOf ?? [];
  if (alternative !== undefined) return buildExample(alternative, components);
  switch (schema.type) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, member]) => [
          name,
          buildExample(member, components),
        ]),
      );
    case "array":
      return schema.items === undefined ? [] : [buildExample(schema.items, components)];
    case "integer":
    case "number":
      return schema.minimum ?? 0;
    case "boolean":
      return true;
    case "string":
      return STRING_EXAMPLES[schema.format ?? ""] ?? "text";
    default:
      return null;
  }
}

/**
 * Replaces parts of an example. Objects are merged by member and arrays by item. An array gets the length of
 * the array in `change`.
 */
export function changeExample(example: unknown, change: unknown): unknown {
  if (Array.isArray(change)) {
    const items: unknown[] = Array.isArray(example) ? example : [];
    return change.map((item, index) => changeExample(items[index], item));
  }
  if (!isJsonObject(change)) return change;
  const members = Object.entries(change).map(([name, member]) => {
    return [name, changeExample(isJsonObject(example) ? example[name] : undefined, member)];
  });
  return { ...(isJsonObject(example) && example), ...Object.fromEntries(members) };
}

/** Returns the `content` object of a JSON body, with an example. */
export function buildJsonContent(
  schema: JsonSchema,
  components: SchemaComponents,
  example = buildExample(schema, components),
) {
  return { "application/json": { schema, example } };
}
