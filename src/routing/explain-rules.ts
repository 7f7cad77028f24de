import { toIso } from "../core/time.ts";
import {
  type Condition,
  findFailedCondition,
  numberInSplit,
  type RoutingRule,
  saltRule,
  type Visitor,
} from "./rules.ts";

/** Explains why a rule matches a visitor or not. */
export interface RuleExplanation {
  /** First condition that the visitor doesn't meet, in evaluation order. Null if the rule matches. */
  failed: Condition | null;
  /** Visitor's value that the failed condition was compared with. Null if unknown. */
  seen: string | null;
}

/**
 * Explains all rules for a visitor, including rules after the first match. Uses the same functions as
 * redirects.
 */
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

/** Returns the visitor's value that a condition was compared with. */
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

/** Returns the given parameters as a query string, or null if there are none. */
function readParameters(names: readonly string[], query: URLSearchParams): string | null {
  const wanted = new Set(names);
  return new URLSearchParams([...query].filter(([name]) => wanted.has(name))).toString() || null;
}
