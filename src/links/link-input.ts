import * as z from "zod";
import type { Settings } from "../env.ts";
import { dateTime } from "../http/fields.ts";
import { hostOnOwnPort } from "../tenant/own-hosts.ts";
import { destinationUrl } from "./destination.schema.ts";
import type { Link } from "./links.table.ts";
import { routingRules } from "./rules.schema.ts";

const LABELS_MAX = 10;
const LABEL_MAX_LENGTH = 64;

export const label = z.string().trim().min(1).max(LABEL_MAX_LENGTH);

const labels = z
  .array(label)
  .max(LABELS_MAX)
  .transform((given) => [...new Set(given)]);

/** Field of a link that callers set. */
interface InputField<Schema extends z.ZodType, Columns> {
  schema: Schema;
  /** Value for a new link if the body lacks the field; undefined if there is none. */
  initial: z.output<Schema> | undefined;
  /** Returns the columns that store a value. */
  toColumns(value: z.output<Schema>, settings: Settings): Columns;
}

function inputField<Schema extends z.ZodType, Columns extends Partial<Link>>(
  schema: Schema,
  initial: z.output<Schema> | undefined,
  toColumns: (
    value: z.output<Schema>,
    settings: Settings,
  ) => Columns & Record<Exclude<keyof Columns, keyof Link>, never>,
): InputField<Schema, Columns> {
  return { schema, initial, toColumns };
}

function destinationField(description: string) {
  return inputField(destinationUrl.describe(description), undefined, (url, settings) => ({
    destination: url,
    destinationHost: hostOnOwnPort(settings, new URL(url)),
  }));
}

/**
 * Fields that callers set. The bodies of creation, bulk creation and update derive from this list, and so do the columns
 * that they write.
 */
const INPUT_FIELDS = {
  url: destinationField("Address that the link redirects to, unless a routing rule chooses another one."),
  destination: destinationField(
    "Other name of `url`, the one that responses use. If both are given, they must be equal.",
  ),
  labels: inputField(labels, [], (labels) => ({ labels })),
  enabled: inputField(z.boolean(), true, (enabled) => ({ enabled })),
  routing_rules: inputField(routingRules, [], (rules, settings) => ({
    routingRules: rules,
    ruleHosts: [...new Set(rules.map((rule) => hostOnOwnPort(settings, new URL(rule.destination))))],
  })),
  expires_at: inputField(dateTime.nullable(), null, (expiresAt) => ({ expiresAt })),
};

type InputName = keyof typeof INPUT_FIELDS;

/** Schemas of {@link INPUT_FIELDS}. */
export const inputShape = mapFields(({ schema }) => schema) as {
  [Name in InputName]: (typeof INPUT_FIELDS)[Name]["schema"];
};

const INITIAL_INPUT = mapFields(({ initial }) => initial);

function mapFields<Value>(pick: (field: (typeof INPUT_FIELDS)[InputName]) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(INPUT_FIELDS).map(([name, field]) => [name, pick(field)]));
}

/** Values of some of {@link INPUT_FIELDS}. */
export type LinkInput = Partial<{ [Name in InputName]: z.output<(typeof inputShape)[Name]> | undefined }>;

/** Columns that input fields set. */
export type InputColumns = Pick<
  Link,
  { [Name in InputName]: keyof ReturnType<(typeof INPUT_FIELDS)[Name]["toColumns"]> }[InputName]
>;

/** Returns the columns that store the given fields. */
export function toColumns(settings: Settings, input: LinkInput): Partial<InputColumns> {
  const columns = Object.entries(input).map(([name, value]) =>
    value === undefined ? {} : INPUT_FIELDS[name as InputName].toColumns(value as never, settings),
  );
  return Object.assign({}, ...columns);
}

/**
 * Returns the columns of a new link: those of the given fields, and the initial ones of the others. The input has `url`
 * or `destination`.
 */
export function toNewColumns(settings: Settings, input: LinkInput): InputColumns {
  return toColumns(settings, { ...INITIAL_INPUT, ...input }) as InputColumns;
}
