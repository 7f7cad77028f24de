import { ByteBoundedMap } from "../caching/byte-bounded-map.ts";
import { estimateHeapBytes } from "../core/heap-size.ts";
import { HOUR_MS } from "../core/time.ts";

/** Result of a session's last verification, as far as the rate limiter needs it. */
export interface KnownSession {
  workspaceId: string;
  memberId: string;
  /** Unix time in milliseconds. */
  verifiedAtMs: number;
}

const SESSIONS_MAX_BYTES = 1_048_576;
const MEMORY_MS = HOUR_MS;

/**
 * Sessions that this isolate has verified, by token hash and workspace. An entry grants no access. It only
 * allows calling the rate limiter before the session is verified again.
 */
const knownSessions = new ByteBoundedMap<KnownSession>(SESSIONS_MAX_BYTES);

/** Returns the cache key of a session and a workspace. */
export function formatSessionKey(tokenHash: string, slug: string | null): string {
  return `${tokenHash} ${slug ?? ""}`;
}

/** Returns a remembered session, or undefined. */
export function recallSession(key: string, nowMs: number): KnownSession | undefined {
  const session = knownSessions.get(key);
  return session !== undefined && nowMs < session.verifiedAtMs + MEMORY_MS ? session : undefined;
}

export function rememberSession(key: string, session: KnownSession): void {
  knownSessions.set(key, session, estimateHeapBytes({ key, session }));
}

/** Forgets a session that is no longer valid. */
export function forgetSession(key: string): void {
  knownSessions.delete(key);
}
