import { generateRandomText } from "../core/crypto.ts";
import { isReservedSlug } from "../routing/short-code.ts";

export const SLUG_MAX_LENGTH = 60;
export const SLUG_PATTERN = /^[a-z0-9-]+$/;
const SUFFIX_LENGTH = 6;
/** Lower-case letters and digits without those that look alike: 0, 1, i, l and o. */
const SUFFIX_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";

/** Returns true if a slug is usable without a suffix: it is not empty and not reserved. */
export function isUsableSlug(slug: string): boolean {
  return slug !== "" && !isReservedSlug(slug);
}

/** Returns the slug with a short random suffix, at most {@link SLUG_MAX_LENGTH} characters in all. */
export function appendSuffix(slug: string): string {
  const suffix = generateRandomText(SUFFIX_ALPHABET, SUFFIX_LENGTH);
  const base = joinWords(slug.split("-"), SLUG_MAX_LENGTH - SUFFIX_LENGTH - 1);
  return base === "" ? suffix : `${base}-${suffix}`;
}

/** Joins words with hyphens, up to `maxLength` characters. A first word that is longer is cut. */
export function joinWords(words: readonly string[], maxLength: number): string {
  const [first = "", ...others] = words;
  let text = first.slice(0, maxLength);
  for (const word of others) {
    if (text.length + 1 + word.length > maxLength) break;
    text += `-${word}`;
  }
  return text;
}
