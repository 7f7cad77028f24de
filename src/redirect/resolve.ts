import { logError } from "../core/log.ts";
import { SECOND_MS } from "../core/time.ts";
import { withTimeout } from "../core/timeout.ts";
import type { Settings } from "../env.ts";
import { buildTarget, TARGET_COLUMNS, type Target, type TargetColumns } from "./target.ts";
import {
  addressKey,
  type CachedTarget,
  changedSince,
  currentSequence,
  extendStale,
  isFresh,
  readDataCentreCache,
  recall,
  recallStale,
  remember,
  writeDataCentreCache,
} from "./target-cache.ts";

/** Timeout of the database if a stale entry can be used instead. */
const READ_TIMEOUT_MS = 2 * SECOND_MS;

/** Resources of the resolver. */
export interface Resolver {
  d1: D1Database;
  settings: Settings;
  nowMs: number;
  /** Keeps the invocation alive until the promise settles, also after the response. */
  waitUntil(promise: Promise<unknown>): void;
}

/**
 * Returns the target of a short address, or null if there is none: from this isolate's memory, else from the data
 * centre's cache, else from the database or one of its replicas. A target that was found once still resolves while the
 * database is down. Throws only if the database fails and no entry is known.
 */
export function resolve(
  resolver: Resolver,
  hostname: string,
  codeKey: string,
): Target | null | Promise<Target | null> {
  const key = addressKey(hostname, codeKey);
  const recalled = recall(key, resolver.nowMs);
  return recalled === undefined ? resolveBeyondMemory(resolver, hostname, codeKey, key) : recalled.target;
}

async function resolveBeyondMemory(
  resolver: Resolver,
  hostname: string,
  codeKey: string,
  key: string,
): Promise<Target | null> {
  const { nowMs } = resolver;
  const sequenceBefore = currentSequence();
  const cached = await readDataCentreCache(key);
  if (cached !== undefined && isFresh(cached, nowMs)) {
    return settle(resolver, key, cached, sequenceBefore, false);
  }
  const stale = cached ?? recallStale(key);
  try {
    const read = { target: await readTarget(resolver, hostname, codeKey, stale), readAtMs: nowMs };
    return settle(resolver, key, read, sequenceBefore, true);
  } catch (error) {
    if (stale === undefined) throw error;
    logError(`a short address is resolved from an entry that is ${nowMs - stale.readAtMs} ms old`, error);
    extendStale(key, stale, nowMs);
    return stale.target;
  }
}

/** Stores a cached target and returns its target; if the link changed during the read, returns the changed target instead. */
function settle(
  resolver: Resolver,
  key: string,
  found: CachedTarget,
  sequenceBefore: number,
  isFromDatabase: boolean,
): Target | null {
  const newer = changedSince(key, sequenceBefore);
  if (newer !== undefined) return newer.target;
  const stored = remember(key, found, resolver.nowMs);
  if (isFromDatabase) resolver.waitUntil(writeDataCentreCache(key, stored));
  return stored.target;
}

const COLUMNS = Object.entries(TARGET_COLUMNS);

// Raw SQL: importing Drizzle would add its scripts to every cold start, for one statement.
const SELECT_TARGET = `
  SELECT ${COLUMNS.map(([name, { sql }]) => `l.${sql} AS ${name}`).join(", ")},
         (SELECT json_group_array(o.hostname) FROM domains o
           WHERE o.hostname = l.destination_host
              OR o.hostname IN (SELECT value FROM json_each(l.rule_hosts))) AS ownHosts
    FROM domains d
    JOIN links l ON l.workspace_id = d.workspace_id AND l.code_key = ?2
   WHERE d.hostname = ?1`;

async function readTarget(
  { d1, settings }: Resolver,
  hostname: string,
  codeKey: string,
  stale: CachedTarget | undefined,
): Promise<Target | null> {
  const read = d1
    .withSession("first-unconstrained")
    .prepare(SELECT_TARGET)
    .bind(hostname, codeKey)
    .first<Record<string, never>>();
  const row = await (stale === undefined ? read : withTimeout(read, READ_TIMEOUT_MS));
  return row === null ? null : buildTarget(parseRow(row), JSON.parse(row.ownHosts as never), settings);
}

function parseRow(row: Record<string, never>): TargetColumns {
  const values = COLUMNS.map(([name, { parse }]) => [name, parse(row[name] as never)]);
  return Object.fromEntries(values) as TargetColumns;
}
