import { lookUpCache, writeCache } from "../caching/data-centre-cache.ts";
import { SECOND_MS } from "../core/time.ts";
import { CACHE_MS, type CachedTarget, pickCurrent, STALE_MS } from "./cached-target.ts";

/** Number of the form of an entry. A new form has a new number, so that no deployment reads entries of another form. */
const FORM = 1;

/**
 * Returns the entry of the data centre's cache, however old, or undefined. An entry that comes too late is passed to
 * `onLate`. Never throws.
 */
export function readTargetCache(
  key: string,
  onLate?: (cached: CachedTarget) => void,
): Promise<CachedTarget | undefined> {
  return lookUpCache(formatCacheUrl(key), (response) => response.json<CachedTarget>(), onLate);
}

/** Stores an entry in the data centre's cache. Never throws. */
export async function writeTargetCache(key: string, cached: CachedTarget): Promise<void> {
  // "No link" is of no use once it is not fresh.
  const ageMs = cached.target === null ? CACHE_MS : STALE_MS;
  const headers = { "Content-Type": "application/json", "Cache-Control": `max-age=${ageMs / SECOND_MS}` };
  const { target, readAtMs } = cached;
  await writeCache(formatCacheUrl(key), new Response(JSON.stringify({ target, readAtMs }), { headers }));
}

/**
 * Stores an entry in the data centre's cache, unless the cache holds a later one: another isolate may have written a
 * change through during the read.
 */
export async function renewTargetCache(key: string, cached: CachedTarget): Promise<void> {
  const stored = await readTargetCache(key);
  if (pickCurrent(cached, stored) === cached) await writeTargetCache(key, cached);
}

/** Returns the URL of an address in the data centre's cache. No short code contains a dot, so no visitor requests it. */
export function formatCacheUrl(key: string): string {
  return `https://${key}/.target-${FORM}`;
}
