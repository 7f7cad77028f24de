// Pure: no I/O, clock or randomness.
import { romanize } from "./romanize.ts";
import { joinWords, SLUG_MAX_LENGTH } from "./slug.ts";

/**
 * Converts a title to lower-case ASCII words joined by hyphens, cut to {@link SLUG_MAX_LENGTH}, between words
 * if possible. The result is empty if the title has no letters or digits.
 *
 * Import this file lazily: only new pages need the large table of letters that it imports.
 */
export function slugify(title: string): string {
  const text = title
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("&", " and ")
    .replaceAll(/['‘’`]|(?![\u200b\u200c])\p{Cf}/gu, "")
    .replaceAll(/[^\p{L}\p{M}\p{N}]/gu, " ");
  const ascii = romanize(text).toLowerCase().replaceAll(/['`]/g, "");
  const words = ascii.split(/[^a-z0-9]+/).filter((word) => word !== "");
  return joinWords(words, SLUG_MAX_LENGTH);
}
