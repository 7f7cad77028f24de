// Pure: no I/O, clock or randomness.
import { DAY_MS, MINUTE_MS } from "../core/time.ts";

/** Session idle timeout. */
export const SESSION_IDLE_MS = 14 * DAY_MS;
/** Maximum lifetime of a session. */
export const SESSION_MAX_MS = 30 * DAY_MS;
/**
 * Minimum interval between updates of `last_seen_at`. A session in use costs two written rows a day, one of
 * them in an index. As a result, a session may end up to a day before it was idle for
 * {@link SESSION_IDLE_MS}.
 */
export const SEEN_INTERVAL_MS = DAY_MS;
/** Lifetime of a sign-in link. */
export const SIGN_IN_LINK_MS = 15 * MINUTE_MS;

/** Returns the time at which a session expires. */
export function findSessionEnd(createdAtMs: number, lastSeenAtMs: number): number {
  return Math.min(lastSeenAtMs + SESSION_IDLE_MS, createdAtMs + SESSION_MAX_MS);
}

/** Returns true if a call must update `last_seen_at`. */
export function isSeenStale(lastSeenAtMs: number, nowMs: number): boolean {
  return nowMs - lastSeenAtMs >= SEEN_INTERVAL_MS;
}
