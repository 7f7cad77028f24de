// Pure: no I/O, clock or randomness.
import type { JsonObject } from "../../../core/json-object.ts";
import { toIso } from "../../../core/time.ts";
import { BROWSERS, OPERATING_SYSTEMS } from "../../../routing/rules.ts";
import { type Conditions, type ForeignRule, quote } from "../foreign-link.ts";
import { readFlag, readObjects, readText } from "../json-fields.ts";
import { parseMoment } from "../moments.ts";

/**
 * Reads Shlink's redirect rules (`ShortUrlRedirectRule` in Shlink's API). A visit must meet all conditions of
 * a rule.
 */

/** Rules that can be imported, and notes on the rules that were left out. */
interface ReadRules {
  rules: ForeignRule[];
  notes: string[];
}

/**
 * Reads a link's rules in order of priority. `redirectRules` of the item is the list of rules, or the
 * response of Shlink's API for the link's rules, which contains the list under the same name.
 */
export function readShlinkRules(item: JsonObject): ReadRules {
  const holder = Array.isArray(item.redirectRules)
    ? item
    : (item.redirectRules as JsonObject | null | undefined);
  const given = typeof holder === "object" && holder !== null ? readObjects(holder, "redirectRules") : [];
  if (given.length === 0) {
    const isMissing = readFlag(item, "hasRedirectRules");
    return { rules: [], notes: isMissing ? ["its redirect rules are not in the file"] : [] };
  }
  const sorted = given.toSorted((a, b) => Number(a.priority ?? 0) - Number(b.priority ?? 0));
  const read: ReadRules = { rules: [], notes: [] };
  for (const rule of sorted) addRule(read, rule);
  return read;
}

function addRule({ rules, notes }: ReadRules, rule: JsonObject): void {
  const destination = readText(rule, "longUrl");
  const when: Conditions = {};
  for (const condition of readObjects(rule, "conditions")) {
    const problem = addCondition(when, condition);
    if (problem === null) continue;
    notes.push(`the rule to ${quote(destination)} was left out: ${problem}`);
    return;
  }
  rules.push({ when, destination });
}

/** Adds Shlink's condition to `when`. Returns the reason if the condition can't be added, otherwise null. */
function addCondition(when: Conditions, condition: JsonObject): string | null {
  const type = readText(condition, "type");
  const key = readText(condition, "matchKey");
  const value = readText(condition, "matchValue");
  const added = toConditions(type, key, value);
  if (added === null) return `the condition ${quote(`${type} ${key} ${value}`.trim())} is not supported here`;
  const { query, ...others } = added;
  if (Object.keys(others).some((name) => name in when)) return `${type} is used twice`;
  if (query !== undefined && Object.keys(query).some((name) => Object.hasOwn(when.query ?? {}, name))) {
    return `the query parameter ${quote(key)} is used twice`;
  }
  Object.assign(when, others);
  if (query !== undefined) when.query = { ...when.query, ...query };
  return null;
}

function toConditions(type: string, key: string, value: string): Conditions | null {
  switch (type) {
    case "device":
      return toDevice(value);
    case "browser": {
      const browser = BROWSERS.find((name) => name === value);
      return browser === undefined ? null : { browser: [browser] };
    }
    case "language":
      return { language: [value] };
    case "geolocation-country-code":
      return { country: [value] };
    case "query-param":
      return { query: { [key]: [value] } };
    case "any-value-query-param":
      return { query: { [key]: true } };
    case "valueless-query-param":
      return { query: { [key]: [""] } };
    case "after-date":
      return toMoment("after", value);
    case "before-date":
      return toMoment("before", value);
    default:
      return null;
  }
}

/** Returns the condition for one of Shlink's devices. Shlink counts tablets as mobile devices. */
function toDevice(value: string): Conditions | null {
  if (value === "mobile") return { device: ["mobile", "tablet"] };
  if (value === "desktop") return { device: ["desktop"] };
  const os = OPERATING_SYSTEMS.find((name) => name === value);
  return os === undefined ? null : { os: [os] };
}

function toMoment(name: "after" | "before", value: string): Conditions | null {
  const timeMs = parseMoment(value);
  return timeMs === null ? null : { [name]: toIso(timeMs) };
}
