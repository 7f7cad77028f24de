import { HOUR_MS, SECOND_MS } from "../core/time.ts";
import type { Target } from "./target.ts";

/**
 * Ages of cached targets, counted from the read of the database; a hit renews none of them. A data centre's entry is
 * used without the database until {@link CACHE_MS}, and an isolate that found it then uses it for at most
 * {@link MEMORY_MS} more. With 5 seconds for the lag of a replica, a change is seen everywhere within 35 seconds.
 */
export const MEMORY_MS = 5 * SECOND_MS;
export const CACHE_MS = 25 * SECOND_MS;

/** Ages from which an entry is looked up again while it is still used, so that visitors of a busy link never wait. */
export const MEMORY_REFRESH_MS = 4 * SECOND_MS;
export const CACHE_REFRESH_MS = 20 * SECOND_MS;

/** Age up to which the target of a link is used while the database fails or is slow. "No link" is never used then. */
export const STALE_MS = 24 * HOUR_MS;

/** Target of a short address, or null if there is none, and the time at which the database was read. */
export interface CachedTarget {
  target: Target | null;
  readAtMs: number;
}

/**
 * Returns the one of two states of an address that is current. Of one link it is the later state, since two changes may
 * arrive in either order and a replica may lag behind; otherwise it is the one that was read later, or `found`.
 */
export function pickCurrent(found: CachedTarget, known: CachedTarget | undefined): CachedTarget {
  if (known === undefined) return found;
  const isSameLink = found.target !== null && found.target.id === known.target?.id;
  const changedByMs = isSameLink ? (found.target?.updatedAt ?? 0) - (known.target?.updatedAt ?? 0) : 0;
  return (changedByMs || found.readAtMs - known.readAtMs) >= 0 ? found : known;
}

/** Returns the key of a short address: its host, and its short code in lower case. */
export function addressKey(hostname: string, codeKey: string): string {
  return `${hostname}/${codeKey}`;
}
