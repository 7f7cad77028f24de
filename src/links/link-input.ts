import * as z from "zod";
import type { Settings } from "../env.ts";
import { boundedText, dateTime } from "../http/fields.ts";
import { ALIAS_MAX_LENGTH, ALIASES_MAX, findAliasProblem } from "../routing/alias.ts";
import { listDestinations, type RoutingRule } from "../routing/rules.ts";
import { formatLinkedHost } from "../tenant/own-hosts.ts";
import type { Feature } from "../tenant/plans.ts";
import { destinationUrl } from "./destination.schema.ts";
import { maxScans, password, passwordHash, preview } from "./guard-fields.ts";
import {
  EXTERNAL_ID_MAX_LENGTH,
  LABEL_MAX_LENGTH,
  LABELS_MAX,
  NOTE_MAX_LENGTH,
  TITLE_MAX_LENGTH,
} from "./link-limits.ts";
import type { Link } from "./links.table.ts";
import { routingRules } from "./rules.schema.ts";

export const EXAMPLE_EXTERNAL_ID = "order-4711";

export const label = z.string().trim().min(1).max(LABEL_MAX_LENGTH);

const labels = z
  .array(label)
  .max(LABELS_MAX)
  .transform((given) => [...new Set(given)]);

const alias = z
  .string()
  .min(1)
  .max(ALIAS_MAX_LENGTH)
  .normalize("NFC")
  .refine((text) => findAliasProblem(text) === null, {
    error: ({ input }) => findAliasProblem(String(input)) ?? "is invalid",
  });

const aliases = z
  .array(alias)
  .max(ALIASES_MAX)
  .transform((given) => [...new Set(given)]);

const title = boundedText(1, TITLE_MAX_LENGTH).refine((text) => !/\p{Cc}/u.test(text), {
  error: "must not contain control characters",
});

/** Field of a link that callers can set. */
interface InputField<Schema extends z.ZodType, Columns> {
  schema: Schema;
  /** Value for new links if the body lacks the field. Undefined if there is no default. */
  initial: z.output<Schema> | undefined;
  /** Returns the columns that store a value. */
  toColumns(value: z.output<Schema>, settings: Settings): Columns;
  /** Returns the plan feature that a value needs, or null. Undefined if all plans include the field. */
  findFeature?: ((value: z.output<Schema>) => Feature | null) | undefined;
}

function inputField<Schema extends z.ZodType, Columns extends Partial<Link>>(
  schema: Schema,
  initial: z.output<Schema> | undefined,
  toColumns: (
    value: z.output<Schema>,
    settings: Settings,
  ) => Columns & Record<Exclude<keyof Columns, keyof Link>, never>,
  findFeature?: (value: z.output<Schema>) => Feature | null,
): InputField<Schema, Columns> {
  return { schema, initial, toColumns, findFeature };
}

function destinationField(description: string) {
  return inputField(destinationUrl.describe(description), undefined, (url, settings) => ({
    destination: url,
    destinationHost: formatLinkedHost(settings, new URL(url)),
  }));
}

/** Returns the host of an optional URL, for comparison with the hosts that workspaces added. */
function toHost(url: string | null, settings: Settings): string | null {
  return url === null ? null : formatLinkedHost(settings, new URL(url));
}

/**
 * Returns the plan feature for a field that not all plans include. Null clears the field and needs no
 * feature.
 */
function findControlsFeature(value: unknown): Feature | null {
  return value === null ? null : "linkControls";
}

/**
 * Returns the plan feature for rules: `linkControls` if all rules only split all visitors, and `routingRules`
 * if a rule has conditions.
 */
function findRulesFeature(rules: readonly RoutingRule[]): Feature | null {
  if (rules.length === 0) return null;
  const isPlainSplit = ({ split, when }: RoutingRule) =>
    split !== undefined && Object.keys(when).length === 0;
  return rules.every(isPlainSplit) ? "linkControls" : "routingRules";
}

/**
 * Fields that callers can set. The bodies of creation, bulk creation and update, and the columns that they
 * write, derive from this list.
 */
