import { forwardQuery } from "../routing/forward-query.ts";
import { findMatchingRule, pickShare, type RoutingRule, saltRule, type Visitor } from "../routing/rules.ts";
import type { Target } from "./target.ts";

/**
 * What a visitor of a short address gets:
 * - `found`: the redirect that is a scan. `address` is the destination, `location` the same with the visitor's query.
 * - `early`: the redirect of a link that has not started yet.
 * - `expired`: the redirect of a link that has expired or is disabled. `gone` if it has no address for that.
 * - `blocked`: a rule refuses the visitor.
 * - `unknown`: there is no link for the visitor.
 */
export type Outcome =
  | { status: "found"; address: string; location: string; rule: string | null }
  | { status: "early"; location: string }
  | { status: "expired"; location: string }
  | { status: "gone" }
  | { status: "blocked"; rule: string }
  | { status: "unknown" };

const UNKNOWN: Outcome = { status: "unknown" };

/** HTTP status of each outcome. */
export const OUTCOME_STATUS = {
  found: 302,
  early: 302,
  expired: 302,
  gone: 410,
  blocked: 451,
  unknown: 404,
} as const satisfies Record<Outcome["status"], number>;

/**
 * Decides what a visitor who requested `code` at `nowMs` gets. Redirects and the operation that explains them both call
 * it. That a link is disabled counts first, then its start, its end, and its rules.
 */
export function decideOutcome(target: Target | null, code: string, visitor: Visitor, nowMs: number): Outcome {
  if (target === null || !(target.isCustom || target.shortCode === code)) return UNKNOWN;
  const { options, enabled, expiresAt } = target;
  if (!enabled) return endLink(target);
  if (options !== null && options.startsAt !== null && nowMs < options.startsAt) {
    return options.earlyAddress === null ? UNKNOWN : { status: "early", location: options.earlyAddress };
  }
  if (expiresAt !== null && expiresAt <= nowMs) return endLink(target);
  return applyRules(target, visitor, nowMs);
}

/** Returns the outcome of a link that leads nowhere any more. */
function endLink({ options }: Target): Outcome {
  const location = options?.expiredAddress ?? null;
  return location === null ? { status: "gone" } : { status: "expired", location };
}

/** Returns the outcome of the first rule that matches, or that of the link's own destination. */
function applyRules(target: Target, visitor: Visitor, nowMs: number): Outcome {
  const { routingRules: rules, id, address, ruleAddresses, options } = target;
  const index = rules.length === 0 ? -1 : findMatchingRule(rules, visitor, id, nowMs);
  const rule = rules[index];
  if (rule === undefined) return redirectTo(address, null, visitor, options);
  if (rule.block) return { status: "blocked", rule: nameRule(rule, index) };
  const addresses = ruleAddresses[index] ?? null;
  if (rule.split === undefined || !Array.isArray(addresses)) {
    return redirectTo(addresses as string | null, nameRule(rule, index), visitor, options);
  }
  const share = pickShare(rule.split, visitor, saltRule(id, index));
  const name = rule.split[share]?.name ?? `${nameRule(rule, index)}/${share + 1}`;
  return redirectTo(addresses[share] ?? null, name, visitor, options);
}

function redirectTo(
  address: string | null,
  rule: string | null,
  { search }: Visitor,
  options: Target["options"],
): Outcome {
  if (address === null) return UNKNOWN;
  const location = options?.forwardQuery ? forwardQuery(address, search) : address;
  return { status: "found", address, location, rule };
}

/** Returns the name of a rule, or its number from 1 (`#1`). */
export function nameRule({ name }: Pick<RoutingRule, "name">, index: number): string {
  return name ?? `#${index + 1}`;
}
