import { fromBase64, isEqualInConstantTime, toBase64 } from "./crypto.ts";

/** Rounds of PBKDF2. Workers allow no more (https://developers.cloudflare.com/workers/runtime-apis/web-crypto/). */
const ROUNDS = 100_000;
const SALT_BYTES = 16;
const HASH_BITS = 256;
const ALGORITHM = "pbkdf2-sha256";

const encoder = new TextEncoder();

/**
 * Hashes a password with PBKDF2-HMAC-SHA-256 (RFC 8018) and a random salt. Returns `pbkdf2-sha256$rounds$salt$hash`, salt
 * and hash in Base64. The name of the algorithm comes first, so that hashes of other algorithms can stand beside it.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const hash = await derive(password, salt, ROUNDS);
  return [ALGORITHM, ROUNDS, toBase64(salt), hash].join("$");
}

/** Returns true if a password has the hash. Throws for a hash of an algorithm that it does not know. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const { rounds, salt, hash } = parseHash(stored);
  return isEqualInConstantTime(await derive(password, fromBase64(salt), rounds), hash);
}

/**
 * Returns the salt of a hash: it is another one each time a password is set, and tells nothing about the password. Throws
 * for a hash of an algorithm that it does not know.
 */
export function readPasswordSalt(stored: string): string {
  return parseHash(stored).salt;
}

function parseHash(stored: string): { rounds: number; salt: string; hash: string } {
  const [algorithm, rounds, salt = "", hash = ""] = stored.split("$");
  if (algorithm !== ALGORITHM) throw new Error("the hash of a password has an unknown algorithm");
  return { rounds: Number(rounds), salt, hash };
}

/** Derives the hash in Base64. A password that was typed in another Unicode form is the same (RFC 8265 section 4.2.2). */
async function derive(password: string, salt: Uint8Array, iterations: number): Promise<string> {
  const bytes = encoder.encode(password.normalize("NFC"));
  const key = await crypto.subtle.importKey("raw", bytes, "PBKDF2", false, ["deriveBits"]);
  const bits = await crypto.subtle.deriveBits(
    { name: "PBKDF2", hash: "SHA-256", salt, iterations },
    key,
    HASH_BITS,
  );
  return toBase64(new Uint8Array(bits));
}
