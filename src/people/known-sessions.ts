import { ByteBoundedMap } from "../caching/byte-bounded-map.ts";
import { estimateHeapBytes } from "../core/heap-size.ts";
import { HOUR_MS } from "../core/time.ts";

/** Result of the last verification of a session, as far as the limiter needs it. */
export interface KnownSession {
  workspaceId: string;
  memberId: string;
  /** Unix time in milliseconds. */
  verifiedAtMs: number;
}

const SESSIONS_MAX_BYTES = 1_048_576;
const MEMORY_MS = HOUR_MS;

/**
 * Sessions that this isolate has verified, by the hash of their token and the workspace. Nothing is allowed because of it:
 * it only tells what can be started before the session is verified again.
 */
const knownSessions = new ByteBoundedMap<KnownSession>(SESSIONS_MAX_BYTES);

/** Returns the text by which a session and a workspace are remembered. */
export function formatSessionKey(tokenHash: string, slug: string | null): string {
  return `${tokenHash} ${slug ?? ""}`;
}

/** Returns what this isolate knows of a session, or undefined. */
export function recallSession(key: string, nowMs: number): KnownSession | undefined {
  const session = knownSessions.get(key);
  return session !== undefined && nowMs < session.verifiedAtMs + MEMORY_MS ? session : undefined;
}

/** Remembers a session that was verified. */
export function rememberSession(key: string, session: KnownSession): void {
  knownSessions.set(key, session, estimateHeapBytes({ key, session }));
}

/** Forgets a session that is not accepted any more. */
export function forgetSession(key: string): void {
  knownSessions.delete(key);
}
