import { generateRandomText } from "../core/crypto.ts";
import { isReservedSlug } from "../routing/short-code.ts";

export const SLUG_MAX_LENGTH = 60;
const SUFFIX_LENGTH = 6;
/** Lower-case letters and digits without those that look alike: 0, 1, i, l and o. */
const SUFFIX_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";

/** Transliteration of letters that Unicode (NFKD) does not decompose into an ASCII letter and a mark. */
const LETTERS: Record<string, string> = {
  // Latin
  ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", ð: "d", đ: "d", þ: "th", ł: "l", ħ: "h", ı: "i", ŋ: "ng", ə: "e" },
  // Greek
  ...{ α: "a", β: "v", γ: "g", δ: "d", ε: "e", ζ: "z", η: "i", θ: "th", ι: "i", κ: "k", λ: "l", μ: "m" },
  ...{
    ν: "n",
    ξ: "x",
    ο: "o",
    π: "p",
    ρ: "r",
    σ: "s",
    ς: "s",
    τ: "t",
    υ: "y",
    φ: "f",
    χ: "ch",
    ψ: "ps",
    ω: "o",
  },
  // Cyrillic
  ...{ а: "a", б: "b", в: "v", г: "g", ґ: "g", д: "d", ђ: "dj", е: "e", є: "ye", ж: "zh", з: "z", и: "i" },
  ...{ і: "i", ј: "j", к: "k", л: "l", љ: "lj", м: "m", н: "n", њ: "nj", о: "o", п: "p", р: "r", с: "s" },
  ...{
    т: "t",
    ћ: "c",
    у: "u",
    ф: "f",
    х: "kh",
    ц: "ts",
    ч: "ch",
    џ: "dz",
    ш: "sh",
    щ: "shch",
    ъ: "",
    ы: "y",
  },
  ...{ ь: "", э: "e", ю: "yu", я: "ya" },
};

/** Transliteration of Cyrillic letters that Unicode decomposes although they are distinct letters. */
const COMPOSED: Record<string, string> = { й: "y", ё: "yo", ї: "i", ў: "u" };

/**
 * Returns the title as lower-case ASCII words joined by hyphens, cut to {@link SLUG_MAX_LENGTH}, between
 * words if possible. The result is empty if no letter can be transliterated.
 */
export function slugify(title: string): string {
  const composed = title
    .normalize("NFC")
    .toLowerCase()
    .replace(/./gu, (letter) => COMPOSED[letter] ?? letter);
  const ascii = composed
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\p{M}'’ʼ`]/gu, "")
    .replaceAll("&", " and ")
    .replace(/[^ -~]/gu, (letter) => LETTERS[letter] ?? " ");
  return joinWords(
    ascii.split(/[^a-z0-9]+/).filter((word) => word !== ""),
    SLUG_MAX_LENGTH,
  );
}

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
function joinWords(words: readonly string[], maxLength: number): string {
  const [first = "", ...others] = words;
  let text = first.slice(0, maxLength);
  for (const word of others) {
    if (text.length + 1 + word.length > maxLength) break;
    text += `-${word}`;
  }
  return text;
}
