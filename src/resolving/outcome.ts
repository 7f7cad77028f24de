// Pure: no I/O, clock or randomness.
import type { PreviewTexts } from "../pages/preview-document.ts";
import { forwardQuery } from "../routing/forward-query.ts";
import { findMatchingRule, pickShare, type RoutingRule, saltRule, type Visitor } from "../routing/rules.ts";
import type { TrafficClass } from "../scans/traffic.ts";
import type { Address, Target, TargetGuards } from "./target.ts";

/**
 * Outcome of a visit to a short URL:
 * - `found`: redirect that counts as a scan. `address` is the destination, `location` also has the visitor's
 *   query.
 * - `early`: redirect of a link that hasn't started yet.
 * - `expired`: redirect of a link that has expired, is disabled or has no scans left. The outcome is `gone`
 *   if the link has no URL for that case.
 * - `preview`: page with the texts of the link's preview.
 * - `password`: form for the password.
 * - `held`: page shown to programs, which would otherwise use up one of the link's scans.
 * - `confirm`: page with a button that opens the link, shown to visitors who may be programs.
 * - `blocked`: a rule blocks the visitor.
 * - `banned`: an administrator has banned the link, suspended its workspace or blocked the destination.
 * - `unknown`: no link exists for the visitor.
 */
export type Outcome = OpenOutcome | GuardOutcome;

/** Outcomes that are possible for all links. */
export type OpenOutcome =
  | { status: "found"; address: string; location: string; rule: string | null }
  | { status: "early"; location: string }
  | { status: "expired"; location: string }
  | { status: "gone" }
  | { status: "blocked"; rule: string }
  | { status: "banned" }
  | { status: "unknown" };

/** Outcomes of visitors who are stopped by a link's guards. */
export type GuardOutcome =
  | { status: "preview"; preview: PreviewTexts }
  | { status: "password" }
  | { status: "held" }
  | { status: "confirm" };

const UNKNOWN: OpenOutcome = { status: "unknown" };
const BANNED: OpenOutcome = { status: "banned" };

/** HTTP status of each outcome. */
export const OUTCOME_STATUS = {
  found: 302,
  early: 302,
  expired: 302,
  gone: 410,
  preview: 200,
  password: 200,
  held: 200,
  confirm: 200,
  blocked: 451,
  banned: 451,
  unknown: 404,
} as const satisfies Record<Outcome["status"], number>;

/** Facts of a visit that only links with guards need. */
export interface Access {
  traffic: TrafficClass;
  /** True for the user agent of a known browser. */
  isBrowser: boolean;
  /** True for requests that only check what a GET would return, such as HEAD. */
  isProbe: boolean;
  /** True if the visitor has entered the link's password. */
  hasPassword: boolean;
  /** True if the visitor has sent a form: pressed the button, or entered the password. */
  hasConfirmed: boolean;
  /** True if the link has no scans left. */
  isUsedUp: boolean;
}

/** Access of a person with a browser who hasn't entered a password or pressed the button. */
export const PERSON: Access = {
  traffic: "human",
  isBrowser: true,
  isProbe: false,
  hasPassword: false,
  hasConfirmed: false,
  isUsedUp: false,
};

/**
 * Decides what a visitor of a link gets at `nowMs`. Used by redirects and by the operation that explains them. Checks
 * in this order: ban, disabled, start, expiry, preview, password, rules, confirmation, scan limit. Without `access`,
 * ignores the guards, because the link has none or they were passed.
 */
export function decideOutcome(target: Target | null, visitor: Visitor, nowMs: number): OpenOutcome;
export function decideOutcome(
  target: Target | null,
  visitor: Visitor,
  nowMs: number,
  access: Access,
): Outcome;
export function decideOutcome(
  target: Target | null,
  visitor: Visitor,
  nowMs: number,
  access?: Access,
): Outcome {
  if (target === null) return UNKNOWN;
  const { options, enabled, expiresAt, guards, bannedAt } = target;
  if (bannedAt !== null) return BANNED;
  if (!enabled) return endLink(target);
  if (options !== null && options.startsAt !== null && nowMs < options.startsAt) {
    return redirectElsewhere("early", options.earlyAddress) ?? UNKNOWN;
  }
  if (expiresAt !== null && expiresAt <= nowMs) return endLink(target);
  const outcome = applyRules(target, visitor, nowMs);
  if (guards === null || access === undefined || outcome.status === "banned") return outcome;
  if (guards.preview !== null && access.traffic === "preview")
    return { status: "preview", preview: guards.preview };
  if (guards.passwordVersion !== null && !access.hasPassword) return { status: "password" };
  return outcome.status === "found" ? passGate(target, guards, outcome, access) : outcome;
}

/**
 * Returns the outcome of a link with guards for a visitor who would be redirected. A link with a scan limit only lets
 * browsers through that aren't scanners. All others have to press a button, and known programs don't get one.
 */
function passGate(target: Target, guards: TargetGuards, outcome: Outcome, access: Access): Outcome {
  const { traffic, isBrowser, isProbe, hasConfirmed, isUsedUp } = access;
  const isLimited = guards.maxScans !== null;
  const isProgram = traffic !== "human" && traffic !== "scanner";
  if (isLimited && (isProbe || isProgram)) return { status: "held" };
  const isAsked = guards.confirm ? traffic !== "preview" : isLimited && !(isBrowser && traffic === "human");
  if (isAsked && !hasConfirmed) return { status: "confirm" };
  return isLimited && isUsedUp ? endLink(target) : outcome;
}

/** Returns the outcome of a link that no longer redirects to its destination. */
function endLink({ options }: Target): OpenOutcome {
  return redirectElsewhere("expired", options?.expiredAddress ?? null) ?? { status: "gone" };
}

/** Returns the outcome of a link that redirects to another URL than its destination, or null without a URL. */
function redirectElsewhere(status: "early" | "expired", location: Address): OpenOutcome | null {
  if (location === false) return BANNED;
  return location === null ? null : { status, location };
}

/** Returns the outcome of the first matching rule, otherwise of the link's own destination. */
function applyRules(target: Target, visitor: Visitor, nowMs: number): OpenOutcome {
  const { routingRules: rules, id, address, ruleAddresses, options } = target;
  const index = rules.length === 0 ? -1 : findMatchingRule(rules, visitor, id, nowMs);
  const rule = rules[index];
  if (rule === undefined) return redirectTo(address, null, visitor, options);
  if (rule.block) return { status: "blocked", rule: nameRule(rule, index) };
  const addresses = ruleAddresses[index] ?? null;
  if (rule.split === undefined || !Array.isArray(addresses)) {
    return redirectTo(addresses as Address, nameRule(rule, index), visitor, options);
  }
  const share = pickShare(rule.split, visitor, saltRule(id, index));
  const name = rule.split[share]?.name ?? `${nameRule(rule, index)}/${share + 1}`;
  return redirectTo(addresses[share] ?? null, name, visitor, options);
}

function redirectTo(
  address: Address,
  rule: string | null,
  { search }: Visitor,
  options: Target["options"],
): OpenOutcome {
  if (address === false) return BANNED;
  if (address === null) return UNKNOWN;
  const location = options?.forwardQuery ? forwardQuery(address, search) : address;
  return { status: "found", address, location, rule };
}

/** Returns a rule's name, or its number (`#1` for the first). */
export function nameRule({ name }: Pick<RoutingRule, "name">, index: number): string {
  return name ?? `#${index + 1}`;
}
