// Pure: no I/O, clock or randomness.
import { formatBytes } from "../../core/byte-size.ts";
import { toCanonicalJson } from "../../links/canonical-conditions.ts";
import {
  QUERY_NAMES_MAX,
  QUERY_TEXT_MAX_LENGTH,
  RULE_NAME_MAX_LENGTH,
  RULE_VALUES_MAX,
  RULES_MAX,
  RULES_MAX_BYTES,
} from "../../links/link-limits.ts";
import { COUNTRY_CODES } from "../../routing/countries.ts";
import { fitDestination } from "./fit-destination.ts";
import { type Fitted, fitText } from "./fit-texts.ts";
import { type Conditions, type ForeignRule, type NewRule, quote } from "./foreign-link.ts";

const LANGUAGE = /^([a-z]{2,3})(?:[-_]([a-z]{2}|\d{3}))?$/i;
/** Bytes of the brackets around the rules in JSON, and of the comma between two rules. */
const BRACKETS_BYTES = 2;
const COMMA_BYTES = 1;
const encoder = new TextEncoder();

/** Rule in normal form, or the reason why it can't be imported. */
type FittedRule = { rule: NewRule & { when: Conditions } } | { problem: string };

/**
 * Converts rules to normal form. Leaves out rules that can't be imported, repeat the conditions of an earlier
 * rule or exceed a limit, with a note for each. Visitors who matched such a rule go where the other rules
 * send them.
 */
export function fitRules(given: readonly ForeignRule[]): Fitted<NewRule[]> {
  const value: NewRule[] = [];
  const notes: string[] = [];
  const seen = new Set<string>();
  let sizeBytes = BRACKETS_BYTES;
  for (const [index, foreign] of given.entries()) {
    const fitted = fitRule(foreign);
    const key = "rule" in fitted ? toCanonicalJson(fitted.rule.when) : "";
    const addedBytes = measure(fitted) + (value.length === 0 ? 0 : COMMA_BYTES);
    let problem = "problem" in fitted ? fitted.problem : null;
    if (value.length === RULES_MAX) problem ??= `a link can have at most ${RULES_MAX} rules`;
    if (seen.has(key)) problem ??= "an earlier rule has the same conditions";
    if (sizeBytes + addedBytes > RULES_MAX_BYTES) {
      problem ??= `the rules of a link can have at most ${formatBytes(RULES_MAX_BYTES)} as JSON`;
    }
    if (problem !== null || !("rule" in fitted)) {
      notes.push(`rule ${index + 1} (to ${quote(foreign.destination)}) was left out: ${problem}`);
      continue;
    }
    seen.add(key);
    sizeBytes += addedBytes;
    value.push(fitted.rule);
  }
  return { value, notes };
}

function measure(fitted: FittedRule): number {
  return "rule" in fitted ? encoder.encode(JSON.stringify(fitted.rule)).byteLength : 0;
}

function fitRule({ name = "", when, destination }: ForeignRule): FittedRule {
  const address = fitDestination(destination);
  if ("problem" in address) return { problem: `its destination ${address.problem}` };
  const conditions = fitConditions(when);
  if ("problem" in conditions) return conditions;
  const { value: fittedName } = fitText("name", name, RULE_NAME_MAX_LENGTH);
  const rule = { when: conditions, destination: address.url };
  return { rule: fittedName === null ? rule : { name: fittedName, ...rule } };
}

function fitConditions(when: Conditions): Conditions | { problem: string } {
  const fitted: Conditions = { ...when };
  if (when.country !== undefined) {
    fitted.country = [...new Set(when.country.map((code) => code.trim().toUpperCase()))];
    const unknown = fitted.country.find((code) => !COUNTRY_CODES.has(code));
    if (unknown !== undefined) return { problem: `${quote(unknown)} is not an ISO 3166-1 country code` };
  }
  if (when.language !== undefined) {
    fitted.language = [...new Set(when.language.map(toLanguage))];
    const unknown = fitted.language.find((tag) => !LANGUAGE.test(tag));
    if (unknown !== undefined)
      return { problem: `${quote(unknown)} is not a language, or language and region` };
  }
  const problem = findConditionProblem(fitted);
  return problem === null ? fitted : { problem };
}

function toLanguage(tag: string): string {
  const [, primary = tag, region] = LANGUAGE.exec(tag.trim()) ?? [];
  return region === undefined ? primary.toLowerCase() : `${primary.toLowerCase()}-${region.toUpperCase()}`;
}

function findConditionProblem(when: Conditions): string | null {
  if (Object.keys(when).length === 0) return "it has no conditions";
  const { query = {}, after, before, ...others } = when;
  const values = [...Object.values(others), ...Object.values(query)];
  if (values.some((alternatives) => Array.isArray(alternatives) && alternatives.length > RULE_VALUES_MAX)) {
    return `a condition can have at most ${RULE_VALUES_MAX} values`;
  }
  if (after !== undefined && before !== undefined && after >= before) return "its end is before its start";
  return findQueryProblem(Object.entries(query));
}

function findQueryProblem(query: readonly [string, string[] | true][]): string | null {
  if (query.length > QUERY_NAMES_MAX) return `a rule can have at most ${QUERY_NAMES_MAX} query parameters`;
  const texts = query.flatMap(([name, values]) => (values === true ? [name] : [name, ...values]));
  if (query.some(([name]) => name === "")) return "a query parameter has no name";
  const isLong = texts.some((text) => text.length > QUERY_TEXT_MAX_LENGTH);
  return isLong
    ? `names and values of query parameters can have at most ${QUERY_TEXT_MAX_LENGTH} characters`
    : null;
}
