import * as z from "zod";
import { formatBytes } from "../core/byte-size.ts";
import { isJsonObject } from "../core/json-object.ts";
import { toIso } from "../core/time.ts";
import { boundedText, dateTime } from "../http/fields.ts";
import { COUNTRY_CODES } from "../routing/countries.ts";
import {
  BROWSERS,
  CONTINENTS,
  DEVICES,
  OPERATING_SYSTEMS,
  type RoutingRule,
  type When,
} from "../routing/rules.ts";
import { toCanonicalJson } from "./canonical-conditions.ts";
import { destinationUrl } from "./destination.schema.ts";
import {
  QUERY_NAMES_MAX,
  QUERY_TEXT_MAX_LENGTH,
  RULE_NAME_MAX_LENGTH,
  RULE_VALUES_MAX,
  RULES_MAX,
  RULES_MAX_BYTES,
} from "./link-limits.ts";

const SHARES_MAX = 20;
const REGION = /^([A-Z]{2})-[A-Z0-9]{1,3}$/;
const LANGUAGE = /^([A-Za-z]{2,3})(?:-([A-Za-z]{2}|\d{3}))?$/;

/** Returns the schema of a condition's values. Drops duplicates after normalization. */
function alternatives<Value extends z.ZodType>(value: Value) {
  return z
    .array(value)
    .min(1)
    .max(RULE_VALUES_MAX)
    .transform((values) => [...new Set(values)]);
}

export const country = z
  .string()
  .toUpperCase()
  .refine((code) => COUNTRY_CODES.has(code), {
    error: (issue) =>
      issue.input === "UK"
        ? "UK is not an ISO 3166-1 code; use GB"
        : "must be an ISO 3166-1 alpha-2 country code",
  })
  .meta({ example: "CA" });

export const region = z
  .string()
  .toUpperCase()
  .refine((code) => COUNTRY_CODES.has(REGION.exec(code)?.[1] ?? ""), {
    error: "must be an ISO 3166-2 code such as US-CA",
  })
  .meta({ example: "US-CA" });

const language = z
  .string()
  .regex(LANGUAGE, { error: "must be a BCP 47 language, or language and region, such as fr or fr-CA" })
  .transform((tag) => {
    const [, primary = "", region] = LANGUAGE.exec(tag) ?? [];
    return region === undefined ? primary.toLowerCase() : `${primary.toLowerCase()}-${region.toUpperCase()}`;
  })
  .meta({ example: "fr-CA" });

const queryValues = z
  .union([z.array(z.string().max(QUERY_TEXT_MAX_LENGTH)).min(1).max(RULE_VALUES_MAX), z.literal(true)], {
    error: "must be a non-empty array of strings, or true",
  })
  .transform((values) => (values === true ? values : [...new Set(values)]));

const query = z
  .record(boundedText(1, QUERY_TEXT_MAX_LENGTH), queryValues)
  .refine((names) => Object.keys(names).length > 0, { error: "must have at least 1 entry" })
  .refine((names) => Object.keys(names).length <= QUERY_NAMES_MAX, {
    error: `must have at most ${QUERY_NAMES_MAX} entries`,
  });

const moment = dateTime.transform(toIso);

const when = z
  .strictObject({
    country: alternatives(country),
    continent: alternatives(z.enum(CONTINENTS)),
    region: alternatives(region),
    device: alternatives(z.enum(DEVICES)),
    os: alternatives(z.enum(OPERATING_SYSTEMS)),
    browser: alternatives(z.enum(BROWSERS)),
    language: alternatives(language),
    query,
    after: moment,
    before: moment,
    percent: z.number().int().min(1).max(99),
  })
  .partial()
  .refine(({ after, before }) => after === undefined || before === undefined || after < before, {
    path: ["after"],
    error: "must be earlier than before",
  });

