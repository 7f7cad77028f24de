// Pure: no I/O, clock or randomness.
import { SECOND_MS } from "../core/time.ts";
import { formatCookieName, readCookie, writeCookie } from "./host-cookie.ts";
import { SESSION_MAX_MS } from "./session-times.ts";

/** Name of the cookie that contains the session token. */
const NAME = "signpost_session";
const TOKEN = /^[A-Za-z0-9]{48}$/;

/** Returns the session token in a `Cookie` header, or null. `appUrl` is the origin of the app host. */
export function readSessionCookie(header: string | null | undefined, appUrl: string): string | null {
  return readCookie(header, NAME, TOKEN, appUrl);
}

/** Returns the `Set-Cookie` header that stores a session in the browser. */
export function writeSessionCookie(token: string, appUrl: string): string {
  return writeCookie(NAME, token, SESSION_MAX_MS / SECOND_MS, appUrl);
}

/** Returns the `Set-Cookie` header that removes the session from the browser. */
export function clearSessionCookie(appUrl: string): string {
  return writeCookie(NAME, "", 0, appUrl);
}

/**
 * Returns true if a `Cookie` header contains a session cookie in any form. Used only for hints, because only
 * the app host accepts the cookie.
 */
export function hasSessionCookie(header: string | null | undefined): boolean {
  return header?.includes(`${NAME}=`) ?? false;
}

/** Returns the cookie's name on an app host. */
export function formatSessionCookieName(appUrl: string): string {
  return formatCookieName(NAME, appUrl);
}
