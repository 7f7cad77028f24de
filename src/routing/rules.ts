/**
 * Which destination a visitor is sent to. Pure: no I/O, no clock. A link's rules are tried in order; the first that
 * holds wins (decisions section 3, routing_rules).
 */

export const CONTINENTS = ["AF", "AN", "AS", "EU", "NA", "OC", "SA"] as const;
export const DEVICES = ["mobile", "tablet", "desktop"] as const;
export const OPERATING_SYSTEMS = ["ios", "android", "windows", "macos", "linux", "chromeos"] as const;
export const BROWSERS = ["chrome", "safari", "firefox", "edge", "opera", "samsung"] as const;

export type Device = (typeof DEVICES)[number];
export type OperatingSystem = (typeof OPERATING_SYSTEMS)[number];
export type Browser = (typeof BROWSERS)[number];

/** The conditions of a rule: all keys are to hold, any value of a key will do. */
export interface When {
  country?: string[] | undefined;
  continent?: string[] | undefined;
  region?: string[] | undefined;
  device?: Device[] | undefined;
  os?: OperatingSystem[] | undefined;
  browser?: Browser[] | undefined;
  language?: string[] | undefined;
  query?: Record<string, string[] | true> | undefined;
  /** ISO 8601 date-time, inclusive. */
  after?: string | undefined;
  /** ISO 8601 date-time, exclusive. */
  before?: string | undefined;
  /** Share of visitors, 1 to 99. */
  percent?: number | undefined;
}

export interface RoutingRule {
  name?: string | undefined;
  when: When;
  destination: string;
}

/** What rules may ask of a visitor. Null and empty are "missing": they match nothing. */
export interface Visitor {
  readonly country: string | null;
  readonly continent: string | null;
  readonly region: string | null;
  readonly device: Device | null;
  readonly os: OperatingSystem | null;
  readonly browser: Browser | null;
  /** Accepted language tags in lower case, those of quality 0.5 or more. */
  readonly languages: readonly string[];
  readonly query: URLSearchParams;
  /** A number from 0 to 99, the same for this visitor each time; `salt` makes rules independent of each other. */
  share(salt: string): number;
}

/** Index of the first rule that holds, or -1: then the link's own destination is used. */
export function findMatchingRule(
  rules: readonly RoutingRule[],
  visitor: Visitor,
  linkId: string,
  nowMs: number,
): number {
  return rules.findIndex((rule, index) => matchesRule(rule.when, visitor, `${linkId}:${index}`, nowMs));
}

function matchesRule(when: When, visitor: Visitor, salt: string, nowMs: number): boolean {
  return (
    includes(when.country, visitor, "country") &&
    includes(when.continent, visitor, "continent") &&
    includes(when.region, visitor, "region") &&
    includes(when.device, visitor, "device") &&
    includes(when.os, visitor, "os") &&
    includes(when.browser, visitor, "browser") &&
    (when.language === undefined || when.language.some((tag) => speaks(visitor, tag))) &&
    (when.query === undefined || hasQuery(when.query, visitor.query)) &&
    (when.after === undefined || nowMs >= Date.parse(when.after)) &&
    (when.before === undefined || nowMs < Date.parse(when.before)) &&
    (when.percent === undefined || visitor.share(salt) < when.percent)
  );
}

type Trait = "country" | "continent" | "region" | "device" | "os" | "browser";

// The visitor's trait is read only if a rule asks for it: some are parsed from headers at first use.
function includes(values: readonly string[] | undefined, visitor: Visitor, trait: Trait): boolean {
  if (values === undefined) return true;
  const value = visitor[trait];
  return value !== null && values.includes(value);
}

/** `fr` is spoken by who accepts `fr` or `fr-CA`; `fr-CA` only by who accepts that. */
function speaks(visitor: Visitor, tag: string): boolean {
  const wanted = tag.toLowerCase();
  return visitor.languages.some((accepted) => accepted === wanted || accepted.startsWith(`${wanted}-`));
}

function hasQuery(wanted: Record<string, string[] | true>, query: URLSearchParams): boolean {
  return Object.entries(wanted).every(([name, values]) =>
    values === true ? query.has(name) : query.getAll(name).some((value) => values.includes(value)),
  );
}
