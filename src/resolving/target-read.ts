import { formatOwnHostKey, hashChangeKey } from "../change-feed/change-key.ts";
import { estimateHeapBytes } from "../core/heap-size.ts";
import { DAY_MS } from "../core/time.ts";
import type { Settings } from "../env.ts";
import { listHostNames, selectBlockedNames } from "../safety/host-names.ts";
import type { EntryKind } from "./cached-entry.ts";
import { type ReadResult, WorkspaceMovedError } from "./entry-resolver.ts";
import type { Host } from "./host-read.ts";
import { readCurrent } from "./replica-read.ts";
import {
  buildTarget,
  listTargets,
  listTargetUrls,
  TARGET_COLUMNS,
  type Target,
  type TargetColumns,
  type TargetEntry,
} from "./target.ts";

/** Heap size of a target without strings and rules. */
const TARGET_BYTES = 240;

export const TARGET_KIND: EntryKind<TargetEntry> = {
  lifeMs: DAY_MS,
  estimateBytes: (entry) => listTargets(entry).reduce((bytes, target) => bytes + estimateBytes(target), 0),
  // Links with variants have no common version, so the time of the read decides.
  getState: (entry) => ("exact" in entry ? null : entry),
};

function estimateBytes(target: Target): number {
  const { routingRules, ruleAddresses, id, workspaceId, shortCode, formerCode, address, options, guards } =
    target;
  const texts = [id, workspaceId, shortCode, formerCode ?? "", address];
  return TARGET_BYTES + estimateHeapBytes([routingRules, ruleAddresses, texts, options, guards]);
}

const COLUMNS = Object.entries(TARGET_COLUMNS);

// Raw SQL, because importing Drizzle for one statement would slow down every cold start.
/** Selects the links of each key of a JSON array, as one row per link, or one without a link. */
const SELECT_TARGETS = `
  SELECT k.value AS codeKey, ${COLUMNS.map(([name, { sql }]) => `l.${sql} AS ${name}`).join(", ")},
         l.code_key AS ownKey,
         (SELECT max(seq) FROM target_changes) AS seq,
         (SELECT json_group_array(json_array(a.path, a.is_former_code)) FROM link_aliases a
           WHERE a.workspace_id = ?1 AND a.code_key = k.value AND a.link_id = l.id) AS aliases,
         (SELECT json_group_array(o.hostname) FROM own_hosts o
           WHERE o.hostname IN (l.destination_host, l.early_host, l.expired_host)
              OR o.hostname IN (SELECT value FROM json_each(l.rule_hosts))) AS ownHosts,
         ${selectBlockedNames(`SELECT value AS name FROM json_each(
           json_insert(l.rule_hosts, '$[#]', l.destination_host, '$[#]', l.early_host, '$[#]', l.expired_host))`)} AS blockedNames
    FROM tenants t
    JOIN json_each(?2) k
    LEFT JOIN links l ON l.rowid IN (
      SELECT rowid FROM links WHERE workspace_id = ?1 AND code_key = k.value
       UNION ALL
      SELECT linked.rowid FROM link_aliases a JOIN links linked ON linked.id = a.link_id
       WHERE a.workspace_id = ?1 AND a.code_key = k.value)
   WHERE t.id = ?1`;

/** Row of {@link SELECT_TARGETS}. The other columns are undefined. */
interface Row {
  [column: string]: unknown;
  codeKey: string;
  ownKey: string;
  aliases: string;
  ownHosts: string;
  blockedNames: string;
}

/** Link that has paths with a key. */
interface KeyedLink {
  columns: TargetColumns;
  ownHosts: string[];
  blockedNames: ReadonlySet<string>;
  /** Key of the link's short code. */
  ownKey: string;
  /** Aliases with the key, and whether each is a former short code. */
  aliases: [path: string, isFormerCode: 0 | 1][];
}

/**
 * Reads the links whose short code or aliases have a key, from the nearest copy of their shard that has seen
 * the change `cursor`. Replicas may lag, so a missing link or a state older than `known` is read again from
 * the primary. Throws a {@link WorkspaceMovedError} if the workspace isn't on the shard, because it has moved
 * or is being erased.
 */
