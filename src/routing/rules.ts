// Pure: no I/O, clock or randomness.
import { memoizeByObject } from "../core/memo.ts";

/**
 * Routing rules of links. Rules are tried in order; the first rule that matches the visitor chooses the
 * destination.
 */

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
  /** Percentage of visitors, 1 to 99. */
  percent?: number | undefined;
}

/** Variant of a split: a destination and its percentage of visitors. */
export interface SplitShare {
  name?: string | undefined;
  destination: string;
  /**
   * 1 to 100. The percentages of a split add up to at most 100; remaining visitors continue with the next
   * rule.
   */
  percent: number;
}

interface Conditional {
  name?: string | undefined;
  when: When;
}

/** Rule that redirects its visitors to a destination, blocks them, or splits them between destinations. */
export type RoutingRule = Conditional &
  (
    | { destination: string; block?: undefined; split?: undefined }
    | { block: true; destination?: undefined; split?: undefined }
    | { split: SplitShare[]; destination?: undefined; block?: undefined }
  );

export function listDestinations({ destination, split }: RoutingRule): string[] {
  if (split !== undefined) return split.map((share) => share.destination);
  return destination === undefined ? [] : [destination];
}

/** Properties of a visitor that rules can test. Null and empty values match nothing. */
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
  /** Query string as sent, including the question mark. Empty if there is none. */
  readonly search: string;
  /**
   * Returns a number from 0 to 99 that is stable for the visitor. `salt` makes the numbers of different rules
   * independent.
   */
  share(salt: string): number;
}

/** Returns the index of the first matching rule, or -1 if the link's own destination applies. */
export function findMatchingRule(
  rules: readonly RoutingRule[],
  visitor: Visitor,
  linkId: string,
  nowMs: number,
): number {
  return rules.findIndex(
    (rule, index) => findFailedCondition(rule, visitor, saltRule(linkId, index), nowMs) === null,
  );
}

/** Condition that can keep a rule from matching. `split` fails for visitors outside all its percentages. */
export type Condition = keyof When | "split";

/** Returns the first condition of a rule that the visitor doesn't meet, or null if the rule matches. */
export function findFailedCondition(
  { when, split }: RoutingRule,
  visitor: Visitor,
  salt: string,
  nowMs: number,
): Condition | null {
  if (!includesTrait(when.country, visitor, "country")) return "country";
  if (!includesTrait(when.continent, visitor, "continent")) return "continent";
  if (!includesTrait(when.region, visitor, "region")) return "region";
  if (!includesTrait(when.device, visitor, "device")) return "device";
  if (!includesTrait(when.os, visitor, "os")) return "os";
  if (!includesTrait(when.browser, visitor, "browser")) return "browser";
  if (when.language !== undefined && !when.language.some((tag) => acceptsLanguage(visitor, tag)))
    return "language";
  if (when.query !== undefined && !hasQuery(when.query, visitor.query)) return "query";
  if (when.after !== undefined && nowMs < Date.parse(when.after)) return "after";
  if (when.before !== undefined && nowMs >= Date.parse(when.before)) return "before";
  if (when.percent !== undefined && visitor.share(salt) >= when.percent) return "percent";
  if (split !== undefined && pickShare(split, visitor, salt) === -1) return "split";
  return null;
}

/** Returns the salt for a rule's {@link Visitor.share} numbers. */
export function saltRule(linkId: string, index: number): string {
  return `${linkId}:${index}`;
}

/** Returns the index of a visitor's variant in a split, or -1 for visitors outside all percentages. */
export function pickShare(shares: readonly SplitShare[], visitor: Visitor, salt: string): number {
  const number = numberInSplit(visitor, salt);
  let end = 0;
  return shares.findIndex(({ percent }) => {
    end += percent;
    return number < end;
  });
}

/**
 * Returns a visitor's number from 0 to 99 in a rule's split. The number is independent of the rule's
 * `percent` condition.
 */
export function numberInSplit(visitor: Visitor, salt: string): number {
  return visitor.share(`${salt}:split`);
}

type Trait = "country" | "continent" | "region" | "device" | "os" | "browser";

// Reads a trait only if the rule tests it, because some traits are parsed from headers on first use.
function includesTrait(values: readonly string[] | undefined, visitor: Visitor, trait: Trait): boolean {
  if (values === undefined) return true;
  const value = visitor[trait];
  return value !== null && values.includes(value);
}

/**
 * Returns true if the visitor accepts the language: `fr` matches `fr` and `fr-CA`, but `fr-CA` doesn't match
 * `fr`.
 */
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

/**
 * Returns the values of each parameter. Groups the parameters once for all rules, because a query can have
 * thousands of parameters.
 */
const groupParameters = memoizeByObject((query: URLSearchParams): Map<string, Set<string>> => {
  const groups = new Map<string, Set<string>>();
  for (const [name, value] of query) {
    const values = groups.get(name);
    if (values === undefined) groups.set(name, new Set([value]));
    else values.add(value);
  }
  return groups;
});