const share = z.strictObject({
  name: boundedText(1, RULE_NAME_MAX_LENGTH).optional(),
  destination: destinationUrl,
  percent: z.number().int().min(1).max(100),
});

const split = z
  .array(share)
  .min(1)
  .max(SHARES_MAX)
  .refine((shares) => shares.reduce((sum, { percent }) => sum + percent, 0) <= 100, {
    error: "must have percentages that add up to at most 100",
    when: ({ issues }) => issues.length === 0,
  })
  .describe(
    "Splits visitors between these destinations. A visitor always gets the same one. Percentages must add up to at most 100; the remaining visitors continue to the next rule. Without `when`, the split applies to all visitors.",
  );

/** Rule as sent by the caller. */
interface GivenRule {
  name?: string | undefined;
  when?: When | undefined;
  destination?: string | undefined;
  block?: true | undefined;
  split?: z.output<typeof split> | undefined;
}

const countKinds = ({ destination, block, split }: GivenRule) =>
  [destination, block, split].filter((value) => value !== undefined).length;

const hasConditions = ({ when = {} }: GivenRule) => Object.keys(when).length > 0;

const rule = z
  .strictObject({
    name: boundedText(1, RULE_NAME_MAX_LENGTH).optional(),
    when: when.optional(),
    destination: destinationUrl.optional(),
    block: z.literal(true).optional().describe("Blocks these visitors with 451 instead of redirecting them."),
    split: split.optional(),
  })
  .refine((given) => countKinds(given) > 0, {
    path: ["destination"],
    error: "is required unless `block` or `split` is set",
    when: isPlainValue,
  })
  .refine((given) => countKinds(given) <= 1, {
    error: "must have only one of destination, block and split",
    when: isPlainValue,
  })
  .refine(({ when, split }) => when !== undefined || split !== undefined, {
    path: ["when"],
    error: "is required",
    when: isPlainValue,
  })
  .refine((given) => given.when === undefined || given.split !== undefined || hasConditions(given), {
    path: ["when"],
    error: "must have at least one condition",
    when: ({ issues }) => issues.length === 0,
  })
  .transform(({ when = {}, ...others }) => ({ ...others, when }) as RoutingRule)
  .meta({
    id: "NewRoutingRule",
    description:
      "Redirects visitors who match every key of `when` to a different destination, splits them between destinations, or blocks them. A key matches if any of its values matches. The first matching rule applies.",
    oneOf: [{ required: ["when", "destination"] }, { required: ["when", "block"] }, { required: ["split"] }],
    example: {
      name: "iOS, North America",
      when: { country: ["US", "CA"], os: ["ios"] },
      destination: "https://example.com/ios",
    },
  });

/** Returns true for objects, so that a missing field is reported together with other invalid fields. */
function isPlainValue({ value }: z.core.ParsePayload): boolean {
  return isJsonObject(value);
}

/** Schema of `routing_rules`. Normalizes codes and times. */
export const routingRules = z
  .array(rule)
  .max(RULES_MAX)
  .refine((rules) => new TextEncoder().encode(JSON.stringify(rules)).byteLength <= RULES_MAX_BYTES, {
    error: `must be at most ${formatBytes(RULES_MAX_BYTES)} as JSON`,
  })
  .superRefine((rules, context) => {
    const seen = new Map<string, number>();
    for (const [index, { when: conditions, split }] of rules.entries()) {
      // An invalid rule may have no conditions.
      if (conditions === undefined) continue;
      const key = toCanonicalJson(conditions);
      const first = seen.get(key);
      const hasRest = split !== undefined && split.reduce((sum, { percent }) => sum + percent, 0) < 100;
      if (first === undefined) {
        if (!hasRest) seen.set(key, index);
      } else {
        context.addIssue({
          code: "custom",
          path: [index, "when"],
          message: `must differ from the conditions of rule ${first}, which would always match first`,
        });
      }
    }
  }) satisfies z.ZodType<RoutingRule[]>;
