import { expect, test } from "vitest";
import { guessLanguage, isRightToLeft } from "../../src/pages/page-language.ts";

test.each([
  ["Margarethe", "en"],
  ["Кофейня", "en"],
  ["مقهى الزيتون", "ar"],
  ["★ 24/7 مقهى", "ar"],
  ["Café مقهى", "en"],
  ["בית קפה", "he"],
  ["ދިވެހި", "dv"],
  ["喫茶店ひまわり", "ja"],
  ["ひまわり喫茶店", "ja"],
  ["咖啡馆", "zh"],
  ["카페", "ko"],
  ["Καφενείο", "el"],
  ["ร้านกาแฟ", "th"],
  ["☕", "en"],
  ["", "en"],
])("the language of a page titled %j is %s", (title, language) => {
  expect(guessLanguage(title)).toBe(language);
});

test.each([
  ["ar", true],
  ["fa-IR", true],
  ["HE", true],
  ["ckb", true],
  ["en", false],
  ["arn", false],
])("%s is written from right to left: %s", (tag, expected) => {
  expect(isRightToLeft(tag)).toBe(expected);
});