const INPUT_FIELDS = {
  url: destinationField("URL that the link redirects to, unless a routing rule matches."),
  destination: destinationField(
    "Alias of `url`, and the name used in responses. If both are sent, they must be equal.",
  ),
  labels: inputField(labels, [], (labels) => ({ labels })),
  aliases: inputField(
    aliases
      .nullable()
      .describe(
        "Further paths of the link, for example printed codes of another service. Given as text, not percent-encoded. They match exactly, including case; a path with one trailing slash is the same path. Former short codes match in any case. An alias must be unique in the workspace.",
      )
      .meta({ example: ["menu/2024"] }),
    [],
    (aliases) => ({ aliases: aliases ?? [] }),
  ),
  enabled: inputField(z.boolean(), true, (enabled) => ({ enabled })),
  routing_rules: inputField(
    routingRules,
    [],
    (rules, settings) => ({
      routingRules: rules,
      ruleHosts: [
        ...new Set(rules.flatMap(listDestinations).map((url) => formatLinkedHost(settings, new URL(url)))),
      ],
    }),
    findRulesFeature,
  ),
  expires_at: inputField(dateTime.nullable(), null, (expiresAt) => ({ expiresAt })),
  title: inputField(
    title.nullable().describe("Title shown in lists. Included in `search`.").meta({ example: "Summer sale" }),
    null,
    (title) => ({ title }),
  ),
  note: inputField(
    boundedText(1, NOTE_MAX_LENGTH).nullable().describe("Internal note. Never shown to visitors."),
    null,
    (note) => ({
      note,
    }),
  ),
  archived: inputField(
    z.boolean().nullable().describe("Archived links are hidden from lists by default. They still redirect."),
    false,
    (archived) => ({ archived: archived ?? false }),
  ),
  starts_at: inputField(
    dateTime
      .nullable()
      .describe(
        "Time from which the link redirects. Before that, visitors are redirected to `early_url`, or get a 404 if it is not set.",
      ),
    null,
    (startsAt) => ({ startsAt }),
  ),
  early_url: inputField(
    destinationUrl
      .nullable()
      .describe(
        "URL that visitors are redirected to before `starts_at`. These visits are not counted as scans.",
      ),
    null,
    (earlyUrl, settings) => ({ earlyUrl, earlyHost: toHost(earlyUrl, settings) }),
  ),
  expired_url: inputField(
    destinationUrl
      .nullable()
      .describe(
        "URL that visitors are redirected to, instead of a 410, when the link has expired or is disabled. These visits are not counted as scans.",
      ),
    null,
    (expiredUrl, settings) => ({ expiredUrl, expiredHost: toHost(expiredUrl, settings) }),
    findControlsFeature,
  ),
  max_scans: inputField(maxScans, null, (maxScans) => ({ maxScans }), findControlsFeature),
  // The value is already hashed when it becomes a column.
  password: inputField(password, null, (passwordHash) => ({ passwordHash }), findControlsFeature),
  // Only accepted on creation. Must come after `password`, whose null would otherwise overwrite the hash.
  password_hash: inputField(
    passwordHash,
    undefined,
    (passwordHash) => ({ passwordHash }),
    findControlsFeature,
  ),
  preview: inputField(preview, null, (preview) => ({ preview }), findControlsFeature),
  forward_query: inputField(
    z
      .boolean()
      .nullable()
      .describe(
        "True if query parameters of the short URL are added to the destination. They replace parameters of the destination with the same name.",
      ),
    false,
    (forwardQuery) => ({ forwardQuery: forwardQuery ?? false }),
  ),
  confirm: inputField(
    z
      .boolean()
      .nullable()
      .describe(
        "True if every visitor except link previews gets a page with a button before the redirect. Only pressing it counts as a scan.",
      ),
    false,
    (confirm) => ({ confirm: confirm ?? false }),
  ),
  external_id: inputField(
    boundedText(1, EXTERNAL_ID_MAX_LENGTH)
      // Clients resolve these segments of a URL, even if they are percent-encoded.
      .refine((text) => text !== "." && text !== "..", {
        error: "must not be `.` or `..`, which no URL can contain",
      })
      .nullable()
      .describe("ID of the link in your own system. Unique in the workspace.")
      .meta({ example: EXAMPLE_EXTERNAL_ID }),
    null,
    (externalId) => ({ externalId }),
  ),
  qr_template_id: inputField(
    z
      .uuid({ error: "must be a UUID" })
      .nullable()
      .describe(
        "QR template of the workspace with the design of the link's QR code. If the template is deleted later, the code has the default design.",
      )
      .meta({ example: null }),
    null,
    (qrTemplateId) => ({ qrTemplateId }),
  ),
  imported_scans: inputField(
    z
      .int()
      .min(0)
      .nullable()
      .describe(
        "Number of scans that another service counted before the import. Not included in `scan_count`.",
      ),
    0,
    (importedScans) => ({ importedScans: importedScans ?? 0 }),
  ),
};

type InputName = keyof typeof INPUT_FIELDS;

/** Request schemas of {@link INPUT_FIELDS}. */
export const inputShape = mapFields(({ schema }) => schema) as {
  [Name in InputName]: (typeof INPUT_FIELDS)[Name]["schema"];
};

const INITIAL_INPUT = mapFields(({ initial }) => initial);

function mapFields<Value>(pick: (field: (typeof INPUT_FIELDS)[InputName]) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(INPUT_FIELDS).map(([name, field]) => [name, pick(field)]));
}

/** Values of any subset of {@link INPUT_FIELDS}. */
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
 * Returns all columns of a new link, with default values for missing fields. The input must have `url` or
 * `destination`.
 */
export function toNewColumns(settings: Settings, input: LinkInput): InputColumns {
  return toColumns(settings, { ...INITIAL_INPUT, ...input }) as InputColumns;
}

/** Field that a plan doesn't include, and the feature that it needs. */
export interface UnplannedField {
  name: string;
  feature: Feature;
}

/** Returns the first field whose value needs a feature that the plan doesn't have, or null. */
export function findUnplannedField(
  input: LinkInput,
  hasFeature: (feature: Feature) => boolean,
): UnplannedField | null {
  for (const [name, value] of Object.entries(input)) {
    const field: InputField<z.ZodType, unknown> | undefined = INPUT_FIELDS[name as InputName];
    const feature = value === undefined ? null : (field?.findFeature?.(value) ?? null);
    if (feature !== null && !hasFeature(feature)) return { name, feature };
  }
  return null;
}
