import type { FC } from "hono/jsx";
import type { JsonSchema } from "../openapi/json-schema.ts";
import { Text } from "./text.tsx";

/** Looks up the component that a schema refers to. */
export type Resolve = (schema: JsonSchema) => JsonSchema;

interface FieldsProps {
  schema: JsonSchema;
  resolve: Resolve;
}

/** The fields of an object, and below each the fields of what it holds. */
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

/** One field or parameter. */
export const Field: FC<FieldProps> = ({ name, schema, isRequired, resolve }) => {
  const description = schema.description ?? resolve(schema).description;
  const inner = innerOf(schema, resolve);
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
      {inner && (
        <details>
          <summary>Fields of {name}</summary>
          <Fields schema={inner} resolve={resolve} />
        </details>
      )}
    </li>
  );
};

const Limits: FC<{ schema: JsonSchema }> = ({ schema }) => {
  const limits = limitsOf(schema);
  return limits.length === 0 ? null : <p class="limits">{limits.join(" · ")}</p>;
};

function limitsOf({
  minimum,
  maximum,
  minLength,
  maxLength,
  minItems,
  maxItems,
  default: fallback,
}: JsonSchema) {
  return [
    rangeOf(minimum, maximum, ""),
    rangeOf(minLength, maxLength, " characters"),
    rangeOf(minItems, maxItems, " items"),
    fallback === undefined ? "" : `default ${JSON.stringify(fallback)}`,
  ].filter((text) => text !== "");
}

function rangeOf(least: number | undefined, most: number | undefined, unit: string): string {
  const number = (value: number) => value.toLocaleString("en");
  if (least !== undefined && most !== undefined) return `${number(least)} to ${number(most)}${unit}`;
  if (most !== undefined) return `at most ${number(most)}${unit}`;
  return least === undefined || least === 0 ? "" : `at least ${number(least)}${unit}`;
}

/** The object whose fields are shown below a field: itself, its items, or the alternative that is no null. */
function innerOf(given: JsonSchema, resolve: Resolve): JsonSchema | undefined {
  const schema = resolve(given);
  if (schema.properties !== undefined) return schema;
  if (schema.items !== undefined) return innerOf(schema.items, resolve);
  return schema.anyOf
    ?.map((alternative) => innerOf(alternative, resolve))
    .find((inner) => inner !== undefined);
}

/** What a value of a schema is, in words. */
export function formatType(given: JsonSchema, resolve: Resolve): string {
  const schema = resolve(given);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return alternatives.map((each) => formatType(each, resolve)).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.items !== undefined) {
    const items = formatType(schema.items, resolve);
    return items.includes(" ") ? `array of (${items})` : `array of ${items}`;
  }
  if (schema.format !== undefined) return schema.format === "uri" ? "URL" : schema.format;
  return typeof schema.type === "string" ? schema.type : "any value";
}
