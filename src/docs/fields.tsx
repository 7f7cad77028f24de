import type { FC } from "hono/jsx";
import type { JsonSchema } from "../openapi/json-schema.ts";
import { Text } from "./text.tsx";

/** Returns the component that a schema refers to, or the schema itself. */
export type Resolve = (schema: JsonSchema) => JsonSchema;

interface FieldsProps {
  schema: JsonSchema;
  resolve: Resolve;
}

/** List of an object schema's fields, including nested fields. */
export const Fields: FC<FieldsProps> = ({ schema, resolve }) => {
  const { properties = {}, required = [] } = resolve(schema);
  return (
    <ul class="fields">
      {Object.entries(properties).map(([name, member]) => (
        <Field name={name} schema={member} isRequired={required.includes(name)} resolve={resolve} />
      ))}
    </ul>
  );
};

interface FieldProps extends FieldsProps {
  name: string;
  isRequired: boolean;
}

/** Field or parameter. */
export const Field: FC<FieldProps> = ({ name, schema, isRequired, resolve }) => {
  const description = schema.description ?? resolve(schema).description;
  const nested = findObjectSchema(schema, resolve);
  return (
    <li>
      <code class="name">{name}</code> <span class="type">{formatType(schema, resolve)}</span>
      {isRequired && <span class="required">required</span>}
      {description && (
        <p>
          <Text>{description}</Text>
        </p>
      )}
      <Limits schema={resolve(schema)} />
      {nested && (
        <details>
          <summary>Fields of {name}</summary>
          <Fields schema={nested} resolve={resolve} />
        </details>
      )}
    </li>
  );
};

const Limits: FC<{ schema: JsonSchema }> = ({ schema }) => {
  const limits = formatLimits(schema);
  return limits.length === 0 ? null : <p class="limits">{limits.join(" · ")}</p>;
};

function formatLimits({
  minimum,
  maximum,
  minLength,
  maxLength,
  minItems,
  maxItems,
  default: fallback,
}: JsonSchema) {
  return [
    formatRange(minimum, maximum, ""),
    formatRange(minLength, maxLength, " characters"),
    formatRange(minItems, maxItems, " items"),
    fallback === undefined ? "" : `default ${JSON.stringify(fallback)}`,
  ].filter((text) => text !== "");
}

function formatRange(minimum: number | undefined, maximum: number | undefined, unit: string): string {
  const format = (value: number) => value.toLocaleString("en");
  if (minimum !== undefined && maximum !== undefined)
    return `${format(minimum)} to ${format(maximum)}${unit}`;
  if (maximum !== undefined) return `at most ${format(maximum)}${unit}`;
  return minimum === undefined || minimum === 0 ? "" : `at least ${format(minimum)}${unit}`;
}

/**
 * Returns the object schema whose fields are listed below a field: the schema itself, its array items, or the
 * first alternative that has one.
 */
function findObjectSchema(given: JsonSchema, resolve: Resolve): JsonSchema | undefined {
  const schema = resolve(given);
  if (schema.properties !== undefined) return schema;
  if (schema.items !== undefined) return findObjectSchema(schema.items, resolve);
  return schema.anyOf
    ?.map((alternative) => findObjectSchema(alternative, resolve))
    .find((found) => found !== undefined);
}

/** Formats the type of a schema as text. */
export function formatType(given: JsonSchema, resolve: Resolve): string {
  const schema = resolve(given);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined && schema.type === undefined)
    return alternatives.map((alternative) => formatType(alternative, resolve)).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.items !== undefined) {
    const items = formatType(schema.items, resolve);
    return items.includes(" ") ? `array of (${items})` : `array of ${items}`;
  }
  if (schema.format !== undefined) return schema.format === "uri" ? "URL" : schema.format;
  return typeof schema.type === "string" ? schema.type : "any value";
}
