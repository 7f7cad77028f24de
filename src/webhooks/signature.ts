import { fromBase64, hmacSha256, hmacSha256Hex, toBase64 } from "../core/crypto.ts";

/**
 * Signatures of deliveries: HMAC-SHA256 over the body, and the scheme of the Standard Webhooks specification
 * (https://www.standardwebhooks.com). Without clock or storage.
 */

const SECRET_PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** Returns a random signing secret from a cryptographic source. */
export function generateSecret(): string {
  return SECRET_PREFIX + toBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** Signed parts of a delivery. */
export interface Signable {
  deliveryId: string;
  /** Unix time of the attempt in seconds. */
  timestampSeconds: number;
  /** Exact text of the body. */
  body: string;
}

/**
 * Returns the signature headers of one attempt. `secrets` holds the current secret, then the replaced ones that still
 * sign. `X-SVC-Signature` holds one signature only, that of the current secret.
 */
export async function buildSignatureHeaders(
  signable: Signable,
  secrets: readonly [string, ...string[]],
): Promise<Record<string, string>> {
  const [svc, ...standard] = await Promise.all([
    signBody(secrets[0], signable.body),
    ...secrets.map((secret) => signStandard(secret, signable)),
  ]);
  return {
    "X-SVC-Signature": svc,
    "webhook-id": signable.deliveryId,
    "webhook-timestamp": String(signable.timestampSeconds),
    "webhook-signature": standard.join(" "),
  };
}

/** Returns the HMAC-SHA256 of the body. The key is the UTF-8 text of the secret, prefix included. */
export async function signBody(secret: string, body: string): Promise<string> {
  return `sha256=${await hmacSha256Hex(secret, body)}`;
}

/** Returns a signature by the Standard Webhooks specification. The key is the decoded base64 part of the secret. */
export async function signStandard(secret: string, signable: Signable): Promise<string> {
  const { deliveryId, timestampSeconds, body } = signable;
  const key = fromBase64(secret.slice(SECRET_PREFIX.length));
  return `v1,${toBase64(await hmacSha256(key, `${deliveryId}.${timestampSeconds}.${body}`))}`;
}
