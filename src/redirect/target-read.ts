import { type DatabaseBindings, getShard } from "../db/shards.ts";
import type { Settings } from "../env.ts";
import type { CachedTarget } from "./cached-target.ts";
import { buildTarget, TARGET_COLUMNS, type Target, type TargetColumns } from "./target.ts";

/** Short address: normalized host, and short code in lower case. */
export interface ShortAddress {
  hostname: string;
  codeKey: string;
}

const COLUMNS = Object.entries(TARGET_COLUMNS);

// Raw SQL: importing Drizzle would add its scripts to every cold start, for one statement.
const SELECT_TARGET = `
  SELECT ${COLUMNS.map(([name, { sql }]) => `l.${sql} AS ${name}`).join(", ")},
         (SELECT json_group_array(o.hostname) FROM own_hosts o
           WHERE o.hostname = l.destination_host
              OR o.hostname IN (SELECT value FROM json_each(l.rule_hosts))) AS ownHosts
    FROM links l
   WHERE l.workspace_id = ?1 AND l.code_key = ?2`;
const SELECT_PLACE = `
  SELECT w.id AS workspaceId, w.shard FROM domains d JOIN workspaces w ON w.id = d.workspace_id WHERE d.hostname = ?1`;

/**
 * Reads the target of a short address from the nearest copy of the database. A replica may lag behind: that there is no
 * link, and a state other than `known`, is asked of the primary, and only its result counts.
 */
export async function readTarget(
  bindings: DatabaseBindings,
  settings: Settings,
  address: ShortAddress,
  known: CachedTarget | undefined,
): Promise<Target | null> {
  const near = await select(bindings, "first-unconstrained", address, settings);
  if (near.isFromPrimary || mayBeCurrent(near.target, known)) return near.target;
  return (await select(bindings, "first-primary", address, settings)).target;
}

/** Returns false for a state of a replica that contradicts what is known of the address. */
function mayBeCurrent(target: Target | null, known: CachedTarget | undefined): boolean {
  if (target === null || known === undefined) return target !== null;
  return known.target?.id === target.id && target.updatedAt >= known.target.updatedAt;
}

async function select(
  bindings: DatabaseBindings,
  constraint: D1SessionConstraint,
  { hostname, codeKey }: ShortAddress,
  settings: Settings,
): Promise<{ target: Target | null; isFromPrimary: boolean }> {
  const place = await bindings.DIRECTORY.withSession(constraint)
    .prepare(SELECT_PLACE)
    .bind(hostname)
    .all<{ workspaceId: string; shard: number }>();
  const [host] = place.results;
  if (host === undefined) return { target: null, isFromPrimary: place.meta?.served_by_primary === true };
  const { results, meta } = await getShard(bindings, host.shard)
    .withSession(constraint)
    .prepare(SELECT_TARGET)
    .bind(host.workspaceId, codeKey)
    .all<Record<string, never>>();
  const [row] = results;
  return {
    target:
      row === undefined ? null : buildTarget(parseRow(row), JSON.parse(row.ownHosts as never), settings),
    isFromPrimary: meta?.served_by_primary === true,
  };
}

function parseRow(row: Record<string, never>): TargetColumns {
  const values = COLUMNS.map(([name, { parse }]) => [name, parse(row[name] as never)]);
  return Object.fromEntries(values) as TargetColumns;
}
