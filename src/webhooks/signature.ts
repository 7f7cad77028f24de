// Pure: no I/O, clock or randomness.
import { fromBase64, hmacSha256, hmacSha256Hex, toBase64 } from "../core/crypto.ts";

/**
 * Signatures of deliveries: an HMAC-SHA256 of the body, and the Standard Webhooks scheme
 * (https://www.standardwebhooks.com).
 */

const SECRET_PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** Returns a cryptographically random signing secret. */
export function generateSecret(): string {
  return SECRET_PREFIX + toBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** Parts of a delivery that are signed. */
export interface Signable {
  deliveryId: string;
  /** Unix time of the attempt in seconds. */
  timestampSeconds: number;
  /** Exact text of the body. */
  body: string;
}

/**
 * Returns the signature headers of one attempt. `secrets` has the current secret first, followed by replaced
 * secrets that still sign. `X-SVC-Signature` only has the signature made with the current secret.
 */
export async function buildSignatureHeaders(
  signable: Signable,
  secrets: readonly [string, ...string[]],
): Promise<Record<string, string>> {
  const [current, ...standard] = await Promise.all([
    signBody(secrets[0], signable.body),
    ...secrets.map((secret) => signStandard(secret, signable)),
  ]);
  return {
    "X-SVC-Signature": current,
    "webhook-id": signable.deliveryId,
    "webhook-timestamp": String(signable.timestampSeconds),
    "webhook-signature": standard.join(" "),
  };
}

/** Returns the HMAC-SHA256 of the body. The key is the whole secret as UTF-8, including its prefix. */
export async function signBody(secret: string, body: string): Promise<string> {
  return `sha256=${await hmacSha256Hex(secret, body)}`;
}

/** Returns a Standard Webhooks signature. The key is the decoded base64 part of the secret. */
export async function signStandard(secret: string, signable: Signable): Promise<string> {
  const { deliveryId, timestampSeconds, body } = signable;
  const key = fromBase64(secret.slice(SECRET_PREFIX.length));
  return `v1,${toBase64(await hmacSha256(key, `${deliveryId}.${timestampSeconds}.${body}`))}`;
}
