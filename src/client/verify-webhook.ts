import type { components } from "./schema.d.ts";

/** Verification of webhook deliveries by the Standard Webhooks specification (https://www.standardwebhooks.com). */

type Schemas = components["schemas"];

/** Event of a delivery. `event` tells which data it has. */
export type WebhookEvent = Extract<
  { [Name in keyof Schemas]: Name extends `${string}Event` ? Schemas[Name] : never }[keyof Schemas],
  { event: string }
>;

/** Delivery that does not come from the service, or comes late. */
export class WebhookVerificationError extends Error {
  override name = "WebhookVerificationError";
}

/** Options of {@link verifyWebhook}. */
export interface VerifyOptions {
  /** Age or lead of a delivery's timestamp at which it is refused, in seconds. Default 300. */
  toleranceSeconds?: number;
  /** Unix time in milliseconds. Default: now. */
  nowMs?: number;
}

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = "whsec_";
const VERSION_PREFIX = "v1,";

/**
 * Returns the event of a delivery if one of its signatures is by the secret. `body` is the exact text or bytes of the
 * request. Throws a {@link WebhookVerificationError} if the delivery is forged, was changed, or is a copy of an old one.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers | Record<string, string | string[] | undefined>,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS, nowMs = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = readHeader(headers, "webhook-id");
  const timestamp = readHeader(headers, "webhook-timestamp");
  const signatures = readHeader(headers, "webhook-signature").split(" ");
  const skewSeconds = Math.abs(nowMs / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || skewSeconds > toleranceSeconds)
    throw new WebhookVerificationError("the timestamp of the delivery is too far from now");
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const key = await importSecret(secret);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const signature of signatures) {
    const bytes = signature.startsWith(VERSION_PREFIX)
      ? decodeBase64(signature.slice(VERSION_PREFIX.length))
      : null;
    // The comparison of `verify` takes the same time for every wrong signature.
    if (bytes !== null && (await crypto.subtle.verify("HMAC", key, bytes, signed))) return JSON.parse(text);
  }
  throw new WebhookVerificationError("no signature of the delivery is by this secret");
}

function readHeader(headers: Headers | Record<string, string | string[] | undefined>, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value !== "string" || value === "")
    throw new WebhookVerificationError(`the delivery has no header ${name}`);
  return value;
}

/** Imports a secret as it was shown: `whsec_` and base64. Throws a `TypeError` for another text: a mistake of the caller. */
function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = secret.startsWith(SECRET_PREFIX) ? decodeBase64(secret.slice(SECRET_PREFIX.length)) : null;
  if (bytes === null || bytes.length === 0)
    throw new TypeError("the secret must be the whsec_… that was shown");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
