import { HOUR_MS, SECOND_MS } from "../core/time.ts";
import type { Target } from "./target.ts";

/**
 * How long what was read is believed: in an isolate's memory, and in the data centre's cache, counted from the read
 * of the database and never renewed by a hit. Together, with a replica's lag, they stay within the 35 seconds of
 * decisions section 3.
 */
const MEMORY_MS = 5 * SECOND_MS;
const CACHE_MS = 25 * SECOND_MS;

/** How long it is kept beyond that, to be used only while the database does not answer. */
const KEPT_MS = 24 * HOUR_MS;

const ENTRIES_MAX = 10_000;

/** What was found under a short address, or null for nothing, and when the database said so. */
export interface CachedTarget {
  target: Target | null;
  readAtMs: number;
}

interface Remembered extends CachedTarget {
  freshUntilMs: number;
  /** Place in the order of all changes of this memory. */
  sequence: number;
}

const memory = new Map<string, Remembered>();
let sequence = 0;

/** Where a short address is remembered: host, and short code in lower case. */
export function addressKey(hostname: string, codeKey: string): string {
  return `${hostname}/${codeKey}`;
}

/** A finding of this isolate that may be used without asking anybody. */
export function recall(key: string, nowMs: number): CachedTarget | undefined {
  const remembered = memory.get(key);
  return remembered !== undefined && nowMs < remembered.freshUntilMs ? remembered : undefined;
}

/** The same, however old: for when the database does not answer. */
export function recallStale(key: string): CachedTarget | undefined {
  return memory.get(key);
}

/**
 * Keeps a finding in this isolate for as long as it may be used, and answers with what is kept. That has a later state
 * of the link where one is known: of two changes at once either may arrive first, and a replica may lag behind.
 */
export function remember(key: string, found: CachedTarget, nowMs: number): CachedTarget {
  const finding = { target: laterOf(found.target, memory.get(key)?.target), readAtMs: found.readAtMs };
  memory.delete(key);
  if (memory.size >= ENTRIES_MAX) memory.delete(memory.keys().next().value as string);
  const freshUntilMs = Math.min(nowMs + MEMORY_MS, finding.readAtMs + CACHE_MS + MEMORY_MS);
  memory.set(key, { ...finding, freshUntilMs, sequence: ++sequence });
  return finding;
}

function laterOf(found: Target | null, known: Target | null | undefined): Target | null {
  if (!found || !known || found.linkId !== known.linkId) return found;
  return known.updatedAt > found.updatedAt ? known : found;
}

/** A stale finding gets a short while more, so that not every visitor of an outage waits for the database. */
export function extendStale(key: string, finding: CachedTarget, nowMs: number): void {
  memory.set(key, { ...finding, freshUntilMs: nowMs + MEMORY_MS, sequence: ++sequence });
}

/** A mark to tell later whether an address was changed since: see {@link changedSince}. */
export function currentSequence(): number {
  return sequence;
}

/** What this isolate came to know of an address after the mark. It is newer than a read that began at the mark. */
export function changedSince(key: string, mark: number): CachedTarget | undefined {
  const remembered = memory.get(key);
  return remembered !== undefined && remembered.sequence > mark ? remembered : undefined;
}

/** Forgets everything this isolate remembers; for tests of what lies below it. */
export function forgetAll(): void {
  memory.clear();
}

/** The data centre's finding, however old, or undefined. */
export async function readDataCentreCache(key: string): Promise<CachedTarget | undefined> {
  const response = await caches.default.match(cacheRequest(key));
  return response?.json<CachedTarget>();
}

export function isFresh(finding: CachedTarget, nowMs: number): boolean {
  return nowMs < finding.readAtMs + CACHE_MS;
}

/** Puts a finding into the data centre's cache. */
export async function writeDataCentreCache(key: string, finding: CachedTarget): Promise<void> {
  const headers = { "Content-Type": "application/json", "Cache-Control": `max-age=${KEPT_MS / SECOND_MS}` };
  await caches.default.put(cacheRequest(key), new Response(JSON.stringify(finding), { headers }));
}

// No short code has a dot, so this address is never served to anybody.
function cacheRequest(key: string): Request {
  return new Request(`https://${key}/.target`);
}
