import { normalizeHostname } from "../core/hosts.ts";
import { isOwnHost, isOwnPort, type Settings } from "../env.ts";
import { findMatchingRule, type RoutingRule, type Visitor } from "../routing/rules.ts";

/** The columns of a link that a redirect needs. */
export interface TargetColumns {
  id: string;
  workspaceId: string;
  shortCode: string;
  isCustom: boolean;
  destination: string;
  routingRules: RoutingRule[];
  enabled: boolean;
  expiresAt: number | null;
  updatedAt: number;
}

/** A link made ready to redirect. An address is null where it would lead back to this service. */
export interface Target {
  linkId: string;
  workspaceId: string;
  shortCode: string;
  isCustom: boolean;
  enabled: boolean;
  expiresAt: number | null;
  address: string | null;
  rules: RoutingRule[];
  ruleAddresses: (string | null)[];
  /** Greater in every later state of the link. */
  updatedAt: number;
}

/** Makes a link ready. `ownHosts` are those of its hosts that workspaces of this deployment have. */
export function buildTarget(link: TargetColumns, ownHosts: readonly string[], settings: Settings): Target {
  const addressOf = (destination: string) => foreignAddress(destination, ownHosts, settings);
  return {
    linkId: link.id,
    workspaceId: link.workspaceId,
    shortCode: link.shortCode,
    isCustom: link.isCustom,
    enabled: link.enabled,
    expiresAt: link.expiresAt,
    address: addressOf(link.destination),
    rules: link.routingRules,
    ruleAddresses: link.routingRules.map((rule) => addressOf(rule.destination)),
    updatedAt: link.updatedAt,
  };
}

function foreignAddress(destination: string, ownHosts: readonly string[], settings: Settings): string | null {
  const url = new URL(destination);
  const isOwn =
    isOwnHost(settings, url) ||
    (isOwnPort(settings, url) && ownHosts.includes(normalizeHostname(url.hostname)));
  return isOwn ? null : url.href;
}

/** Where a visitor is sent, and by which rule; or why nowhere. */
export type Destination =
  | { status: "found"; address: string; rule: string | null }
  | { status: "gone" }
  | { status: "unknown" };

/** Picks the destination for a visitor who asked for `code`, at `nowMs`. Pure. */
export function pickDestination(
  target: Target | null,
  code: string,
  visitor: Visitor,
  nowMs: number,
): Destination {
  if (target === null || !(target.isCustom || target.shortCode === code)) return { status: "unknown" };
  if (!target.enabled || (target.expiresAt !== null && target.expiresAt <= nowMs)) return { status: "gone" };
  const index =
    target.rules.length === 0 ? -1 : findMatchingRule(target.rules, visitor, target.linkId, nowMs);
  const address = index === -1 ? target.address : (target.ruleAddresses[index] ?? null);
  if (address === null) return { status: "unknown" };
  return { status: "found", address, rule: ruleName(target.rules, index) };
}

/** A rule's name, or its place among the rules, counted from 1. */
function ruleName(rules: readonly RoutingRule[], index: number): string | null {
  return index === -1 ? null : (rules[index]?.name ?? `#${index + 1}`);
}
