import { estimateTextBytes } from "../core/heap-size.ts";
import { DAY_MS, HOUR_MS } from "../core/time.ts";
import type { EntryKind } from "./cached-entry.ts";
import { formatHostKey, formatLinkPrefix, hashKey } from "./change-key.ts";
import type { Found } from "./entry-resolver.ts";
import { readCurrent } from "./replica-read.ts";

/** Workspace that a host belongs to, and where its links are. */
export interface Host {
  workspaceId: string;
  shard: number;
  /** Beginning of the keys of its links. */
  prefix: string;
}

/**
 * Hosts change seldom, and each data centre has each of them: they live longer than links. That the workspace is still on
 * the shard is told by each read of a link there.
 */
export const HOST_KIND: EntryKind<Host> = {
  ageMs: HOUR_MS,
  lifeMs: 14 * DAY_MS,
  estimateBytes: ({ workspaceId, prefix }) =>
    200 + estimateTextBytes(workspaceId) + estimateTextBytes(prefix),
  getState: () => null,
};

// Raw SQL: importing Drizzle would add its scripts to every cold start, for one statement.
const SELECT_HOST = `
  SELECT w.id AS workspaceId, w.shard, (SELECT max(seq) FROM host_changes) AS seq
    FROM (SELECT ?1 AS hostname) asked
    LEFT JOIN domains d ON d.hostname = asked.hostname
    LEFT JOIN workspaces w ON w.id = d.workspace_id`;

interface Row {
  workspaceId: string | null;
  shard: number;
  seq: number | null;
}

/**
 * Reads the host of a short address from the nearest copy of the directory that knows the change `cursor`, or from the
 * primary if `isPrimaryOnly`.
 */
export function readHost(
  directory: D1Database,
  hostname: string,
  cursor: number,
  isPrimaryOnly = false,
): Promise<Found<Host>> {
  const hashes = [hashKey(formatHostKey(hostname))];
  const parse = ([row]: Row[]): Found<Host> => {
    const seq = row?.seq ?? 0;
    if (row === undefined || row.workspaceId === null) return { value: null, seq, hashes };
    const { workspaceId, shard } = row;
    return { value: { workspaceId, shard, prefix: formatLinkPrefix(shard, workspaceId) }, seq, hashes };
  };
  const isCurrent = ({ value, seq }: Found<Host>) => value !== null && seq >= cursor;
  return readCurrent(directory, SELECT_HOST, [hostname], parse, isPrimaryOnly ? () => false : isCurrent);
}
