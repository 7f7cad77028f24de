import * as z from "zod";

/** A JSON Schema (2020-12), as far as this service looks into one. */
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
 * The schemas of a document. A zod schema that has an `id` among its metadata becomes a component of that name, and is
 * referred to wherever it is used.
 */
export class SchemaComponents {
  readonly #schemas = new Map<string, JsonSchema>();

  /** What a client sends (before defaults and conversions). */
  ofRequest(schema: z.ZodType): JsonSchema {
    return this.#convert(schema, "input");
  }

  /** What the service answers. */
  ofResponse(schema: z.ZodType): JsonSchema {
    return this.#convert(schema, "output");
  }

  /** The components, by name. */
  toJSON(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** A schema's own component, or the schema itself. */
  resolve(schema: JsonSchema): JsonSchema {
    if (schema.$ref === undefined) return schema;
    const component = this.#schemas.get(schema.$ref.slice(COMPONENTS.length));
    if (component === undefined) throw new Error(`there is no schema ${schema.$ref}`);
    return component;
  }

  #convert(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    // As the items of an array a schema with an id becomes a component even where it is the whole.
    const converted = z.toJSONSchema(z.array(schema), {
      io,
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => tidy(jsonSchema as JsonSchema, zodSchema),
    });
    const { items, $defs = {} } = JSON.parse(
      JSON.stringify(converted).replaceAll('"#/$defs/', `"${COMPONENTS}`),
    ) as { items: JsonSchema; $defs?: Record<string, JsonSchema> };
    for (const [name, definition] of Object.entries($defs)) this.#add(name, definition);
    return items;
  }

  #add(name: string, schema: JsonSchema): void {
    const known = this.#schemas.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two schemas are called ${name}`);
    }
    this.#schemas.set(name, schema);
  }
}

/** Takes away what says nothing to a reader, and what the metadata overrules. */
function tidy(schema: JsonSchema, zodSchema: z.core.$ZodType): void {
  delete schema.id;
  if (schema.format !== undefined) delete schema.pattern;
  // Of a query parameter, which travels as text but means a number or a boolean.
  if (schema.type !== "string") delete schema.pattern;
  if (schema.type === "boolean") delete schema.enum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.example !== undefined) schema.examples = [schema.example];
  delete schema.example;
  // zod leaves out the default of what it converts, since it is one of the converted value.
  const { default: known } = z.globalRegistry.get(zodSchema) ?? {};
  if (known !== undefined) schema.default = known;
}

const TEXT_EXAMPLES: Record<string, string> = {
  uri: "https://example.com/",
  uuid: "019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f",
  date: "2026-11-21",
  "date-time": "2026-11-21T09:30:00.000Z",
};

/** An example that fits a schema, made of the examples of its parts. */
export function buildExample(given: JsonSchema, components: SchemaComponents): unknown {
  const schema = components.resolve(given);
  for (const known of [schema.examples?.[0], schema.const, schema.default, schema.enum?.[0]]) {
    if (known !== undefined) return known;
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
      return TEXT_EXAMPLES[schema.format ?? ""] ?? "text";
    default:
      return null;
  }
}

/** A JSON body with an example of it. */
export function jsonContent(schema: JsonSchema, components: SchemaComponents) {
  return { "application/json": { schema, example: buildExample(schema, components) } };
}
