// Pure: no I/O, clock or randomness.
import type { JsonObject } from "../../../core/json-object.ts";
import type { ForeignRule } from "../foreign-link.ts";

/** Builds rules for services that have a destination for each operating system or country. */

/** Returns the rules for iOS and Android. Leaves out a rule with an empty destination. */
export function buildAppRules(iosUrl: string, androidUrl: string): ForeignRule[] {
  const rules: ForeignRule[] = [
    { name: "iOS", when: { os: ["ios"] }, destination: iosUrl },
    { name: "Android", when: { os: ["android"] }, destination: androidUrl },
  ];
  return rules.filter(({ destination }) => destination.trim() !== "");
}

/** Returns the rules for destinations by country code. Countries with the same destination share a rule. */
export function buildCountryRules(geo: JsonObject): ForeignRule[] {
  const countries = new Map<string, string[]>();
  for (const [country, destination] of Object.entries(geo)) {
    if (typeof destination !== "string" || destination.trim() === "") continue;
    countries.set(destination, [...(countries.get(destination) ?? []), country]);
  }
  return [...countries].map(([destination, country]) => ({ when: { country }, destination }));
}
