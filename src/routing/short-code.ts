import { randomText } from "../core/crypto.ts";

/** Letters and digits that cannot be taken for another: no 0 O 1 l I. */
export const CODE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
export const CODE_LENGTH = 7;

export const SLUG_MIN_LENGTH = 3;
export const SLUG_MAX_LENGTH = 64;
export const SLUG_PATTERN = /^[A-Za-z0-9-]+$/;

/** First path segments that the Worker serves itself, on any host, and those that people would mistake for it. */
const RESERVED = new Set([
  "v1",
  "docs",
  "healthz",
  "uploads",
  "cdn-cgi",
  "api",
  "admin",
  "dashboard",
  "assets",
  "static",
  "login",
]);

/** A new short code from a cryptographic source; its uniqueness is the database's to say. */
export function generateShortCode(): string {
  return randomText(CODE_ALPHABET, CODE_LENGTH);
}

/** Whether a slug is not to be had (decisions section 0). */
export function isReservedSlug(slug: string): boolean {
  return RESERVED.has(slug.toLowerCase());
}

/** Whether a path segment could be a short code at all; what could not needs no look-up. */
export function mayBeShortCode(text: string): boolean {
  return text.length >= SLUG_MIN_LENGTH && text.length <= SLUG_MAX_LENGTH && SLUG_PATTERN.test(text);
}

/** What a short code is unique and found by. */
export function toCodeKey(shortCode: string): string {
  return shortCode.toLowerCase();
}
