import { expect, test } from "vitest";
import { appendSuffix, isUsableSlug, SLUG_MAX_LENGTH, slugify } from "../../src/bio/slug.ts";

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
])("slugify turns '%s' into '%s'", (title, slug) => {
  expect(slugify(title)).toBe(slug);
});

test("slugify and appendSuffix return at most 60 characters, cut between words", () => {
  expect(slugify(`${"word ".repeat(40)}`)).toBe("word-".repeat(12).slice(0, -1));
  expect(slugify("x".repeat(200))).toBe("x".repeat(60));
  expect(appendSuffix("x".repeat(60))).toMatch(/^x{53}-[2-9a-z]{6}$/);
  expect(appendSuffix(slugify("word ".repeat(40))).length).toBeLessThanOrEqual(SLUG_MAX_LENGTH);
});

test("isUsableSlug rejects empty and reserved slugs, and appendSuffix makes them usable", () => {
  expect(isUsableSlug("jane")).toBe(true);
  expect(isUsableSlug("")).toBe(false);
  expect(isUsableSlug("v1")).toBe(false);
  expect(appendSuffix("")).toMatch(/^[2-9a-z]{6}$/);
  expect(appendSuffix("v1")).toMatch(/^v1-[2-9a-z]{6}$/);
});
