import type { PreviewTexts } from "../pages/preview-document.ts";
import { forwardQuery } from "../routing/forward-query.ts";
import { findMatchingRule, pickShare, type RoutingRule, saltRule, type Visitor } from "../routing/rules.ts";
import type { TrafficClass } from "../scans/traffic.ts";
import type { Target } from "./target.ts";

/**
 * Outcome of a visit of a short address:
 * - `found`: the redirect that is a scan. `address` is the destination, `location` the same with the visitor's query.
 * - `early`: the redirect of a link that has not started yet.
 * - `expired`: the redirect of a link that has expired, is disabled or has no scans left. `gone` if it has no address for that.
 * - `preview`: the texts that stand for the link in a preview of it.
 * - `password`: the form for the password.
 * - `held`: the page that says to open the link in a browser, because a program would use up one of its scans.
 * - `blocked`: a rule refuses the visitor.
 * - `unknown`: there is no link for the visitor.
 */
export type Outcome = OpenOutcome | GuardOutcome;

/** Outcome that every link can have. */
export type OpenOutcome =
  | { status: "found"; address: string; location: string; rule: string | null }
  | { status: "early"; location: string }
  | { status: "expired"; location: string }
  | { status: "gone" }
  | { status: "blocked"; rule: string }
  | { status: "unknown" };

/** Outcome of a link with guards for a visitor who does not pass them. */
export type GuardOutcome =
  | { status: "preview"; preview: PreviewTexts }
  | { status: "password" }
  | { status: "held" };

const UNKNOWN: OpenOutcome = { status: "unknown" };

/** HTTP status of each outcome. */
export const OUTCOME_STATUS = {
  found: 302,
  early: 302,
  expired: 302,
  gone: 410,
  preview: 200,
  password: 200,
  held: 200,
  blocked: 451,
  unknown: 404,
} as const satisfies Record<Outcome["status"], number>;

/** Facts of a visit that only links with guards ask for. */
export interface Access {
  traffic: TrafficClass;
  /** True for a request that wants to know what a GET would return, such as HEAD. */
  isProbe: boolean;
  /** True if the visitor knows the password of the link. */
  hasPassword: boolean;
  /** True if no scan is left of the link. */
  isUsedUp: boolean;
}

/** Access of a person who knows no password. */
export const PERSON: Access = { traffic: "human", isProbe: false, hasPassword: false, isUsedUp: false };

/**
 * Decides what a visitor who requested `code` at `nowMs` gets. Redirects and the operation that explains them both call
 * it. That a link is disabled counts first, then its start, its end, its preview, its password, its rules, and its limit.
 * Without `access`, the guards of the link do not count: it has none, or they are passed.
 */
export function decideOutcome(
  target: Target | null,
  code: string,
  visitor: Visitor,
  nowMs: number,
): OpenOutcome;
export function decideOutcome(
  target: Target | null,
  code: string,
  visitor: Visitor,
  nowMs: number,
  access: Access,
): Outcome;
export function decideOutcome(
  target: Target | null,
  code: string,
  visitor: Visitor,
  nowMs: number,
  access?: Access,
): Outcome {
  if (target === null || !(target.isCustom || target.shortCode === code)) return UNKNOWN;
  const { options, enabled, expiresAt, guards } = target;
  if (!enabled) return endLink(target);
  if (options !== null && options.startsAt !== null && nowMs < options.startsAt) {
    return options.earlyAddress === null ? UNKNOWN : { status: "early", location: options.earlyAddress };
  }
  if (expiresAt !== null && expiresAt <= nowMs) return endLink(target);
  if (guards === null || access === undefined) return applyRules(target, visitor, nowMs);
  if (guards.preview !== null && access.traffic === "preview")
    return { status: "preview", preview: guards.preview };
  if (guards.passwordVersion !== null && !access.hasPassword) return { status: "password" };
  const outcome = applyRules(target, visitor, nowMs);
  return outcome.status === "found" && guards.maxScans !== null ? limit(target, outcome, access) : outcome;
}

/** Returns the outcome of a link with a limit for a visitor who would be redirected. */
function limit(target: Target, outcome: Outcome, { isProbe, traffic, isUsedUp }: Access): Outcome {
  if (isProbe || traffic !== "human") return { status: "held" };
  return isUsedUp ? endLink(target) : outcome;
}

/** Returns the outcome of a link that leads nowhere any more. */
function endLink({ options }: Target): OpenOutcome {
  const location = options?.expiredAddress ?? null;
  return location === null ? { status: "gone" } : { status: "expired", location };
}

/** Returns the outcome of the first rule that matches, or that of the link's own destination. */
function applyRules(target: Target, visitor: Visitor, nowMs: number): OpenOutcome {
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
): OpenOutcome {
  if (address === null) return UNKNOWN;
  const location = options?.forwardQuery ? forwardQuery(address, search) : address;
  return { status: "found", address, location, rule };
}

/** Returns the name of a rule, or its number from 1 (`#1`). */
export function nameRule({ name }: Pick<RoutingRule, "name">, index: number): string {
  return name ?? `#${index + 1}`;
}
