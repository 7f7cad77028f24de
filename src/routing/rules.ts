/** Routing rules of links. Rules are tried in order; the first that matches the visitor chooses the destination. */

export const CONTINENTS = ["AF", "AN", "AS", "EU", "NA", "OC", "SA"] as const;
export const DEVICES = ["mobile", "tablet", "desktop"] as const;
export const OPERATING_SYSTEMS = ["ios", "android", "windows", "macos", "linux", "chromeos"] as const;
export const BROWSERS = ["chrome", "safari", "firefox", "edge", "opera", "samsung"] as const;

export type Device = (typeof DEVICES)[number];
export type OperatingSystem = (typeof OPERATING_SYSTEMS)[number];
export type Browser = (typeof BROWSERS)[number];

/** Conditions of a rule. All keys must match; a key matches if any of its values does. */
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

/** Properties of a visitor that rules can test. Null and empty values are missing and match nothing. */
export interface Visitor {
  readonly country: string | null;
  readonly continent: string | null;
  readonly region: string | null;
  readonly device: Device | null;
  readonly os: OperatingSystem | null;
  readonly browser: Browser | null;
  /** Accepted language tags in lower case, with a quality of at least 0.5. */
  readonly languages: readonly string[];
  readonly query: URLSearchParams;
  /** Returns a number from 0 to 99 that is stable for the visitor. `salt` makes the numbers of rules independent. */
  share(salt: string): number;
}

/** Returns the index of the first matching rule, or -1 if the link's own destination applies. */
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
    includesTrait(when.country, visitor, "country") &&
    includesTrait(when.continent, visitor, "continent") &&
    includesTrait(when.region, visitor, "region") &&
    includesTrait(when.device, visitor, "device") &&
    includesTrait(when.os, visitor, "os") &&
    includesTrait(when.browser, visitor, "browser") &&
    (when.language === undefined || when.language.some((tag) => acceptsLanguage(visitor, tag))) &&
    (when.query === undefined || hasQuery(when.query, visitor.query)) &&
    (when.after === undefined || nowMs >= Date.parse(when.after)) &&
    (when.before === undefined || nowMs < Date.parse(when.before)) &&
    (when.percent === undefined || visitor.share(salt) < when.percent)
  );
}

type Trait = "country" | "continent" | "region" | "device" | "os" | "browser";

// Reads a trait only if a rule tests it, since some traits are parsed from headers on first use.
function includesTrait(values: readonly string[] | undefined, visitor: Visitor, trait: Trait): boolean {
  if (values === undefined) return true;
  const value = visitor[trait];
  return value !== null && values.includes(value);
}

/** Returns true if the visitor accepts the language: `fr` matches `fr` and `fr-CA`, but `fr-CA` does not match `fr`. */
function acceptsLanguage(visitor: Visitor, tag: string): boolean {
  const wanted = tag.toLowerCase();
  return visitor.languages.some(
    (accepted) =>
      accepted.startsWith(wanted) &&
      (accepted.length === wanted.length || accepted.charAt(wanted.length) === "-"),
  );
}

function hasQuery(wanted: Record<string, string[] | true>, query: URLSearchParams): boolean {
  const given = groupParameters(query);
  return Object.entries(wanted).every(([name, values]) => {
    const found = given.get(name);
    return found !== undefined && (values === true || values.some((value) => found.has(value)));
  });
}

const grouped = new WeakMap<URLSearchParams, Map<string, Set<string>>>();

/** Returns the values of each parameter, grouped once for all rules: a query can have thousands of parameters. */
function groupParameters(query: URLSearchParams): Map<string, Set<string>> {
  let groups = grouped.get(query);
  if (groups === undefined) {
    groups = new Map();
    for (const [name, value] of query) {
      const values = groups.get(name);
      if (values === undefined) groups.set(name, new Set([value]));
      else values.add(value);
    }
    grouped.set(query, groups);
  }
  return groups;
}
