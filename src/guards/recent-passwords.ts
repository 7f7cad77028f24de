import { hmacSha256, toBase64 } from "../core/crypto.ts";
import { verifyPassword } from "../core/password-hash.ts";
import { MINUTE_MS } from "../core/time.ts";

/** Time for which this isolate remembers a right password, and maximum number of remembered ones. */
const MEMORY_MS = 10 * MINUTE_MS;
const REMEMBERED_MAX = 1_000;
const KEY_BYTES = 32;

/**
 * Times at which passwords were right, by the HMAC of password and stored hash. The key exists only in this
 * isolate, so that the values can't be compared with anything outside of it.
 */
const rightAtMs = new Map<string, number>();
let key: Uint8Array | undefined;

/**
 * Like {@link verifyPassword}, but derives a hash only once if a class or a team opens a link with the same
 * password. A derivation takes 20 ms, in which the isolate serves no other request. Wrong passwords are always
 * derived. A change of the password changes the stored hash, so the former password isn't found.
 */
export async function verifyRecentPassword(
  password: string,
  stored: string,
  nowMs: number,
): Promise<boolean> {
  // Created on the first use, because Workers have no randomness while modules are evaluated.
  key ??= crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  const name = toBase64(await hmacSha256(key, `${stored}\n${password}`));
  if (nowMs < (rightAtMs.get(name) ?? Number.NEGATIVE_INFINITY) + MEMORY_MS) return true;
  if (!(await verifyPassword(password, stored))) return false;
  if (rightAtMs.size >= REMEMBERED_MAX) rightAtMs.delete(rightAtMs.keys().next().value as string);
  rightAtMs.set(name, nowMs);
  return true;
}
