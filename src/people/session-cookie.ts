import { SECOND_MS } from "../core/time.ts";
import { SESSION_MAX_MS } from "./session-times.ts";

/** Name of the cookie with the token of a session. */
const NAME = "signpost_session";
/**
 * Prefix with which browsers take the cookie only from this host itself, over https, for all of its paths: no other host
 * below the same domain can plant a session (https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis).
 */
const HOST_PREFIX = "__Host-";
const TOKEN = /^[A-Za-z0-9]{48}$/;

/** Returns the token of a session in a `Cookie` header, or null. `appUrl` is the URL of the app host. */
export function readSessionCookie(header: string | null | undefined, appUrl: string): string | null {
  const prefix = `${formatCookieName(appUrl)}=`;
  const cookie = header
    ?.split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix));
  const token = cookie?.slice(prefix.length) ?? "";
  return TOKEN.test(token) ? token : null;
}

/** Returns the `Set-Cookie` header that gives a browser a session. */
export function writeSessionCookie(token: string, appUrl: string): string {
  return formatCookie(token, SESSION_MAX_MS / SECOND_MS, appUrl);
}

/** Returns the `Set-Cookie` header that takes the session from a browser. */
export function clearSessionCookie(appUrl: string): string {
  return formatCookie("", 0, appUrl);
}

/** Returns true if a `Cookie` header has a session of any form, which only the app host accepts. */
export function hasSessionCookie(header: string | null | undefined): boolean {
  return header?.includes(`${NAME}=`) ?? false;
}

function formatCookie(value: string, maxAgeSeconds: number, appUrl: string): string {
  const attributes = [
    `${formatCookieName(appUrl)}=${value}`,
    `Max-Age=${maxAgeSeconds}`,
    "Path=/",
    "HttpOnly",
    "SameSite=Lax",
  ];
  return [...attributes, ...(isHttps(appUrl) ? ["Secure"] : [])].join("; ");
}

/** Returns the name of the cookie at an app host. */
export function formatCookieName(appUrl: string): string {
  return isHttps(appUrl) ? `${HOST_PREFIX}${NAME}` : NAME;
}

function isHttps(appUrl: string): boolean {
  return appUrl.startsWith("https:");
}
