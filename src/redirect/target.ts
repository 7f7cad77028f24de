import type { Settings } from "../env.ts";
import { findMatchingRule, type RoutingRule, type Visitor } from "../routing/rules.ts";
import { mayRedirect } from "../tenant/own-hosts.ts";

/** Column of `links`: its name in SQL, and the conversion of its stored value. */
interface Column<Stored, Value> {
  sql: string;
  parse(stored: Stored): Value;
}

function plain<Value>(sql: string): Column<Value, Value> {
  return { sql, parse: (value) => value };
}

function flag(sql: string): Column<number, boolean> {
  return { sql, parse: (value) => value === 1 };
}

function json<Value>(sql: string): Column<string, Value> {
  return { sql, parse: (value) => JSON.parse(value) };
}

/**
 * Columns of `links` that redirects need. The query, the conversion of its row, the cached target and the write-through
 * of a changed link derive from this list.
 */
export const TARGET_COLUMNS = {
  id: plain<string>("id"),
  workspaceId: plain<string>("workspace_id"),
  shortCode: plain<string>("short_code"),
  isCustom: flag("is_custom"),
  destination: plain<string>("destination"),
  routingRules: json<RoutingRule[]>("routing_rules"),
  enabled: flag("enabled"),
  expiresAt: plain<number | null>("expires_at"),
  updatedAt: plain<number>("updated_at"),
};

type ColumnName = keyof typeof TARGET_COLUMNS;

/** Values of {@link TARGET_COLUMNS}. */
export type TargetColumns = { [Name in ColumnName]: ReturnType<(typeof TARGET_COLUMNS)[Name]["parse"]> };

/** Link prepared for redirects. An address is null if it may redirect, perhaps back to the link. */
export interface Target extends Omit<TargetColumns, "destination"> {
  address: string | null;
  ruleAddresses: (string | null)[];
}

/** Prepares a link for redirects. `ownHosts` are those of its hosts that workspaces of this deployment added. */
export function buildTarget(link: TargetColumns, ownHosts: readonly string[], settings: Settings): Target {
  const domains = new Set(ownHosts);
  const toAddress = (destination: string) => {
    const url = new URL(destination);
    return mayRedirect(settings, domains, url) ? null : url.href;
  };
  const { destination, ...columns } = pickColumns(link);
  return {
    ...columns,
    address: toAddress(destination),
    ruleAddresses: columns.routingRules.map((rule) => toAddress(rule.destination)),
  };
}

/** Copies the target columns of a link. The caches must not hold the other columns of a stored link. */
function pickColumns(link: TargetColumns): TargetColumns {
  const names = Object.keys(TARGET_COLUMNS) as ColumnName[];
  return Object.fromEntries(names.map((name) => [name, link[name]])) as unknown as TargetColumns;
}

/** Destination of a visitor and the rule that chose it, or the reason for no redirect. */
export type Destination =
  | { status: "found"; address: string; rule: string | null }
  | { status: "gone" }
  | { status: "unknown" };

/** Picks the destination of a visitor who requested `code` at `nowMs`. */
export function pickDestination(
  target: Target | null,
  code: string,
  visitor: Visitor,
  nowMs: number,
): Destination {
  if (target === null || !(target.isCustom || target.shortCode === code)) return { status: "unknown" };
  if (!target.enabled || (target.expiresAt !== null && target.expiresAt <= nowMs)) return { status: "gone" };
  const { routingRules: rules } = target;
  const index = rules.length === 0 ? -1 : findMatchingRule(rules, visitor, target.id, nowMs);
  const address = index === -1 ? target.address : (target.ruleAddresses[index] ?? null);
  if (address === null) return { status: "unknown" };
  return { status: "found", address, rule: nameRule(rules, index) };
}

/** Returns the name of a rule, or its number from 1 (`#1`); null if no rule matched. */
function nameRule(rules: readonly RoutingRule[], index: number): string | null {
  return index === -1 ? null : (rules[index]?.name ?? `#${index + 1}`);
}
