import { ByteBoundedMap } from "../caching/byte-bounded-map.ts";
import { estimateHeapBytes } from "../core/heap-size.ts";
import {
  CACHE_MS,
  CACHE_REFRESH_MS,
  type CachedTarget,
  MEMORY_MS,
  MEMORY_REFRESH_MS,
  pickCurrent,
  STALE_MS,
} from "./cached-target.ts";

/** Heap that the targets of an isolate take at most, of the 128 MB that an isolate has. */
const LINKS_BYTES_MAX = 15_000_000;
/** Share of codes without a link, apart from the links: requests for random codes displace no link. */
const UNKNOWN_BYTES_MAX = 1_000_000;
/** Heap of an entry with a target, without texts and rules, and of an entry without one. */
const LINK_BYTES = 400;
const UNKNOWN_BYTES = 128;

/** Entry of this isolate's memory. */
export interface MemoryEntry extends CachedTarget {
  /** Time from which a request starts a look-up while it uses the entry. */
  refreshAtMs: number;
  /** Time from which requests do not use the entry. */
  freshUntilMs: number;
}

const links = new ByteBoundedMap<MemoryEntry>(LINKS_BYTES_MAX);
const unknown = new ByteBoundedMap<MemoryEntry>(UNKNOWN_BYTES_MAX);

/** Returns the fresh entry of this isolate's memory, or undefined. */
export function recall(key: string, nowMs: number): MemoryEntry | undefined {
  const entry = recallAny(key);
  return entry !== undefined && nowMs < entry.freshUntilMs ? entry : undefined;
}

/** Returns the entry of this isolate's memory, however old. */
function recallAny(key: string): MemoryEntry | undefined {
  return links.get(key) ?? unknown.get(key);
}

/** Returns the entry of a link that may be used while the database fails or is slow, or undefined. */
export function recallStale(key: string, nowMs: number): MemoryEntry | undefined {
  const entry = links.get(key);
  return entry !== undefined && nowMs < entry.readAtMs + STALE_MS ? entry : undefined;
}

/**
 * Stores what a look-up found, unless the memory holds a later state, and returns the entry. The entry is fresh if its
 * read of the database is recent enough.
 */
export function remember(key: string, found: CachedTarget, nowMs: number): MemoryEntry {
  const known = recallAny(key);
  const current = pickCurrent(found, known);
  const { target, readAtMs } = current;
  const entry = { target, readAtMs, ...scheduleLookUps(current, nowMs) };
  // A known entry may be in use beyond its age, because the database fails.
  if (known === current) entry.freshUntilMs = Math.max(entry.freshUntilMs, known.freshUntilMs);
  store(key, entry);
  return entry;
}

/** Confirms the entry of an address, if there is one, and returns it: a look-up found nothing later. */
export function confirm(key: string, nowMs: number): MemoryEntry | undefined {
  const known = recallAny(key);
  return known && remember(key, known, nowMs);
}

function scheduleLookUps({ target, readAtMs }: CachedTarget, nowMs: number) {
  if (nowMs >= readAtMs + CACHE_MS) return { freshUntilMs: 0, refreshAtMs: 0 };
  return {
    freshUntilMs: Math.min(nowMs + MEMORY_MS, readAtMs + CACHE_MS + MEMORY_MS),
    // Nothing keeps an unknown code fresh but the requests that the limit of unknown codes counts.
    refreshAtMs:
      target === null
        ? Number.POSITIVE_INFINITY
        : Math.min(nowMs + MEMORY_REFRESH_MS, readAtMs + CACHE_REFRESH_MS),
  };
}

/** Makes a link's entry fresh for a short time although the database fails or is slow, so that few visitors wait for it. */
export function extendStale(key: string, nowMs: number): void {
  const entry = recallStale(key, nowMs);
  if (entry === undefined) return;
  entry.refreshAtMs = nowMs + MEMORY_REFRESH_MS;
  entry.freshUntilMs = Math.max(entry.freshUntilMs, Math.min(nowMs + MEMORY_MS, entry.readAtMs + STALE_MS));
}

function store(key: string, entry: MemoryEntry): void {
  const [own, other] = entry.target === null ? [unknown, links] : [links, unknown];
  other.delete(key);
  own.set(key, entry, estimateEntryBytes(entry));
}

function estimateEntryBytes({ target }: MemoryEntry): number {
  if (target === null) return UNKNOWN_BYTES;
  const { routingRules, ruleAddresses, id, workspaceId, shortCode, address } = target;
  const values = [routingRules, ruleAddresses, id, workspaceId, shortCode, address];
  return LINK_BYTES + estimateHeapBytes(values);
}

/** Returns the estimated heap of this isolate's targets in bytes, and their number. */
export function measureMemory(): { bytes: number; links: number; unknown: number } {
  return { bytes: links.bytes + unknown.bytes, links: links.size, unknown: unknown.size };
}

/** Clears this isolate's memory; for tests of the layers below it. */
export function forgetAll(): void {
  links.clear();
  unknown.clear();
}
