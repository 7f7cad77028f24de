import { expect, test } from "vitest";
import { measureLongestWord } from "../../src/bio/words.ts";

test.each([
  ["Jane Doe", 4],
  ["Strandkorbverleih Ahrenshoop", 17],
  ["Jean-Luc Neill", 5],
  ["Über".normalize("NFD"), 4],
  ["ليلى حدّاد", 4],
  ["Studio 20250", 6],
  ["山田花子の陶芸工房", 1],
  ["🎉", 1],
  ["", 1],
])("measureLongestWord of '%s' is %i", (text, length) => {
  expect(measureLongestWord(text)).toBe(length);
});
