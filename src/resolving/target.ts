// Pure: no I/O, clock or randomness.
import { readPasswordSalt } from "../core/password-hash.ts";
import type { Settings } from "../env.ts";
import type { PreviewTexts } from "../pages/preview-document.ts";
import { listDestinations, type RoutingRule } from "../routing/rules.ts";
import { findBlockedName } from "../safety/host-names.ts";
import { mayRedirect } from "../tenant/own-hosts.ts";

/** Column of `links`: its SQL name and the conversion of its stored value. */
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

function jsonOrNull<Value>(sql: string): Column<string | null, Value | null> {
  return { sql, parse: (value) => (value === null ? null : JSON.parse(value)) };
}

/**
 * Columns of `links` that redirects need. The query, the conversion of its row, the cached target and the
 * write-through of changed links all derive from this list.
 */
export const TARGET_COLUMNS = {
  id: plain<string>("id"),
  workspaceId: plain<string>("workspace_id"),
  shortCode: plain<string>("short_code"),
  destination: plain<string>("destination"),
  routingRules: json<RoutingRule[]>("routing_rules"),
  enabled: flag("enabled"),
  expiresAt: plain<number | null>("expires_at"),
  startsAt: plain<number | null>("starts_at"),
  earlyUrl: plain<string | null>("early_url"),
  expiredUrl: plain<string | null>("expired_url"),
  forwardQuery: flag("forward_query"),
  maxScans: plain<number | null>("max_scans"),
  scanCount: plain<number>("scan_count"),
  passwordHash: plain<string | null>("password_hash"),
  preview: jsonOrNull<PreviewTexts>("preview"),
  confirm: flag("confirm"),
  bannedAt: plain<number | null>("banned_at"),
  updatedAt: plain<number>("updated_at"),
};

type ColumnName = keyof typeof TARGET_COLUMNS;

/** Values of {@link TARGET_COLUMNS}. */
export type TargetColumns = { [Name in ColumnName]: ReturnType<(typeof TARGET_COLUMNS)[Name]["parse"]> };

/** URL to redirect to: null if it may redirect again, perhaps back to the link, and false if its host is blocked. */
export type Address = string | null | false;

/** Settings that few links have. */
export interface TargetOptions {
  /** Start of the link in Unix milliseconds. Before it, visitors get `earlyAddress` or an error page. */
  startsAt: number | null;
  earlyAddress: Address;
  expiredAddress: Address;
  forwardQuery: boolean;
}

/** Checks between a visitor and the destination. Few links have any. */
export interface TargetGuards {
  maxScans: number | null;
  /** Number of scans by people that had been counted when the link was read. */
  scansCounted: number;
  /** Random text that changes with each password; null without a password. Caches never contain the hash. */
  passwordVersion: string | null;
  preview: PreviewTexts | null;
  /** True if every visitor but preview fetchers has to press a button. Missing in older cache entries. */
  confirm?: boolean;
}

type OptionColumn = "startsAt" | "earlyUrl" | "expiredUrl" | "forwardQuery";
type GuardColumn = "maxScans" | "scanCount" | "passwordHash" | "preview" | "confirm";

/** Link prepared for redirects. */
export interface Target extends Omit<TargetColumns, "destination" | OptionColumn | GuardColumn> {
  address: Address;
  /** Destination of each rule: a list for a split, null for a rule that blocks. */
  ruleAddresses: (Address | Address[])[];
  /** Null if the link has no options, so that most cache entries stay small. */
  options: TargetOptions | null;
  /** Null if the link has no guards, so that most visits skip the guard code. */
  guards: TargetGuards | null;
  /** Former short code, if the entry's paths are forms of it and not of the short code. */
  formerCode?: string;
}

/** Stands for every link of a suspended workspace. */
export const SUSPENDED: Target = {
  id: "",
  workspaceId: "",
  shortCode: "",
  routingRules: [],
  enabled: true,
  expiresAt: null,
  bannedAt: 0,
  updatedAt: 0,
  address: null,
  ruleAddresses: [],
  options: null,
  guards: null,
};

/** Links whose paths differ only in case, where at least one path is an alias. */
export interface CaseVariants {
  /** Links by their aliases, which match exactly. */
  exact: Record<string, Target>;
  /** Link with the short code or former short code, which match in any case. */
  anyCase: Target | null;
}

/** Cached for all paths that differ only in case. Nearly always, they belong to one link without aliases. */
export type TargetEntry = Target | CaseVariants;

function hasVariants(entry: TargetEntry): entry is CaseVariants {
  return (entry as CaseVariants).exact !== undefined;
}

/** Returns the link with a path, which has the entry's letters in any case. */
export function pickTarget(entry: TargetEntry, path: string): Target | null {
  if (!hasVariants(entry)) return entry;
  return (Object.hasOwn(entry.exact, path) ? entry.exact[path] : entry.anyCase) ?? null;
}

/** Lists the links of an entry. A link with several paths may occur more than once. */
export function listTargets(entry: TargetEntry): Target[] {
  if (!hasVariants(entry)) return [entry];
  const targets = Object.values(entry.exact);
  return entry.anyCase === null ? targets : [...targets, entry.anyCase];
}

/**
 * Prepares a link for redirects. `ownHosts` lists the hosts among its destinations that workspaces have
 * added, and `blockedNames` the names that block destinations.
 */
export function buildTarget(
  link: TargetColumns,
  ownHosts: readonly string[],
  blockedNames: ReadonlySet<string>,
  settings: Settings,
): Target {
  const domains = new Set(ownHosts);
  const toAddress = (destination: string): Address => {
    const url = new URL(destination);
    if (findBlockedName(blockedNames, url) !== undefined) return false;
    return mayRedirect(settings, domains, url) ? null : url.href;
  };
  const toRuleAddress = ({ destination, split }: RoutingRule) => {
    if (split !== undefined) return split.map((share) => toAddress(share.destination));
    return destination === undefined ? null : toAddress(destination);
  };
  const { destination, startsAt, earlyUrl, expiredUrl, forwardQuery, ...others } = pickColumns(link);
  const { maxScans, scanCount, passwordHash, preview, confirm, ...columns } = others;
  const hasOptions = startsAt !== null || expiredUrl !== null || forwardQuery;
  const hasGuards = maxScans !== null || passwordHash !== null || preview !== null || confirm;
  return {
    ...columns,
    address: toAddress(destination),
    ruleAddresses: columns.routingRules.map(toRuleAddress),
    options: hasOptions
      ? {
          startsAt,
          earlyAddress: earlyUrl && toAddress(earlyUrl),
          expiredAddress: expiredUrl && toAddress(expiredUrl),
          forwardQuery,
        }
      : null,
    guards: hasGuards
      ? {
          maxScans,
          scansCounted: scanCount,
          passwordVersion: passwordHash && readPasswordSalt(passwordHash),
          preview,
          confirm,
        }
      : null,
  };
}

/** Lists all URLs that a link can redirect to. */
export function listTargetUrls({ destination, routingRules, earlyUrl, expiredUrl }: TargetColumns): string[] {
  const others = [earlyUrl, expiredUrl].filter((url) => url !== null);
  return [destination, ...routingRules.flatMap(listDestinations), ...others];
}

/** Copies the target columns of a link. Caches must not contain other columns of a stored link. */
function pickColumns(link: TargetColumns): TargetColumns {
  const names = Object.keys(TARGET_COLUMNS) as ColumnName[];
  return Object.fromEntries(names.map((name) => [name, link[name]])) as unknown as TargetColumns;
}
