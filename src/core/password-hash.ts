import { fromBase64, isEqualInConstantTime, toBase64 } from "./crypto.ts";

/**
 * PBKDF2 iterations. Workers don't allow more
 * (https://developers.cloudflare.com/workers/runtime-apis/web-crypto/).
 */
const ROUNDS = 100_000;
const SALT_BYTES = 16;
const HASH_BITS = 256;
const ALGORITHM = "pbkdf2-sha256";
/**
 * Marks hashes imported from Sink. Sink uses the same algorithm, but doesn't normalize the password
 * (Unicode).
 */
const SINK_ALGORITHM = "sink-pbkdf2-sha256";
/** Bounds of imported hashes. Their length must be {@link HASH_BITS}. */
const IMPORTED_ROUNDS_MIN = 1_000;
const IMPORTED_SALT_MIN_BYTES = 8;
const IMPORTED_SALT_MAX_BYTES = 64;

const encoder = new TextEncoder();

/**
 * Hashes a password with PBKDF2-HMAC-SHA-256 (RFC 8018) and a random salt. Returns
 * `pbkdf2-sha256$rounds$salt$hash` with salt and hash in Base64. The prefix leaves room for other algorithms.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const hash = await derive(normalize(password), salt, ROUNDS);
  return [ALGORITHM, ROUNDS, toBase64(salt), hash].join("$");
}

/**
 * Returns true if a password matches a stored hash. Throws an `Error` if the hash has an unknown algorithm.
 */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const { algorithm, rounds, salt, hash } = parseHash(stored);
  // Sink hashes passwords as typed.
  const text = algorithm === SINK_ALGORITHM ? password : normalize(password);
  return isEqualInConstantTime(await derive(text, fromBase64(salt), rounds), hash);
}

/**
 * Returns the salt of a hash. The salt changes each time a password is set, and reveals nothing about the
 * password. Throws an `Error` if the hash has an unknown algorithm.
 */
export function readPasswordSalt(stored: string): string {
  return parseHash(stored).salt;
}

function parseHash(stored: string): { algorithm: string; rounds: number; salt: string; hash: string } {
  const [algorithm = "", rounds, salt = "", hash = ""] = stored.split("$");
  if (algorithm !== ALGORITHM && algorithm !== SINK_ALGORITHM)
    throw new Error("the hash of a password has an unknown algorithm");
  return { algorithm, rounds: Number(rounds), salt, hash };
}

const BASE64 = "[A-Za-z0-9+/]+={0,2}";
/** Hash in the format of {@link hashPassword}. */
const OWN_HASH = new RegExp(`^${ALGORITHM}\\$(\\d{4,6})\\$(${BASE64})\\$(${BASE64})$`);
/**
 * Hash exported by Sink: PBKDF2-HMAC-SHA-256 with salt and hash in URL-safe Base64 without padding. Its last
 * part contains the last characters of the password itself
 * (https://github.com/miantiao-me/Sink/blob/master/server/utils/link-password.ts).
 */
const SINK_HASH = /^sink-pwd:v1:(\d{4,6}):([\w-]+):([\w-]+):[\w-]{0,64}$/;

/**
 * Converts an imported hash to the format in which it is stored. Accepts hashes of {@link hashPassword} and
 * of Sink, and drops the plain-text part of Sink's hashes. Returns null for other texts, for too few rounds
 * to protect a password and for more rounds than Workers allow.
 */
export function importPasswordHash(text: string): string | null {
  const [, ownRounds, ownSalt, ownHash] = OWN_HASH.exec(text) ?? [];
  if (ownRounds !== undefined) return formatImported(ALGORITHM, ownRounds, ownSalt, ownHash);
  const [, rounds, salt, hash] = SINK_HASH.exec(text) ?? [];
  if (rounds === undefined) return null;
  return formatImported(SINK_ALGORITHM, rounds, fromUrlBase64(salt), fromUrlBase64(hash));
}

function formatImported(algorithm: string, rounds: string, salt = "", hash = ""): string | null {
  const number = Number(rounds);
  if (number < IMPORTED_ROUNDS_MIN || number > ROUNDS) return null;
  const bytes = [salt, hash].map(readBase64);
  // Decodes and re-encodes both parts, because verification compares Base64 texts and the same bytes can have
  // several encodings.
  const [saltBytes, hashBytes] = bytes;
  if (!saltBytes || !hashBytes || hashBytes.length * 8 !== HASH_BITS) return null;
  if (saltBytes.length < IMPORTED_SALT_MIN_BYTES || saltBytes.length > IMPORTED_SALT_MAX_BYTES) return null;
  return [algorithm, number, toBase64(saltBytes), toBase64(hashBytes)].join("$");
}

function readBase64(text: string): Uint8Array | null {
  try {
    return fromBase64(text);
  } catch {
    return null;
  }
}

/** Converts URL-safe Base64 (RFC 4648 section 5) to standard Base64. */
function fromUrlBase64(text = ""): string {
  return text.replaceAll("-", "+").replaceAll("_", "/");
}

/** Normalizes a password, so that it matches when typed in another Unicode form (RFC 8265 section 4.2.2). */
function normalize(password: string): string {
  return password.normalize("NFC");
}

/** Derives the hash and returns it in Base64. */
async function derive(password: string, salt: Uint8Array, iterations: number): Promise<string> {
  const key = await crypto.subtle.importKey("raw", encoder.encode(password), "PBKDF2", false, ["deriveBits"]);
  const bits = await crypto.subtle.deriveBits(
    { name: "PBKDF2", hash: "SHA-256", salt: salt as Uint8Array<ArrayBuffer>, iterations },
    key,
    HASH_BITS,
  );
  return toBase64(new Uint8Array(bits));
}
