import { formatOwnHostKey, hashChangeKey } from "../change-feed/change-key.ts";
import { estimateHeapBytes } from "../core/heap-size.ts";
import { normalizeHostname } from "../core/hosts.ts";
import { DAY_MS } from "../core/time.ts";
import type { Settings } from "../env.ts";
import type { EntryKind } from "./cached-entry.ts";
import { type ReadResult, WorkspaceMovedError } from "./entry-resolver.ts";
import type { Host } from "./host-read.ts";
import { readCurrent } from "./replica-read.ts";
import { buildTarget, listTargetUrls, TARGET_COLUMNS, type Target, type TargetColumns } from "./target.ts";

/** Heap size of a target without strings and rules. */
const TARGET_BYTES = 240;

export const TARGET_KIND: EntryKind<Target> = {
  lifeMs: DAY_MS,
  estimateBytes: ({ routingRules, ruleAddresses, id, workspaceId, shortCode, address, options, guards }) =>
    TARGET_BYTES +
    estimateHeapBytes([routingRules, ruleAddresses, id, workspaceId, shortCode, address, options, guards]),
  getState: (target) => target,
};

const COLUMNS = Object.entries(TARGET_COLUMNS);

// Raw SQL, because importing Drizzle for one statement would slow down every cold start.
const SELECT_TARGET = `
  SELECT ${COLUMNS.map(([name, { sql }]) => `l.${sql} AS ${name}`).join(", ")},
         (SELECT max(seq) FROM target_changes) AS seq,
         (SELECT json_group_array(o.hostname) FROM own_hosts o
           WHERE o.hostname IN (l.destination_host, l.early_host, l.expired_host)
              OR o.hostname IN (SELECT value FROM json_each(l.rule_hosts))) AS ownHosts
    FROM tenants t
    LEFT JOIN links l ON l.workspace_id = t.id AND l.code_key = ?2
   WHERE t.id = ?1`;

/** Row of {@link SELECT_TARGET}. Undefined if the workspace isn't on the shard. */
type Row = Record<string, never> | undefined;

/**
 * Reads a link's target from the nearest copy of its shard that has seen the change `cursor`. Replicas may
 * lag, so a missing link or a state older than `known` is read again from the primary. Throws a
 * {@link WorkspaceMovedError} if the workspace isn't on the shard, because it has moved or is being erased.
 */
export async function readTarget(
  shard: D1Database,
  settings: Settings,
  { workspaceId, shard: number, prefix }: Host,
  codeKey: string,
  known: Target | null,
  cursor: number,
): Promise<ReadResult<Target>> {
  const parse = ([row]: Row[]) => ({
    isHere: row !== undefined,
    columns: row === undefined || row.id === null ? null : parseRow(row),
    ownHosts: row?.ownHosts,
    seq: (row?.seq as number | null | undefined) ?? 0,
  });
  const isCurrent = ({ columns, seq }: ReturnType<typeof parse>) =>
    columns !== null && seq >= cursor && !contradicts(columns, known);
  const found = await readCurrent(shard, SELECT_TARGET, [workspaceId, codeKey], parse, isCurrent);
  if (!found.isHere) throw new WorkspaceMovedError();
  const { columns, ownHosts, seq } = found;
  if (columns === null) return { value: null, seq, hashes: [] };
  const value = buildTarget(columns, JSON.parse(ownHosts as never), settings);
  const hosts = listHosts(columns).map((hostname) =>
    hashChangeKey(formatOwnHostKey(String(number), hostname)),
  );
  return { value, seq, hashes: [hashChangeKey(prefix + codeKey), ...hosts] };
}

/** Returns true if a state is older than the known state of the code. */
function contradicts(columns: TargetColumns, known: Target | null): boolean {
  return known !== null && (known.id !== columns.id || columns.updatedAt < known.updatedAt);
}

function parseRow(row: Record<string, never>): TargetColumns {
  const values = COLUMNS.map(([name, { parse }]) => [name, parse(row[name] as never)]);
  return Object.fromEntries(values) as TargetColumns;
}

/** Lists the hosts of a link's possible destinations, without duplicates. */
function listHosts(columns: TargetColumns): string[] {
  return [...new Set(listTargetUrls(columns).map((url) => normalizeHostname(new URL(url).hostname)))];
}
