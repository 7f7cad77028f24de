import * as z from "zod";
import { boundedText, dateTime, timestamp } from "../http/fields.ts";
import { BROWSERS, CONTINENTS, DEVICES, OPERATING_SYSTEMS } from "../routing/rules.ts";
import { QUERY_NAMES_MAX, QUERY_TEXT_MAX_LENGTH } from "./link-limits.ts";
import { country, region } from "./rules.schema.ts";

const LANGUAGES_MAX = 20;
const QUERY_VALUES_MAX = 20;
const USER_AGENT_MAX_LENGTH = 1_000;
const LANGUAGE_TAG = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,7}$/;

const parameter = z.string().max(QUERY_TEXT_MAX_LENGTH);

/** Description of a visitor whose outcome is to be explained. */
export const resolveLinkBody = z
  .strictObject({
    country: country.describe("ISO 3166-1 country code. Default: the country of `region`."),
    region,
    continent: z.enum(CONTINENTS),
    device: z
      .enum(DEVICES)
      .describe("Default: detected from `user_agent`. The same applies to `os` and `browser`."),
    os: z.enum(OPERATING_SYSTEMS),
    browser: z.enum(BROWSERS),
    languages: z
      .array(z.string().regex(LANGUAGE_TAG, { error: "must be a BCP 47 language such as fr or zh-Hant-TW" }))
      .max(LANGUAGES_MAX)
      .describe("Accepted languages, preferred ones first.")
      .meta({ example: ["fr-CA", "en"] }),
    query: z
      .record(
        boundedText(1, QUERY_TEXT_MAX_LENGTH),
        z.union([parameter, z.array(parameter).max(QUERY_VALUES_MAX)], {
          error: "must be a string or an array of strings",
        }),
      )
      .refine((names) => Object.keys(names).length <= QUERY_NAMES_MAX, {
        error: `must have at most ${QUERY_NAMES_MAX} entries`,
      })
      .describe("Parameters of the short URL.")
      .meta({ example: { utm_source: "mail" } }),
    at: dateTime.describe("Time of the visit. If absent, now."),
    user_agent: z
      .string()
      .max(USER_AGENT_MAX_LENGTH)
      .regex(/^[\x20-\x7e]*$/, { error: "must have only printable ASCII characters" })
      .describe("`User-Agent` header. Shares depend on it."),
    ip: z
      .union([z.ipv4(), z.ipv6()], { error: "must be an IPv4 or IPv6 address" })
      .describe("Address of the visitor, as `CF-Connecting-IP` has it. Shares depend on it.")
      .meta({ example: "203.0.113.7" }),
  })
  .partial()
  .refine(({ country, region }) => !country || !region || region.startsWith(`${country}-`), {
    path: ["region"],
    error: "must be in `country`",
  })
  .meta({ id: "VisitorDescription", example: { country: "CA", os: "ios", languages: ["fr-CA"] } });

const explainedRule = z
  .object({
    name: z.string().describe("Name of the rule, or its number from 1.").meta({ example: "#1" }),
    matched: z.boolean().describe("True if all conditions hold. The first such rule decides."),
    failed: z
      .string()
      .nullable()
      .describe(
        "First condition that does not hold: a key of `when`, or `split` for the rest of its shares. Null if the rule matches.",
      )
      .meta({ example: "country" }),
    seen: z
      .string()
      .nullable()
      .describe("Value that the condition was compared with. Null if it is unknown, or if the rule matches.")
      .meta({ example: "US" }),
  })
  .meta({ id: "ExplainedRule" });

/** Outcome of a visit, with the reasons. */
export const resolveLinkResponse = z
  .object({
    status: z.int().describe("HTTP status that the visitor gets.").meta({ example: 302 }),
    outcome: z
      .enum(["found", "early", "expired", "gone", "preview", "password", "held", "blocked", "unknown"])
      .describe(
        "`found`: redirected, which is a scan of a person. `early`: redirected to `early_url`. `expired`: redirected to `expired_url`. `gone`: disabled, expired or without scans left. `preview`: the link's own preview, for a fetcher. `password`: the form for the password. `held`: a page asking to open the link in a browser, shown to automated requests if the link has `max_scans`. `blocked`: by a rule. `unknown`: no link yet, or its destination could redirect in a circle. Where the primary domain has an address for `gone` or `unknown`, the visitor is redirected to it.",
      ),
    destination: z
      .string()
      .nullable()
      .describe("Address that the visitor is sent to, with forwarded parameters.")
      .meta({ example: "https://example.com/sale" }),
    rule: z
      .string()
      .nullable()
      .describe("Rule or share that decided, as analytics name it. Null if none did.")
      .meta({ example: null }),
    rules: z
      .array(explainedRule)
      .describe("Every rule of the link, in order, also those after the deciding one."),
    at: timestamp.describe("Time of the visit that was assumed."),
  })
  .meta({ id: "ResolvedLink" });
