// Pure: no I/O, clock or randomness.
import { generateRandomText } from "../core/crypto.ts";
import { isReservedSlug } from "../routing/short-code.ts";

export const SLUG_MAX_LENGTH = 60;
export const SLUG_PATTERN = /^[a-z0-9-]+$/;
const SUFFIX_LENGTH = 6;
/** Lower-case letters and digits, except the easily confused 0, 1, i, l and o. */
const SUFFIX_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";

/** Returns true if a slug can be used without a suffix: it isn't empty and isn't reserved. */
export function isUsableSlug(slug: string): boolean {
  return slug !== "" && !isReservedSlug(slug);
}

/** Appends a short random suffix to a slug. The result has at most {@link SLUG_MAX_LENGTH} characters. */
export function appendSuffix(slug: string): string {
  const suffix = generateRandomText(SUFFIX_ALPHABET, SUFFIX_LENGTH);
  const base = joinWords(slug.split("-"), SLUG_MAX_LENGTH - SUFFIX_LENGTH - 1);
  return base === "" ? suffix : `${base}-${suffix}`;
}

/** Joins words with hyphens, up to `maxLength` characters. Cuts a first word that is too long. */
export function joinWords(words: readonly string[], maxLength: number): string {
  const [first = "", ...others] = words;
  let text = first.slice(0, maxLength);
  for (const word of others) {
    if (text.length + 1 + word.length > maxLength) break;
    text += `-${word}`;
  }
  return text;
}
