import { fromBase64, toBase64 } from "./crypto.ts";

const SECRET_MIN_LENGTH = 32;
const KEY_BITS = 256;
const IV_BYTES = 12;

const encoder = new TextEncoder();

/** What {@link seal} and {@link unseal} work with: made of a Worker secret for one purpose. */
export type SealKey = CryptoKey;

/**
 * The AES-256-GCM key that a Worker secret yields for one purpose (HKDF-SHA-256, RFC 5869): keys of different purposes
 * say nothing of each other. Throws if the secret is missing or short, naming it as `secretName`.
 */
export async function sealKey(
  secret: string | undefined,
  secretName: string,
  purpose: string,
): Promise<SealKey> {
  if (secret === undefined || secret.length < SECRET_MIN_LENGTH) {
    throw new Error(`the Worker secret ${secretName} must have at least ${SECRET_MIN_LENGTH} characters`);
  }
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveKey"]);
  return crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode(purpose) },
    material,
    { name: "AES-GCM", length: KEY_BITS },
    false,
    ["encrypt", "decrypt"],
  );
}

/**
 * Encrypts a text that only this service shall read again. It is bound to where it is kept: what was sealed for one
 * place is worth nothing at another. Answers base64 of the initialization vector and the ciphertext.
 */
export async function seal(key: SealKey, text: string, place: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = await crypto.subtle.encrypt(parameters(iv, place), key, encoder.encode(text));
  return toBase64(new Uint8Array([...iv, ...new Uint8Array(sealed)]));
}

/** The text of {@link seal}. Throws if it was sealed with another key, for another place, or was altered. */
export async function unseal(key: SealKey, sealed: string, place: string): Promise<string> {
  const bytes = fromBase64(sealed);
  const iv = bytes.subarray(0, IV_BYTES);
  const text = await crypto.subtle.decrypt(parameters(iv, place), key, bytes.subarray(IV_BYTES));
  return new TextDecoder().decode(text);
}

function parameters(iv: Uint8Array, place: string) {
  return { name: "AES-GCM", iv, additionalData: encoder.encode(place) };
}
