import { SECOND_MS } from "../core/time.ts";
import type { Settings } from "../env.ts";
import { buildTarget, type Target } from "./target.ts";
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

/** How long a visitor waits for the database while an older answer is at hand. */
const READ_TIMEOUT_MS = 2 * SECOND_MS;

/** What resolving needs of its surroundings. */
export interface Resolver {
  d1: D1Database;
  settings: Settings;
  nowMs: number;
  /** Runs on after the answer. */
  waitUntil(promise: Promise<unknown>): void;
}

/**
 * Finds the link of a short address: in this isolate's memory, else in the data centre's cache, else in the database
 * (a replica will do). What was found once still resolves while the database is down. Null: there is none.
 * Throws only if the database fails and nothing is at hand.
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
  const mark = currentSequence();
  const kept = await readDataCentreCache(key);
  let finding = kept;
  if (kept === undefined || !isFresh(kept, nowMs)) {
    const stale = kept ?? recallStale(key);
    try {
      finding = { target: await readTarget(resolver, hostname, codeKey, stale), readAtMs: nowMs };
    } catch (error) {
      if (stale === undefined) throw error;
      console.error(`resolving ${key} from what was known ${nowMs - stale.readAtMs} ms ago`, error);
      extendStale(key, stale, nowMs);
      return stale.target;
    }
  }
  return settle(resolver, key, finding as CachedTarget, mark, finding !== kept);
}

/** Keeps what was found, unless a change of the link overtook the read: then the change is the truth. */
function settle(
  resolver: Resolver,
  key: string,
  finding: CachedTarget,
  mark: number,
  isNew: boolean,
): Target | null {
  const newer = changedSince(key, mark);
  if (newer !== undefined) return newer.target;
  const kept = remember(key, finding, resolver.nowMs);
  if (isNew) resolver.waitUntil(writeDataCentreCache(key, kept));
  return kept.target;
}

interface TargetRow {
  id: string;
  workspace_id: string;
  short_code: string;
  is_custom: number;
  destination: string;
  routing_rules: string;
  enabled: number;
  expires_at: number | null;
  updated_at: number;
  own_hosts: string;
}

async function readTarget(
  { d1, settings }: Resolver,
  hostname: string,
  codeKey: string,
  stale: CachedTarget | undefined,
): Promise<Target | null> {
  const read = d1
    .withSession("first-unconstrained")
    .prepare(
      `SELECT l.id, l.workspace_id, l.short_code, l.is_custom, l.destination, l.routing_rules, l.enabled, l.expires_at, l.updated_at,
              (SELECT json_group_array(o.hostname) FROM domains o
                WHERE o.hostname = l.destination_host
                   OR o.hostname IN (SELECT value FROM json_each(l.rule_hosts))) AS own_hosts
         FROM domains d
         JOIN links l ON l.workspace_id = d.workspace_id AND l.code_key = ?2
        WHERE d.hostname = ?1`,
    )
    .bind(hostname, codeKey)
    .first<TargetRow>();
  const row = await (stale === undefined ? read : withTimeout(read));
  return row === null ? null : buildTarget(sourceOf(row), JSON.parse(row.own_hosts), settings);
}

function sourceOf(row: TargetRow) {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    shortCode: row.short_code,
    isCustom: row.is_custom === 1,
    destination: row.destination,
    routingRules: JSON.parse(row.routing_rules),
    enabled: row.enabled === 1,
    expiresAt: row.expires_at,
    updatedAt: row.updated_at,
  };
}

async function withTimeout<Result>(read: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${READ_TIMEOUT_MS} ms`)), READ_TIMEOUT_MS);
  });
  try {
    return await Promise.race([read, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
