import { SECOND_MS } from "../../core/time.ts";
import { TRANSACTION_MS } from "./sign-in-transaction.ts";

const NAME = "signpost_sign_in";
/** Prefix with which browsers take the cookie only from this host itself, over https. A local start has no https. */
const HOST_PREFIX = "__Host-";
/** Characters of a sealed text. */
const SEALED = /^[0-9a-f]+\.[A-Za-z0-9+/=]{1,4000}$/;

/** Returns the sealed transaction in a `Cookie` header, or null. `appUrl` is the URL of the app host. */
export function readTransactionCookie(header: string | null, appUrl: string): string | null {
  const prefix = `${formatName(appUrl)}=`;
  const cookie = header
    ?.split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix));
  const sealed = cookie?.slice(prefix.length) ?? "";
  return SEALED.test(sealed) ? sealed : null;
}

/**
 * Returns the `Set-Cookie` header with a sealed transaction. `Lax` lets the browser send it when the provider leads back
 * to this host, and with no request that another site makes in the background.
 */
export function writeTransactionCookie(sealed: string, appUrl: string): string {
  return formatCookie(sealed, TRANSACTION_MS / SECOND_MS, appUrl);
}

/** Returns the `Set-Cookie` header that ends a transaction. */
export function clearTransactionCookie(appUrl: string): string {
  return formatCookie("", 0, appUrl);
}

function formatCookie(value: string, maxAgeSeconds: number, appUrl: string): string {
  const secure = isHttps(appUrl) ? "; Secure" : "";
  return `${formatName(appUrl)}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

function formatName(appUrl: string): string {
  return isHttps(appUrl) ? `${HOST_PREFIX}${NAME}` : NAME;
}

function isHttps(appUrl: string): boolean {
  return appUrl.startsWith("https:");
}
