import type { components } from "./schema.d.ts";

/** Verifies webhook deliveries by the Standard Webhooks specification (https://www.standardwebhooks.com). */

type Schemas = components["schemas"];

/** Event of a delivery. The field `event` determines the type of the field `data`. */
export type WebhookEvent = Extract<
  { [Name in keyof Schemas]: Name extends `${string}Event` ? Schemas[Name] : never }[keyof Schemas],
  { event: string }
>;

/** Thrown if a delivery isn't from the service or is too old. */
export class WebhookVerificationError extends Error {
  override name = "WebhookVerificationError";
}

/** Options of {@link verifyWebhook}. */
export interface VerifyOptions {
  /** Maximum difference between a delivery's timestamp and the current time, in seconds. Default 300. */
  toleranceSeconds?: number;
  /** Current time in Unix milliseconds. Default: now. */
  nowMs?: number;
}

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = "whsec_";
const VERSION_PREFIX = "v1,";

/**
 * Verifies a delivery and returns its event. At least one of the delivery's signatures must match the secret.
 * `body` is the exact text or bytes of the request. Throws a {@link WebhookVerificationError} if the delivery
 * is forged, was changed, or is a copy of an old delivery.
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
    throw new WebhookVerificationError("the webhook timestamp is too old or too far in the future");
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const key = await importSecret(secret);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const signature of signatures) {
    const bytes = signature.startsWith(VERSION_PREFIX)
      ? decodeBase64(signature.slice(VERSION_PREFIX.length))
      : null;
    // `verify` compares in constant time.
    if (bytes !== null && (await crypto.subtle.verify("HMAC", key, bytes, signed))) return JSON.parse(text);
  }
  throw new WebhookVerificationError("no webhook signature matches this secret");
}

function readHeader(headers: Headers | Record<string, string | string[] | undefined>, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value !== "string" || value === "")
    throw new WebhookVerificationError(`the webhook header ${name} is missing`);
  return value;
}

/**
 * Imports a secret of the form `whsec_` plus base64. Throws a `TypeError` for other text, because a malformed
 * secret is the caller's mistake.
 */
function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = secret.startsWith(SECRET_PREFIX) ? decodeBase64(secret.slice(SECRET_PREFIX.length)) : null;
  if (bytes === null || bytes.length === 0)
    throw new TypeError("invalid webhook secret: expected a value that starts with whsec_");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
