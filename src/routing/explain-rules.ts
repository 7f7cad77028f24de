import { toIso } from "../core/time.ts";
import {
  type Condition,
  findFailedCondition,
  numberInSplit,
  type RoutingRule,
  saltRule,
  type Visitor,
} from "./rules.ts";

/** Reason for which a rule matches a visitor or not. */
export interface RuleExplanation {
  /** First condition that the visitor does not meet, in the order in which they are tried; null if the rule matches. */
  failed: Condition | null;
  /** Value of the visitor that the condition was compared with; null if it is not known. */
  seen: string | null;
}

/** Explains each rule for a visitor, also those after the first that matches. Calls what redirects call. */
export function explainRules(
  rules: readonly RoutingRule[],
  visitor: Visitor,
  linkId: string,
  nowMs: number,
): RuleExplanation[] {
  return rules.map((rule, index) => {
    const salt = saltRule(linkId, index);
    const failed = findFailedCondition(rule, visitor, salt, nowMs);
    return { failed, seen: failed && readSeen(failed, rule, visitor, salt, nowMs) };
  });
}

/** Returns what a condition was compared with. */
function readSeen(
  condition: Condition,
  { when }: RoutingRule,
  visitor: Visitor,
  salt: string,
  nowMs: number,
): string | null {
  switch (condition) {
    case "language":
      return visitor.languages.join(", ") || null;
    case "query":
      return readParameters(Object.keys(when.query ?? {}), visitor.query);
    case "after":
    case "before":
      return toIso(nowMs);
    case "percent":
      return String(visitor.share(salt));
    case "split":
      return String(numberInSplit(visitor, salt));
    default:
      return visitor[condition];
  }
}

/** Returns the parameters with one of the names, in the form of a query; null without any. */
function readParameters(names: readonly string[], query: URLSearchParams): string | null {
  const wanted = new Set(names);
  return new URLSearchParams([...query].filter(([name]) => wanted.has(name))).toString() || null;
}
