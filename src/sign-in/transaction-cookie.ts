// Pure: no I/O, clock or randomness.
import { SECOND_MS } from "../core/time.ts";
import { readCookie, writeCookie } from "../members/host-cookie.ts";
import { TRANSACTION_MS } from "./sign-in-transaction.ts";

const NAME = "signpost_sign_in";
/** Matches a sealed text. */
const SEALED = /^[0-9a-f]+\.[A-Za-z0-9+/=]{1,4000}$/;

/** Returns the sealed transaction in a `Cookie` header, or null. `appUrl` is the origin of the app host. */
export function readTransactionCookie(header: string | null, appUrl: string): string | null {
  return readCookie(header, NAME, SEALED, appUrl);
}

/**
 * Returns the `Set-Cookie` header for a sealed transaction. The browser sends it back when the provider
 * redirects to the app host.
 */
export function writeTransactionCookie(sealed: string, appUrl: string): string {
  return writeCookie(NAME, sealed, TRANSACTION_MS / SECOND_MS, appUrl);
}

/** Returns the `Set-Cookie` header that deletes the transaction. */
export function clearTransactionCookie(appUrl: string): string {
  return writeCookie(NAME, "", 0, appUrl);
}
