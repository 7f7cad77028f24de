import { fromBase64, toBase64, toHex } from "./crypto.ts";

const SECRET_MIN_LENGTH = 32;
const KEY_BITS = 256;
const KEY_ID_BYTES = 4;
const IV_BYTES = 12;

const encoder = new TextEncoder();

/** Worker secrets that {@link deriveSealKey} takes. */
export interface SealSecrets {
  WEBHOOK_KEY: string;
  /** Former `WEBHOOK_KEY`, while texts that it sealed are in use. An empty text counts as absent. */
  WEBHOOK_KEY_PREVIOUS?: string;
}

/** Key for {@link seal} and {@link unseal}. Its current part seals; the part of the former secret only opens. */
export interface SealKey {
  current: KeyPart;
  previous: KeyPart | null;
}

/** AES-256-GCM key of one secret. */
interface KeyPart {
  /** Hexadecimal id, derived from the secret. Each sealed text begins with it. */
  id: string;
  key: CryptoKey;
}

/**
 * Derives the key of one purpose from the Worker secrets with HKDF-SHA-256 (RFC 5869). `purpose` is the `info` of HKDF,
 * so keys of different purposes are independent. Throws if a secret is missing or short; the error names it.
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
 * Encrypts a text with the current secret. `associatedData` is the associated data of AEAD (RFC 5116): it names the record
 * that stores the result, so a sealed text that is copied to another record cannot be decrypted there. Returns the id
 * of the secret, a dot, and Base64 of the initialization vector and the ciphertext.
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
 * Decrypts a text of {@link seal} with the secret that sealed it. Throws if the text was altered, or sealed with a third
 * secret or other associated data.
 */
export async function unseal(key: SealKey, sealed: string, associatedData: string): Promise<string> {
  const [, id, base64 = ""] = /^(?:([0-9a-f]+)\.)?(.*)$/s.exec(sealed) ?? [];
  const candidates = [key.current, key.previous].filter((part) => part !== null);
  const bytes = fromBase64(base64);
  // A text without an id was sealed before ids were written, so every key is tried.
  const fitting = candidates.filter((candidate) => id === undefined || candidate.id === id);
  return Promise.any(fitting.map(({ key }) => decrypt(key, bytes, associatedData)));
}

async function decrypt(key: CryptoKey, bytes: Uint8Array, associatedData: string): Promise<string> {
  const iv = bytes.subarray(0, IV_BYTES);
  const text = await crypto.subtle.decrypt(buildAlgorithm(iv, associatedData), key, bytes.subarray(IV_BYTES));
  return new TextDecoder().decode(text);
}

/** Returns the beginning of every text that {@link seal} returns for the key. */
export function formatSealPrefix({ current }: SealKey): string {
  return `${current.id}.`;
}

function buildAlgorithm(iv: Uint8Array, associatedData: string) {
  return { name: "AES-GCM", iv, additionalData: encoder.encode(associatedData) };
}