export async function readTarget(
  shard: D1Database,
  settings: Settings,
  { workspaceId, shard: number, prefix }: Host,
  codeKey: string,
  known: TargetEntry | null,
  cursor: number,
): Promise<ReadResult<TargetEntry>> {
  const parse = (rows: Row[]) => ({
    isHere: rows.length > 0,
    found: rows.flatMap(parseRow),
    seq: (rows[0]?.seq as number | null | undefined) ?? 0,
  });
  const isCurrent = ({ found, seq }: ReturnType<typeof parse>) =>
    found.length > 0 && seq >= cursor && !contradicts(found, known);
  const values = [workspaceId, JSON.stringify([codeKey])];
  const { isHere, found, seq } = await readCurrent(shard, SELECT_TARGETS, values, parse, isCurrent);
  if (!isHere) throw new WorkspaceMovedError();
  const value = buildEntry(codeKey, found, settings);
  if (value === null) return { value, seq, hashes: [] };
  const keys = new Set([codeKey, ...found.map(({ ownKey }) => ownKey)]);
  const names = new Set(found.flatMap(({ columns }) => listNames(columns)));
  const hashes = [
    ...[...keys].map((key) => prefix + key),
    ...[...names].map((name) => formatOwnHostKey(String(number), name)),
  ].map(hashChangeKey);
  return { value, seq, hashes };
}

/** Reads the current entries of some keys from the primary. */
export async function readEntries(
  shard: D1Database,
  settings: Settings,
  workspaceId: string,
  codeKeys: readonly string[],
): Promise<Map<string, TargetEntry | null>> {
  const { results } = await shard
    .prepare(SELECT_TARGETS)
    .bind(workspaceId, JSON.stringify(codeKeys))
    .all<Row>();
  const byKey = Map.groupBy(results, ({ codeKey }) => codeKey);
  return new Map(
    [...byKey].map(([codeKey, rows]) => [codeKey, buildEntry(codeKey, rows.flatMap(parseRow), settings)]),
  );
}

/** Builds the entry of a key from its links, or returns null if there are none. */
function buildEntry(codeKey: string, found: readonly KeyedLink[], settings: Settings): TargetEntry | null {
  const exact: [path: string, target: Target][] = [];
  let anyCase: Target | null = null;
  for (const { columns, ownHosts, blockedNames, ownKey, aliases } of found) {
    const target = buildTarget(columns, ownHosts, blockedNames, settings);
    if (ownKey === codeKey) anyCase = target;
    for (const [path, isFormerCode] of aliases) {
      if (isFormerCode === 1) anyCase = { ...target, formerCode: path };
      else exact.push([path, target]);
    }
  }
  return exact.length === 0 ? anyCase : { exact: Object.fromEntries(exact), anyCase };
}

/** Returns true if a known link is missing or newer than the link found. */
function contradicts(found: readonly KeyedLink[], known: TargetEntry | null): boolean {
  if (known === null) return false;
  const states = new Map(found.map(({ columns }) => [columns.id, columns.updatedAt]));
  return listTargets(known).some(({ id, updatedAt }) => (states.get(id) ?? -1) < updatedAt);
}

function parseRow({ ownKey, ownHosts, blockedNames, aliases, ...row }: Row): KeyedLink[] {
  if (row.id === null) return [];
  const values = COLUMNS.map(([name, { parse }]) => [name, parse(row[name] as never)]);
  const columns = Object.fromEntries(values) as TargetColumns;
  return [
    {
      columns,
      ownKey,
      ownHosts: JSON.parse(ownHosts),
      blockedNames: new Set(JSON.parse(blockedNames)),
      aliases: JSON.parse(aliases),
    },
  ];
}

/** Lists the hosts of a link's possible destinations and the names above them, which may be blocked. */
function listNames(columns: TargetColumns): string[] {
  return listTargetUrls(columns).flatMap((url) => listHostNames(new URL(url)));
}
