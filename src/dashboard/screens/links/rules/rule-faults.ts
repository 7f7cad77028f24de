// Pure: no I/O, clock or randomness.
import type { Faults } from "../../../forms/form-fields.ts";
import { parseRule, type RuleDraft } from "./rule-draft.ts";

/** Assigns errors of rules to the form fields that they are about. */

/** Errors of one rule by path, such as `when.country` or `split[0].percent`, or "" for the whole rule. */
export type RuleFaults = Readonly<Record<string, string>>;

const RULE_PATH = /^routing_rules\[(\d+)\]\.?(.*)$/s;

/**
 * Assigns the errors of a response to rules, by rule key. The index in an error's path is the index of the
 * rule in the form, because rules are sent in that order. Errors of single values, such as `when.country[3]`,
 * are moved to their condition.
 */
export function placeRuleFaults(fields: Faults, rules: readonly RuleDraft[]): Record<string, RuleFaults> {
  const placed: Record<string, Record<string, string>> = {};
  for (const [path, text] of Object.entries(fields)) {
    const [, index, inner = ""] = RULE_PATH.exec(path) ?? [];
    const rule = index === undefined ? undefined : rules[Number(index)];
    if (rule === undefined) continue;
    const part = inner.replace(/^(when\.[a-z]+)\[\d+\]$/, "$1");
    const faults = placed[rule.key] ?? {};
    faults[part] ??= text;
    placed[rule.key] = faults;
  }
  return placed;
}

/**
 * Finds errors that the form can detect itself, by path of the request body: invalid JSON, and a parameter that is
 * tested twice.
 */
export function findRuleFaults(rules: readonly RuleDraft[]): Faults {
  const faults = rules.map((rule, index) => {
    const [path, text] = findRuleFault(rule) ?? [];
    return text === undefined ? {} : { [`routing_rules[${index}]${path}`]: text };
  });
  return Object.assign({}, ...faults);
}

function findRuleFault(rule: RuleDraft): [path: string, text: string] | null {
  if (rule.kind === "json") {
    const parsed = parseRule(rule.text);
    return "fault" in parsed ? ["", parsed.fault] : null;
  }
  const names = rule.conditions.flatMap((condition) => (condition.field === "query" ? [condition.name] : []));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined
    ? null
    : [`.when.query.${twice}`, "This parameter is listed twice. Combine its values into one condition."];
}

/** Returns the first error at one of the paths or below it. */
export function findFault(faults: RuleFaults, ...paths: readonly string[]): string | undefined {
  const isAt = (path: string, wanted: string) =>
    path === wanted || path.startsWith(`${wanted}.`) || path.startsWith(`${wanted}[`);
  return Object.entries(faults).find(([path]) => paths.some((wanted) => isAt(path, wanted)))?.[1];
}

/** Joins all errors of a rule into one text. */
export function formatFaults(faults: RuleFaults): string | undefined {
  const lines = Object.entries(faults).map(([path, text]) => (path === "" ? text : `${path}: ${text}`));
  return lines.length === 0 ? undefined : lines.join(" ");
}
