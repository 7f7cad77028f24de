import { expect, test } from "vitest";
import { isUsable, SLUG_MAX_LENGTH, slugify, withSuffix } from "../../src/bio/slug.ts";

test.each([
  ["Jane Doe", "jane-doe"],
  ["  Jane's   Café & Bar! ", "janes-cafe-and-bar"],
  ["Ærøskøbing Straße", "aeroskobing-strasse"],
  ["Łódź", "lodz"],
  ["Đặng Thị", "dang-thi"],
  ["İstanbul ığüşöç", "istanbul-igusoc"],
  ["Αθήνα Ώρα", "athina-ora"],
  ["Сергей Жуков", "sergey-zhukov"],
  ["Київ, Їжак", "kiiv-izhak"],
  ["ＦＵＬＬ ﬁne №５", "full-fine-no5"],
  ["日本語 Tokyo", "tokyo"],
  ["日本語", ""],
  ["🎤✨", ""],
  ["---", ""],
  ["a/b?c#d%2e..", "a-b-c-d-2e"],
  ["__proto__", "proto"],
])("%s becomes %s", (title, slug) => {
  expect(slugify(title)).toBe(slug);
});

test("a slug is at most 60 characters, cut between words", () => {
  expect(slugify(`${"word ".repeat(40)}`)).toBe("word-".repeat(12).slice(0, -1));
  expect(slugify("x".repeat(200))).toBe("x".repeat(60));
  expect(withSuffix("x".repeat(60))).toMatch(/^x{53}-[2-9a-z]{6}$/);
  expect(withSuffix(slugify("word ".repeat(40))).length).toBeLessThanOrEqual(SLUG_MAX_LENGTH);
});

test("an empty or reserved slug needs a suffix", () => {
  expect(isUsable("jane")).toBe(true);
  expect(isUsable("")).toBe(false);
  expect(isUsable("v1")).toBe(false);
  expect(withSuffix("")).toMatch(/^[2-9a-z]{6}$/);
  expect(withSuffix("v1")).toMatch(/^v1-[2-9a-z]{6}$/);
});
