// Pure: no I/O, clock or randomness.
import { type SealKey, seal, unseal } from "../core/seal.ts";
import { MINUTE_MS } from "../core/time.ts";

/** Time limit for signing in at the provider. */
export const TRANSACTION_MS = 10 * MINUTE_MS;
/** Purpose of the key that seals transactions, see `deriveSealKey`. */
export const TRANSACTION_KEY_PURPOSE = "sign-in at an identity provider";
const ASSOCIATED_DATA = "sign-in";

/** State of a sign-in in progress. It is stored only in the browser, in a sealed cookie. */
export interface SignInTransaction {
  issuer: string;
  state: string;
  nonce: string;
  /** PKCE code verifier (RFC 7636). */
  verifier: string;
  returnPath: string;
  /** Id of the session that this sign-in may start. The primary key prevents a second session. */
  sessionId: string;
  expiresAtMs: number;
}

/** Seals a transaction for its cookie. */
export function sealTransaction(key: SealKey, transaction: SignInTransaction): Promise<string> {
  return seal(key, JSON.stringify(transaction), ASSOCIATED_DATA);
}

/**
 * Opens a sealed transaction. Returns null if it was altered, has expired, or was started with another
 * provider.
 */
export async function openTransaction(
  key: SealKey,
  sealed: string,
  issuer: string,
  nowMs: number,
): Promise<SignInTransaction | null> {
  const text = await unseal(key, sealed, ASSOCIATED_DATA).catch(() => null);
  if (text === null) return null;
  // The content needs no validation, because only Signpost can seal it.
  const transaction = JSON.parse(text) as SignInTransaction;
  return transaction.issuer === issuer && nowMs < transaction.expiresAtMs ? transaction : null;
}
