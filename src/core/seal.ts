import { fromBase64, toBase64 } from "./crypto.ts";

const SECRET_MIN_LENGTH = 32;
const KEY_BITS = 256;
const IV_BYTES = 12;

const encoder = new TextEncoder();

/** AES-256-GCM key for {@link seal} and {@link unseal}. */
export type SealKey = CryptoKey;

/**
 * Derives a key from a Worker secret with HKDF-SHA-256 (RFC 5869). `purpose` is the `info` of HKDF, so keys of
 * different purposes are independent. Throws if the secret is missing or short; the error names it as `secretName`.
 */
export async function deriveSealKey(
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
 * Encrypts a text. `associatedData` is the associated data of AEAD (RFC 5116): it names the record that stores the
 * result, so a sealed text that is copied to another record cannot be decrypted there. Returns Base64 of the
 * initialization vector and the ciphertext.
 */
export async function seal(key: SealKey, text: string, associatedData: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const ciphertext = await crypto.subtle.encrypt(
    buildAlgorithm(iv, associatedData),
    key,
    encoder.encode(text),
  );
  return toBase64(new Uint8Array([...iv, ...new Uint8Array(ciphertext)]));
}

/**
 * Decrypts a text of {@link seal}. Throws if the text was altered, or sealed with another key or other associated data.
 */
export async function unseal(key: SealKey, sealed: string, associatedData: string): Promise<string> {
  const bytes = fromBase64(sealed);
  const iv = bytes.subarray(0, IV_BYTES);
  const text = await crypto.subtle.decrypt(buildAlgorithm(iv, associatedData), key, bytes.subarray(IV_BYTES));
  return new TextDecoder().decode(text);
}

function buildAlgorithm(iv: Uint8Array, associatedData: string) {
  return { name: "AES-GCM", iv, additionalData: encoder.encode(associatedData) };
}
