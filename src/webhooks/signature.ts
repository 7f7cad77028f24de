import { fromBase64, hmacSha256, hmacSha256Hex, toBase64 } from "../core/crypto.ts";

/** Signatures of deliveries (decisions section 7). No clock and no storage. */

const SECRET_PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A new signing secret from a cryptographic source. */
export function generateSecret(): string {
  return SECRET_PREFIX + toBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** What is signed. */
export interface Signable {
  deliveryId: string;
  /** Unix time of the attempt. */
  timestampSeconds: number;
  /** The exact text of the body. */
  body: string;
}

/**
 * The signature headers of one attempt. `secrets` holds the current secret, then, during a rotation, the one before;
 * `X-SVC-Signature` has room for the current one's signature alone.
 */
export async function signatureHeaders(
  signable: Signable,
  secrets: readonly [string, ...string[]],
): Promise<Record<string, string>> {
  const [svc, ...standard] = await Promise.all([
    svcSignature(secrets[0], signable.body),
    ...secrets.map((secret) => standardSignature(secret, signable)),
  ]);
  return {
    "X-SVC-Signature": svc,
    "webhook-id": signable.deliveryId,
    "webhook-timestamp": String(signable.timestampSeconds),
    "webhook-signature": standard.join(" "),
  };
}

/** HMAC-SHA256 of the body; the key is the secret as its owner reads it. */
export async function svcSignature(secret: string, body: string): Promise<string> {
  return `sha256=${await hmacSha256Hex(secret, body)}`;
}

/** A signature of the Standard Webhooks specification; the key is what the secret's base64 part encodes. */
export async function standardSignature(secret: string, signable: Signable): Promise<string> {
  const { deliveryId, timestampSeconds, body } = signable;
  const key = fromBase64(secret.slice(SECRET_PREFIX.length));
  return `v1,${toBase64(await hmacSha256(key, `${deliveryId}.${timestampSeconds}.${body}`))}`;
}
