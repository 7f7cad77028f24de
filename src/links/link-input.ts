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

/** Field of a link that callers set: the schema of its value, and the columns that the value is stored in. */
interface InputField<Schema extends z.ZodType> {
  schema: Schema;
  toColumns(value: z.output<Schema>, settings: Settings): Partial<Link>;
}

function inputField<Schema extends z.ZodType>(
  schema: Schema,
  toColumns: InputField<Schema>["toColumns"],
): InputField<Schema> {
  return { schema, toColumns };
}

/**
 * Fields that callers set. The bodies of creation, bulk creation and update derive from this list, and so do the columns
 * that they write.
 */
const INPUT_FIELDS = {
  url: inputField(destinationUrl, (url, settings) => ({
    destination: url,
    destinationHost: hostOnOwnPort(settings, new URL(url)),
  })),
  labels: inputField(labels, (labels) => ({ labels })),
  enabled: inputField(z.boolean(), (enabled) => ({ enabled })),
  routing_rules: inputField(routingRules, (rules, settings) => ({
    routingRules: rules,
    ruleHosts: [...new Set(rules.map((rule) => hostOnOwnPort(settings, new URL(rule.destination))))],
  })),
  expires_at: inputField(dateTime.nullable(), (expiresAt) => ({ expiresAt })),
};

type InputName = keyof typeof INPUT_FIELDS;

/** Schemas of {@link INPUT_FIELDS}. */
export const inputShape = Object.fromEntries(
  Object.entries(INPUT_FIELDS).map(([name, { schema }]) => [name, schema]),
) as { [Name in InputName]: (typeof INPUT_FIELDS)[Name]["schema"] };

/** Values of some of {@link INPUT_FIELDS}. */
export type LinkInput = Partial<{ [Name in InputName]: z.output<(typeof inputShape)[Name]> | undefined }>;

/** Returns the columns that store the given fields. */
export function toColumns(settings: Settings, input: LinkInput): Partial<Link> {
  const columns = Object.entries(input).map(([name, value]) =>
    value === undefined ? {} : INPUT_FIELDS[name as InputName].toColumns(value as never, settings),
  );
  return Object.assign({}, ...columns);
}
