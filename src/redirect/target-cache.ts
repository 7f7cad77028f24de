import { HOUR_MS, SECOND_MS } from "../core/time.ts";
import type { Target } from "./target.ts";

/**
 * Freshness in an isolate's memory and in the data centre's cache. Both count from the read of the database, and a hit
 * renews neither. Together with the lag of a replica they keep the promise that every data centre sees a change within
 * 35 seconds.
 */
const MEMORY_MS = 5 * SECOND_MS;
const CACHE_MS = 25 * SECOND_MS;

/** Retention of stale entries, which are used only while the database does not respond. */
const RETENTION_MS = 24 * HOUR_MS;

const ENTRIES_MAX = 10_000;

/** Target of a short address, or null if there is none, and the time at which the database was read. */
export interface CachedTarget {
  target: Target | null;
  readAtMs: number;
}

interface MemoryEntry extends CachedTarget {
  freshUntilMs: number;
  /** Number of the change of this memory that wrote the entry. */
  sequence: number;
}

const memory = new Map<string, MemoryEntry>();
let sequence = 0;

/** Returns the key of a short address: its host, and its short code in lower case. */
export function addressKey(hostname: string, codeKey: string): string {
  return `${hostname}/${codeKey}`;
}

/** Returns the fresh entry of this isolate's memory, or undefined. */
export function recall(key: string, nowMs: number): CachedTarget | undefined {
  const entry = memory.get(key);
  return entry !== undefined && nowMs < entry.freshUntilMs ? entry : undefined;
}

/** Returns the entry of this isolate's memory, however old, for use while the database does not respond. */
export function recallStale(key: string): CachedTarget | undefined {
  return memory.get(key);
}

/**
 * Stores a cached target in this isolate's memory and returns what it stored: the later of the known and the new state
 * of the link. Two changes may arrive in either order, and a replica may lag behind.
 */
export function remember(key: string, found: CachedTarget, nowMs: number): CachedTarget {
  const target = pickLater(found.target, memory.get(key)?.target);
  const cached = { target, readAtMs: found.readAtMs };
  memory.delete(key);
  if (memory.size >= ENTRIES_MAX) memory.delete(memory.keys().next().value as string);
  const freshUntilMs = Math.min(nowMs + MEMORY_MS, cached.readAtMs + CACHE_MS + MEMORY_MS);
  memory.set(key, { ...cached, freshUntilMs, sequence: ++sequence });
  return cached;
}

function pickLater(found: Target | null, known: Target | null | undefined): Target | null {
  if (!found || !known || found.id !== known.id) return found;
  return known.updatedAt > found.updatedAt ? known : found;
}

/** Makes a stale entry fresh for a short time, so that during an outage few visitors wait for the database. */
export function extendStale(key: string, cached: CachedTarget, nowMs: number): void {
  memory.set(key, { ...cached, freshUntilMs: nowMs + MEMORY_MS, sequence: ++sequence });
}

/** Returns the sequence number of the memory's last change, for {@link changedSince}. */
export function currentSequence(): number {
  return sequence;
}

/**
 * Returns the entry of an address if it was written after the sequence number, else undefined. Such an entry is newer
 * than a read that began at that number.
 */
export function changedSince(key: string, sequenceBefore: number): CachedTarget | undefined {
  const entry = memory.get(key);
  return entry !== undefined && entry.sequence > sequenceBefore ? entry : undefined;
}

/** Clears this isolate's memory; for tests of the layers below it. */
export function forgetAll(): void {
  memory.clear();
}

/** Returns the entry of the data centre's cache, however old, or undefined. */
export async function readDataCentreCache(key: string): Promise<CachedTarget | undefined> {
  const response = await caches.default.match(cacheRequest(key));
  return response?.json<CachedTarget>();
}

/** Returns true if an entry of the data centre's cache may be used without the database. */
export function isFresh(cached: CachedTarget, nowMs: number): boolean {
  return nowMs < cached.readAtMs + CACHE_MS;
}

/** Stores an entry in the data centre's cache. */
export async function writeDataCentreCache(key: string, cached: CachedTarget): Promise<void> {
  const headers = {
    "Content-Type": "application/json",
    "Cache-Control": `max-age=${RETENTION_MS / SECOND_MS}`,
  };
  await caches.default.put(cacheRequest(key), new Response(JSON.stringify(cached), { headers }));
}

// No short code contains a dot, so no request of a visitor can have this URL.
function cacheRequest(key: string): Request {
  return new Request(`https://${key}/.target`);
}
