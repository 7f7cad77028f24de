import { DAY_MS, MINUTE_MS } from "../core/time.ts";

/** Time after which a session that nobody uses ends. */
export const SESSION_IDLE_MS = 14 * DAY_MS;
/** Time after which every session ends. */
export const SESSION_MAX_MS = 30 * DAY_MS;
/**
 * Age of `last_seen_at` from which a call writes it anew. So a session in use costs two written rows a day, one of them
 * of an index, and may end up to a day before it was idle for {@link SESSION_IDLE_MS}.
 */
export const SEEN_INTERVAL_MS = DAY_MS;
/** Time for which a sign-in link works. */
export const SIGN_IN_LINK_MS = 15 * MINUTE_MS;

/** Returns the time from which a session is refused. */
export function findSessionEnd(createdAtMs: number, lastSeenAtMs: number): number {
  return Math.min(lastSeenAtMs + SESSION_IDLE_MS, createdAtMs + SESSION_MAX_MS);
}

/** Returns true if a call is to write that the session was seen. */
export function isSeenStale(lastSeenAtMs: number, nowMs: number): boolean {
  return nowMs - lastSeenAtMs >= SEEN_INTERVAL_MS;
}
