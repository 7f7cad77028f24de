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
      .describe("Accepted languages, most preferred first.")
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
      .describe("Query parameters of the short URL.")
      .meta({ example: { utm_source: "mail" } }),
    at: dateTime.describe("Time of the visit. Default: now."),
    user_agent: z
      .string()
      .max(USER_AGENT_MAX_LENGTH)
      .regex(/^[\x20-\x7e]*$/, { error: "must have only printable ASCII characters" })
      .describe("`User-Agent` header. Percentages and splits depend on it."),
    ip: z
      .union([z.ipv4(), z.ipv6()], { error: "must be an IPv4 or IPv6 address" })
      .describe("IP address of the visitor, as in `CF-Connecting-IP`. Percentages and splits depend on it.")
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
    name: z.string().describe("Name of the rule, or its number, starting at 1.").meta({ example: "#1" }),
    matched: z.boolean().describe("True if all conditions match. The first matching rule applies."),
    failed: z
      .string()
      .nullable()
      .describe(
        "First condition that failed: a key of `when`, or `split` if the visitor is in none of its variants. Null if the rule matches.",
      )
      .meta({ example: "country" }),
    seen: z
      .string()
      .nullable()
      .describe(
        "Value of the visitor that the condition was compared with. Null if it is unknown or the rule matches.",
      )
      .meta({ example: "US" }),
  })
  .meta({ id: "ExplainedRule" });

/** Outcome of a visit, with the reasons. */
export const resolveLinkResponse = z
  .object({
    status: z.int().describe("HTTP status that the visitor gets.").meta({ example: 302 }),
    outcome: z
      .enum([
        "found",
        "early",
        "expired",
        "gone",
        "preview",
        "password",
        "held",
        "confirm",
        "blocked",
        "banned",
        "unknown",
      ])
      .describe(
        "`found`: redirected to a destination, which is a scan if the visitor is a person. `early`: redirected to `early_url`. `expired`: redirected to `expired_url`. `gone`: the link is disabled, has expired or has reached its scan limit. `preview`: the link's own preview, shown to an app that fetches link previews. `password`: the password form. `held`: a page asking to open the link in a browser, shown to automated requests if the link has `max_scans`. `confirm`: a page with a button, shown to every visitor if the link has `confirm`, and to visitors without a known browser if it has `max_scans`. `blocked`: blocked by a rule. `banned`: the administrator of this service has banned the link, suspended the workspace or blocked the destination. `unknown`: the link has not started, or its destination could cause a redirect loop. If the primary domain has a URL for `gone` or `unknown`, the visitor is redirected to it.",
      ),
    destination: z
      .string()
      .nullable()
      .describe("URL that the visitor is redirected to, with forwarded query parameters.")
      .meta({ example: "https://example.com/sale" }),
    rule: z
      .string()
      .nullable()
      .describe("Rule or variant that applies, under its name in analytics. Null if no rule matches.")
      .meta({ example: null }),
    rules: z
      .array(explainedRule)
      .describe("Every rule of the link, in order, including rules after the one that applies."),
    at: timestamp.describe("Time of the visit that the result is for."),
  })
  .meta({ id: "ResolvedLink" });
