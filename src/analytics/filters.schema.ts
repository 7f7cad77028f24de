import * as z from "zod";
import { BROWSERS, DEVICES, OPERATING_SYSTEMS } from "../routing/rules.ts";
import { SOURCES } from "../scans/source.ts";

const VALUE_MAX_LENGTH = 256;

/**
 * Accepted values besides codes: `unknown` for scans without a value, and `other` for values beyond the
 * number that a day counts.
 */
const WORDS = ["unknown", "other"];
const REGION = /^[A-Z]{2}-[A-Z0-9]{1,3}$/;
const LANGUAGE = /^([a-z]{2,3})(?:-([a-z]{2}|\d{3}))?$/i;

/**
 * Returns the schema of a code that is accepted in upper or lower case. `normalize` converts it to the
 * counted form.
 */
function code(normalize: (text: string) => string, form: RegExp, example: string, name: string) {
  return z
    .string()
    .max(VALUE_MAX_LENGTH)
    .overwrite((text) => (WORDS.includes(text.toLowerCase()) ? text.toLowerCase() : normalize(text)))
    .refine((text) => WORDS.includes(text) || form.test(text), {
      error: `must be ${name} such as ${example}, or \`unknown\``,
    })
    .meta({ example });
}

const toUpperCase = (text: string) => text.toUpperCase();

function normalizeLanguage(tag: string): string {
  const [, primary, region] = LANGUAGE.exec(tag) ?? [];
  if (primary === undefined) return tag;
  return region === undefined ? primary.toLowerCase() : `${primary.toLowerCase()}-${region.toUpperCase()}`;
}

/** Returns the schema of a filter by a UTM parameter of the destination. */
function utm(name: string, example: string) {
  return z
    .string()
    .trim()
    .min(1)
    .max(VALUE_MAX_LENGTH)
    .optional()
    .meta({ example })
    .describe(`Counts only scans whose destination has this \`${name}\`, decoded, or \`none\`.`);
}

/** Query parameters that filter visits by the value of a dimension. */
export const valueFilters = {
  country: code(toUpperCase, /^[A-Z]{2}$/, "DE", "an ISO 3166-1 alpha-2 code")
    .refine((text) => text !== "UK", { error: "UK is not an ISO 3166-1 code; use GB" })
    .optional()
    .describe("Counts only scans from this country (ISO 3166-1 alpha-2, or `unknown`)."),
  region: code(toUpperCase, REGION, "DE-BE", "an ISO 3166-2 code")
    .optional()
    .describe("Counts only scans from this region (ISO 3166-2, or `unknown`)."),
  device: z
    .enum([...DEVICES, "unknown"])
    .optional()
    .describe("Counts only scans with this type of device."),
  os: z
    .enum([...OPERATING_SYSTEMS, "unknown"])
    .optional()
    .describe("Counts only scans with this operating system."),
  browser: z
    .enum([...BROWSERS, "unknown"])
    .optional()
    .describe("Counts only scans with this browser."),
  referrer: z
    .string()
    .min(1)
    .max(VALUE_MAX_LENGTH)
    .toLowerCase()
    .refine((host) => !host.includes("/"), { error: "must be a host such as news.example, or `direct`" })
    .optional()
    .meta({ example: "news.example" })
    .describe("Counts only scans from pages on this host, or `direct`."),
  language: code(normalizeLanguage, LANGUAGE, "fr-CA", "a language")
    .optional()
    .describe(
      "Counts only scans by visitors whose preferred language is exactly this one: `fr` does not include `fr-CA`.",
    ),
  rule: z
    .string()
    .min(1)
    .max(VALUE_MAX_LENGTH)
    .optional()
    .meta({ example: "#1" })
    .describe(
      "Counts only scans that this routing rule matched, or `default` for scans that no rule matched.",
    ),
  source: z
    .enum(SOURCES)
    .optional()
    .describe(
      "Counts only scans from this source: `qr` (compact QR codes), `page` (buttons of bio pages) or `link` (all others).",
    ),
  utm_source: utm("utm_source", "newsletter"),
  utm_medium: utm("utm_medium", "email"),
  utm_campaign: utm("utm_campaign", "summer-sale"),
} as const;

/** Dimensions that a query can filter by. */
export const FILTER_DIMENSIONS = Object.keys(valueFilters) as (keyof typeof valueFilters)[];
