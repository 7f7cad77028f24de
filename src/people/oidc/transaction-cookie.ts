import { SECOND_MS } from "../../core/time.ts";
import { readCookie, writeCookie } from "../host-cookie.ts";
import { TRANSACTION_MS } from "./sign-in-transaction.ts";

const NAME = "signpost_sign_in";
/** Characters of a sealed text. */
const SEALED = /^[0-9a-f]+\.[A-Za-z0-9+/=]{1,4000}$/;

/** Returns the sealed transaction in a `Cookie` header, or null. `appUrl` is the URL of the app host. */
export function readTransactionCookie(header: string | null, appUrl: string): string | null {
  return readCookie(header, NAME, SEALED, appUrl);
}

/** Returns the `Set-Cookie` header with a sealed transaction, which the browser sends when the provider leads back. */
export function writeTransactionCookie(sealed: string, appUrl: string): string {
  return writeCookie(NAME, sealed, TRANSACTION_MS / SECOND_MS, appUrl);
}

/** Returns the `Set-Cookie` header that ends a transaction. */
export function clearTransactionCookie(appUrl: string): string {
  return writeCookie(NAME, "", 0, appUrl);
}
