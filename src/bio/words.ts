// Pure: no I/O, clock or randomness.

/**
 * Matches a word in scripts that separate words with spaces. Text in other scripts can wrap between any two
 * characters.
 */
const WORD =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{M}\p{N}]+/gu;

/** Returns the number of letters in the longest word of a text, at least 1. Combining marks don't count. */
export function measureLongestWord(text: string): number {
  const words = text.normalize("NFC").match(WORD) ?? [];
  return Math.max(1, ...words.map((word) => [...word.replace(/\p{M}/gu, "")].length));
}
