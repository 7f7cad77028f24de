import { ByteBoundedMap } from "../caching/byte-bounded-map.ts";
import { sha256Hex } from "../core/crypto.ts";
import { estimateHeapBytes } from "../core/heap-size.ts";
import { HOUR_MS } from "../core/time.ts";
import type { PlanName } from "../tenant/plans.ts";
import type { Workspace } from "../tenant/workspace.ts";
import { formatKey, type KeyParts } from "./key.ts";

/** Result of a key's last verification, as far as the rate limiter needs it. */
export interface KnownKey {
  prefix: string;
  workspaceId: string;
  plan: PlanName;
  /** Unix time in milliseconds. */
  verifiedAtMs: number;
}

/** Maximum heap size of all remembered keys. Each takes about 1 KB. */
const KEYS_MAX_BYTES = 2_097_152;
/**
 * Time for which a key is remembered. Shorter than the day after which a deleted workspace's limiter is
 * erased, so that no call recreates the limiter.
 */
const MEMORY_MS = HOUR_MS;

/**
 * Keys that this isolate has verified, by hash. An entry grants no access. It only allows calling the rate
 * limiter before the key is verified again.
 */
const knownKeys = new ByteBoundedMap<KnownKey>(KEYS_MAX_BYTES);

/**
 * Returns the hash by which a key is remembered. Includes the secret, because prefixes are public and a
 * caller with only a prefix must not use up the owner's calls.
 */
export function hashApiKey(parts: KeyParts): Promise<string> {
  return sha256Hex(formatKey(parts));
}

/** Returns a remembered key, or undefined. */
export function recallKey(keyHash: string, nowMs: number): KnownKey | undefined {
  const key = knownKeys.get(keyHash);
  return key !== undefined && nowMs < key.verifiedAtMs + MEMORY_MS ? key : undefined;
}

export function rememberKey(
  keyHash: string,
  prefix: string,
  { id, plan }: Pick<Workspace, "id" | "plan">,
  nowMs: number,
): void {
  const key: KnownKey = { prefix, workspaceId: id, plan, verifiedAtMs: nowMs };
  knownKeys.set(keyHash, key, estimateHeapBytes(key));
}

/** Forgets a key that is no longer valid. */
export function forgetKey(keyHash: string): void {
  knownKeys.delete(keyHash);
}
