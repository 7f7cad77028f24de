import { fromBase64, toBase64, toHex } from "./crypto.ts";

const SECRET_MIN_LENGTH = 32;
const KEY_BITS = 256;
const KEY_ID_BYTES = 4;
const IV_BYTES = 12;

const encoder = new TextEncoder();

/** Worker secrets that {@link deriveSealKey} reads. */
export interface SealSecrets {
  WEBHOOK_KEY: string;
  /** Previous `WEBHOOK_KEY`, needed while sealed texts still use it. An empty value counts as missing. */
  WEBHOOK_KEY_PREVIOUS?: string;
}

/** Key for {@link seal} and {@link unseal}. `current` encrypts and decrypts; `previous` only decrypts. */
export interface SealKey {
  current: KeyPart;
  previous: KeyPart | null;
}

/** AES-256-GCM key derived from one secret. */
interface KeyPart {
  /** Hex id derived from the secret. Prefixes all texts sealed with this key. */
  id: string;
  key: CryptoKey;
}

/**
 * Derives a key for one purpose from the Worker secrets with HKDF-SHA-256 (RFC 5869). `purpose` is the `info`
 * of HKDF, so keys for different purposes are independent. Throws an `Error` naming the secret if a secret is
 * missing or too short.
 */
export async function deriveSealKey(secrets: SealSecrets, purpose: string): Promise<SealKey> {
  const { WEBHOOK_KEY: current, WEBHOOK_KEY_PREVIOUS: previous } = secrets;
  const [currentKey, previousKey] = await Promise.all([
    deriveKey(current, "WEBHOOK_KEY", purpose),
    previous ? deriveKey(previous, "WEBHOOK_KEY_PREVIOUS", purpose) : null,
  ]);
  return { current: currentKey, previous: previousKey };
}

async function deriveKey(secret: string | undefined, secretName: string, purpose: string): Promise<KeyPart> {
  if (secret === undefined || secret.length < SECRET_MIN_LENGTH) {
    throw new Error(`the Worker secret ${secretName} must have at least ${SECRET_MIN_LENGTH} characters`);
  }
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, [
    "deriveKey",
    "deriveBits",
  ]);
  const parameters = (info: string) => ({
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: encoder.encode(info),
  });
  const [key, id] = await Promise.all([
    crypto.subtle.deriveKey(parameters(purpose), material, { name: "AES-GCM", length: KEY_BITS }, false, [
      "encrypt",
      "decrypt",
    ]),
    crypto.subtle.deriveBits(parameters(`id of the key: ${purpose}`), material, KEY_ID_BYTES * 8),
  ]);
  return { id: toHex(new Uint8Array(id)), key };
}

/**
 * Encrypts a text with the current secret. `associatedData` (associated data of AEAD, RFC 5116) identifies
 * the record that stores the result, so that a sealed text copied to another record can't be decrypted.
 * Returns the key id, a dot, and the initialization vector and ciphertext in Base64.
 */
export async function seal(key: SealKey, text: string, associatedData: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const ciphertext = await crypto.subtle.encrypt(
    buildAlgorithm(iv, associatedData),
    key.current.key,
    encoder.encode(text),
  );
  return `${formatSealPrefix(key)}${toBase64(new Uint8Array([...iv, ...new Uint8Array(ciphertext)]))}`;
}

/**
 * Decrypts a text sealed by {@link seal}. Throws if the text was altered, or was sealed with another secret
 * or other associated data.
 */
export async function unseal(key: SealKey, sealed: string, associatedData: string): Promise<string> {
  const [, id, base64 = ""] = /^(?:([0-9a-f]+)\.)?(.*)$/s.exec(sealed) ?? [];
  const candidates = [key.current, key.previous].filter((part) => part !== null);
  const bytes = fromBase64(base64);
  // Tries all keys for old texts that were sealed before key ids were added.
  const fitting = candidates.filter((candidate) => id === undefined || candidate.id === id);
  return Promise.any(fitting.map(({ key }) => decrypt(key, bytes, associatedData)));
}

async function decrypt(key: CryptoKey, bytes: Uint8Array, associatedData: string): Promise<string> {
  const iv = bytes.subarray(0, IV_BYTES);
  const text = await crypto.subtle.decrypt(buildAlgorithm(iv, associatedData), key, bytes.subarray(IV_BYTES));
  return new TextDecoder().decode(text);
}

/** Returns the prefix of all texts that {@link seal} encrypts with a key. */
export function formatSealPrefix({ current }: SealKey): string {
  return `${current.id}.`;
}

function buildAlgorithm(iv: Uint8Array, associatedData: string) {
  return { name: "AES-GCM", iv, additionalData: encoder.encode(associatedData) };
}
