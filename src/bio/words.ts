/** Word of a script that separates words by spaces. Text in other scripts may wrap between any two characters. */
const WORD =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{M}\p{N}]+/gu;

/** Returns the number of letters in the longest word of a text, at least 1. Combining marks do not count. */
export function measureLongestWord(text: string): number {
  const words = text.normalize("NFC").match(WORD) ?? [];
  return Math.max(1, ...words.map((word) => [...word.replace(/\p{M}/gu, "")].length));
}
