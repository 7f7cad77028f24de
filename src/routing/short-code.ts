// Pure: no I/O, clock or randomness.
import { generateRandomText } from "../core/crypto.ts";
import { API_SEGMENTS } from "./api-paths.ts";

/** Letters and digits without look-alikes (0 O 1 l I), because people type codes from print. */
export const CODE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
export const CODE_LENGTH = 7;

export const SLUG_MIN_LENGTH = 3;
export const SLUG_MAX_LENGTH = 64;
export const SLUG_PATTERN = /^[A-Za-z0-9-]+$/;

/** Slugs that are paths of the service, or look like them. */
const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  ...API_SEGMENTS,
  "cdn-cgi",
  "api",
  "admin",
  "dashboard",
  "assets",
  "static",
  "login",
]);

/**
 * Returns a random short code from a cryptographic source. The unique index of `links` decides whether the
 * code is free.
 */
export function generateShortCode(): string {
  return generateRandomText(CODE_ALPHABET, CODE_LENGTH);
}

/** Returns true if links and pages can't use the slug. */
export function isReservedSlug(slug: string): boolean {
  return RESERVED_SLUGS.has(slug.toLowerCase());
}

/** Returns true if a path segment has the form of a short code. Other paths need no look-up. */
export function mayBeShortCode(text: string): boolean {
  return text.length >= SLUG_MIN_LENGTH && text.length <= SLUG_MAX_LENGTH && SLUG_PATTERN.test(text);
}

const NOT_ASCII = /[\u0080-\uffff]/;

/**
 * Returns the key for storing and finding a short code or another path: A to Z in lower case, like SQLite's
 * `lower()`. Codes that differ only in case have the same key and can't coexist.
 */
export function toCodeKey(path: string): string {
  if (!NOT_ASCII.test(path)) return path.toLowerCase();
  return path.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
