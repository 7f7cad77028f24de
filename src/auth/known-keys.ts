import { ByteBoundedMap } from "../caching/byte-bounded-map.ts";
import { sha256Hex } from "../core/crypto.ts";
import { estimateHeapBytes } from "../core/heap-size.ts";
import { HOUR_MS } from "../core/time.ts";
import type { PlanName } from "../tenant/plans.ts";
import type { Workspace } from "../tenant/workspace.ts";
import { formatKey, type KeyParts } from "./key.ts";

/** Result of the last verification of a key, as far as the limiter needs it. */
export interface KnownKey {
  prefix: string;
  workspaceId: string;
  plan: PlanName;
  /** Unix time in milliseconds. */
  verifiedAtMs: number;
}

/** Heap of all remembered keys, of which each takes about 1 KB. */
const KEYS_MAX_BYTES = 2_097_152;
/** Age from which a key is not remembered. The limits of a deleted workspace are erased a day later, for good. */
const MEMORY_MS = HOUR_MS;

/**
 * Keys that this isolate has verified, by their hash. Nothing is allowed because of it: it only tells what can be started
 * before the key is verified again.
 */
const knownKeys = new ByteBoundedMap<KnownKey>(KEYS_MAX_BYTES);

/**
 * Returns the hash of a key by which it is remembered. The secret is part of it: whoever knows only a prefix, which is
 * public, must not be taken for the owner of the key.
 */
export function hashKey(parts: KeyParts): Promise<string> {
  return sha256Hex(formatKey(parts));
}

/** Returns what this isolate knows of a key, or undefined. */
export function recallKey(keyHash: string, nowMs: number): KnownKey | undefined {
  const key = knownKeys.get(keyHash);
  return key !== undefined && nowMs < key.verifiedAtMs + MEMORY_MS ? key : undefined;
}

/** Remembers a key that was verified. */
export function rememberKey(
  keyHash: string,
  prefix: string,
  { id, plan }: Pick<Workspace, "id" | "plan">,
  nowMs: number,
): void {
  const key: KnownKey = { prefix, workspaceId: id, plan, verifiedAtMs: nowMs };
  knownKeys.set(keyHash, key, estimateHeapBytes(key));
}

/** Forgets a key that is not accepted any more. */
export function forgetKey(keyHash: string): void {
  knownKeys.delete(keyHash);
}
