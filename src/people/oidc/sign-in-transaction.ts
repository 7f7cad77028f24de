import { type SealKey, seal, unseal } from "../../core/seal.ts";
import { MINUTE_MS } from "../../core/time.ts";

/** Time in which somebody has to sign in at the provider. */
export const TRANSACTION_MS = 10 * MINUTE_MS;
/** Purpose of the key that seals transactions, see `deriveSealKey`. */
export const TRANSACTION_KEY_PURPOSE = "sign-in at an identity provider";
const ASSOCIATED_DATA = "sign-in";

/** Sign-in that is under way. The browser holds it, sealed, in a cookie; the service stores nothing. */
export interface SignInTransaction {
  issuer: string;
  state: string;
  nonce: string;
  /** Code verifier of PKCE (RFC 7636). */
  verifier: string;
  returnPath: string;
  /** Id of the session that it may begin. So the primary key refuses a second one. */
  sessionId: string;
  expiresAtMs: number;
}

/** Seals a transaction for its cookie. */
export function sealTransaction(key: SealKey, transaction: SignInTransaction): Promise<string> {
  return seal(key, JSON.stringify(transaction), ASSOCIATED_DATA);
}

/** Opens a transaction. Returns null if it was altered, has expired, or began with another provider. */
export async function openTransaction(
  key: SealKey,
  sealed: string,
  issuer: string,
  nowMs: number,
): Promise<SignInTransaction | null> {
  const text = await unseal(key, sealed, ASSOCIATED_DATA).catch(() => null);
  if (text === null) return null;
  // The seal says that we wrote it.
  const transaction = JSON.parse(text) as SignInTransaction;
  return transaction.issuer === issuer && nowMs < transaction.expiresAtMs ? transaction : null;
}
