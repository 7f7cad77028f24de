import { logFault } from "../caching/fault-log.ts";
import { FlightTimeoutError, SingleFlight, type Work } from "../caching/single-flight.ts";
import { SECOND_MS } from "../core/time.ts";
import { withTimeout } from "../core/timeout.ts";
import type { DatabaseBindings } from "../db/shards.ts";
import type { Settings } from "../env.ts";
import { addressKey, CACHE_MS, CACHE_REFRESH_MS } from "./cached-target.ts";
import type { Target } from "./target.ts";
import { readTargetCache, renewTargetCache } from "./target-cache.ts";
import { confirm, extendStale, type MemoryEntry, recall, recallStale, remember } from "./target-memory.ts";
import { readTarget, type ShortAddress } from "./target-read.ts";
import type { UnknownLimit } from "./unknown-limit.ts";

/** Time that a visitor of a known link waits for the database before an old entry is used. */
const PATIENCE_MS = 300;
/** Time that a visitor waits for the database if nothing is known. */
const READ_TIMEOUT_MS = 5 * SECOND_MS;

/** Resources of the resolver. */
export interface Resolver {
  bindings: DatabaseBindings;
  settings: Settings;
  nowMs: number;
  /** Limit of unknown codes for the visitor; made when it is needed. */
  getUnknownLimit(): UnknownLimit;
  /** Keeps the invocation alive until the promise settles, also after the response. */
  waitUntil(promise: Promise<unknown>): void;
}

/** Look-ups of addresses beyond this isolate's memory. */
const lookUps = new SingleFlight<MemoryEntry>();

/**
 * Returns the target of a short address, or null if there is none: from this isolate's memory, else from the data
 * centre's cache, else from the database or one of its replicas. An entry that will soon be too old is looked up again
 * while it is used. The target of a link that was found once is used for a day while the database fails or is slow.
 * Throws an `UnknownLimitError` if nothing is known and the visitor tried too many unknown codes, and what the database
 * throws if nothing is known.
 */
export function resolve(
  resolver: Resolver,
  hostname: string,
  codeKey: string,
): Target | null | Promise<Target | null> {
  const key = addressKey(hostname, codeKey);
  const entry = recall(key, resolver.nowMs);
  if (entry === undefined) return resolveBeyondMemory(resolver, { hostname, codeKey }, key);
  if (resolver.nowMs >= entry.refreshAtMs) {
    lookUps.start(key, buildLookUp(resolver, { hostname, codeKey }, key), resolver.waitUntil);
  }
  return entry.target;
}

async function resolveBeyondMemory(
  resolver: Resolver,
  address: ShortAddress,
  key: string,
): Promise<Target | null> {
  const { nowMs, getUnknownLimit } = resolver;
  const limit = getUnknownLimit();
  if (limit.retryAfterSeconds > 0) {
    const cached = await readTargetCache(key);
    if (cached !== undefined) remember(key, cached, nowMs);
    const fresh = recall(key, nowMs);
    if (fresh !== undefined) return fresh.target;
    if (recallStale(key, nowMs) === undefined) limit.assertOpen();
  }
  const { target, readAtMs } = await awaitLookUp(resolver, address, key);
  // An earlier read was made for another request, which counted it.
  if (target === null && readAtMs >= nowMs) {
    await limit.count();
    limit.assertOpen();
  }
  return target;
}

/** Returns what the look-up finds, or the old entry of a link if the database fails or takes long. */
async function awaitLookUp(resolver: Resolver, address: ShortAddress, key: string): Promise<MemoryEntry> {
  const join = (timeoutMs: number) =>
    lookUps.join(key, timeoutMs, buildLookUp(resolver, address, key), resolver.waitUntil);
  try {
    return await join(PATIENCE_MS);
  } catch (error) {
    const nowMs = Date.now();
    const stale = recallStale(key, nowMs);
    if (stale !== undefined) {
      logFault("a link was served from an old entry", error);
      extendStale(key, nowMs);
      return stale;
    }
    if (!(error instanceof FlightTimeoutError)) throw error;
  }
  return join(READ_TIMEOUT_MS - PATIENCE_MS);
}

function buildLookUp(resolver: Resolver, address: ShortAddress, key: string): Work<MemoryEntry> {
  return (publish) => lookUpTarget(resolver, address, key, publish);
}

/**
 * Looks an address up in the data centre's cache and, if the entry is too old or soon will be, in the database. Stores
 * and publishes what it finds. Throws if the database fails; the entry of a link then stays in use for a while.
 */
async function lookUpTarget(
  { bindings, settings, waitUntil }: Resolver,
  address: ShortAddress,
  key: string,
  publish: (entry: MemoryEntry) => void,
): Promise<void> {
  const cached = await readTargetCache(key, (late) => remember(key, late, Date.now()));
  const nowMs = Date.now();
  const known = cached === undefined ? confirm(key, nowMs) : remember(key, cached, nowMs);
  if (known !== undefined && nowMs < known.freshUntilMs) publish(known);
  if (known !== undefined && !isDue(known, nowMs)) return;
  try {
    const target = await withTimeout(readTarget(bindings, settings, address, known), READ_TIMEOUT_MS);
    const isRepeated = target !== null || known !== undefined;
    const entry = remember(key, { target, readAtMs: nowMs }, Date.now());
    publish(entry);
    // A code that was unknown before is one of many; it costs no write unless it is requested again.
    if (isRepeated) waitUntil(renewTargetCache(key, entry));
  } catch (error) {
    logFault("a link could not be read", error);
    extendStale(key, Date.now());
    throw error;
  }
}

/** Returns true if the database is to be read again, although the entry may still be in use. */
function isDue({ target, readAtMs }: MemoryEntry, nowMs: number): boolean {
  return nowMs >= readAtMs + (target === null ? CACHE_MS : CACHE_REFRESH_MS);
}
