import { SECOND_MS } from "../core/time.ts";
import { formatCookieName, readCookie, writeCookie } from "./host-cookie.ts";
import { SESSION_MAX_MS } from "./session-times.ts";

/** Name of the cookie with the token of a session. */
const NAME = "signpost_session";
const TOKEN = /^[A-Za-z0-9]{48}$/;

/** Returns the token of a session in a `Cookie` header, or null. `appUrl` is the URL of the app host. */
export function readSessionCookie(header: string | null | undefined, appUrl: string): string | null {
  return readCookie(header, NAME, TOKEN, appUrl);
}

/** Returns the `Set-Cookie` header that gives a browser a session. */
export function writeSessionCookie(token: string, appUrl: string): string {
  return writeCookie(NAME, token, SESSION_MAX_MS / SECOND_MS, appUrl);
}

/** Returns the `Set-Cookie` header that takes the session from a browser. */
export function clearSessionCookie(appUrl: string): string {
  return writeCookie(NAME, "", 0, appUrl);
}

/** Returns true if a `Cookie` header has a session of any form, which only the app host accepts. */
export function hasSessionCookie(header: string | null | undefined): boolean {
  return header?.includes(`${NAME}=`) ?? false;
}

/** Returns the name of the cookie at an app host. */
export function formatSessionCookieName(appUrl: string): string {
  return formatCookieName(NAME, appUrl);
}
