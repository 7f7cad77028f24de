import { expect, test } from "vitest";
import { renderErrorDocument } from "../../src/pages/error-document.ts";
import { isRightToLeft } from "../../src/pages/page-language.ts";
import { renderPasswordDocument } from "../../src/pages/password-document.ts";
import { english } from "../../src/pages/texts/english.ts";
import { loadVisitorTexts, VISITOR_LANGUAGES } from "../../src/pages/visitor-language.ts";

const load = (header: string) => loadVisitorTexts({ headers: new Headers({ "Accept-Language": header }) });

/** Lists every text with the path of its key. */
function listTexts(texts: object, path = ""): [path: string, text: string][] {
  return Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === "string" ? [[`${path}${key}`, value]] : listTexts(value, `${path}${key}.`),
  );
}

test("visitors' pages are in thirteen languages", () => {
  const languages = ["ar", "de", "en", "es", "fr", "hi", "it", "ja", "nl", "pl", "pt", "tr", "zh"];
  expect([...VISITOR_LANGUAGES].sort()).toEqual(languages);
});

/** Letters of each language, so that no file can have another language's texts. */
const LETTERS: Record<string, RegExp> = {
  ar: /\p{Script=Arabic}/u,
  hi: /\p{Script=Devanagari}/u,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  zh: /\p{Script=Han}/u,
};

test.each(VISITOR_LANGUAGES)("%s has every text, with the same placeholders as English", async (language) => {
  const texts = await load(language);
  expect(texts.tag.split("-")[0]).toBe(language);
  const listed = listTexts(texts);
  const originals = listTexts(english);
  expect(listed.map(([path]) => path)).toEqual(originals.map(([path]) => path));
  for (const [index, [path, text]] of listed.entries()) {
    const original = originals[index]?.[1] ?? "";
    expect(text, path).not.toMatch(/^\s|\s$|\s{2}|[<>]/);
    expect(text.match(/\{.*?\}/g), path).toEqual(original.match(/\{.*?\}/g));
    expect(text.match(/\d+/g), path).toEqual(original.match(/\d+/g));
    if (path === "tag") continue;
    expect(text, path).toMatch(LETTERS[language] ?? /^[\p{Script=Latin}\p{Script=Common}]+$/u);
    // Some languages share a word or two with English, such as "Password" in Italian.
    if (language !== "en" && text.includes(" ")) expect(text, path).not.toBe(original);
  }
});

test.each([
  ["", "en"],
  ["*", "en"],
  ["xx, constructor, __proto__", "en"],
  ["de-AT, en;q=0.9", "de"],
  ["cs, sk;q=0.9, fr;q=0.2, en;q=0.1", "fr"],
  ["en-GB, de;q=0.9", "en"],
  ["de;q=0, ja", "ja"],
  ["zh-TW, en;q=0.5", "zh-Hans"],
  ["pt-BR", "pt"],
  [`${"x".repeat(120_000)}, es`, "es"],
])("a visitor with the languages %# gets %s", async (header, tag) => {
  expect((await load(header)).tag).toBe(tag);
});

test.each([
  ["de", '<html lang="de">', "<h1><bdi>Ada</bdi> hat unter dieser URL keinen Link</h1>"],
  ["ar", '<html lang="ar" dir="rtl">', "<bdi>Ada</bdi>"],
  ["zh", '<html lang="zh-Hans">', "<h1><bdi>Ada</bdi> 在此网址没有链接</h1>"],
])("a page in %s has its language and direction", async (language, element, part) => {
  const texts = await load(language);
  const error = { ...texts.link[404], ...texts.named[404] };
  const { html, language: tag } = renderErrorDocument(error, {
    texts,
    name: "Ada",
    report: "mailto:a@b.example",
  });
  expect(html).toContain(element);
  expect(html).toContain(part);
  expect(html).toContain(`>${texts.report}</a>`);
  expect(tag).toBe(texts.tag);
  expect(isRightToLeft(tag)).toBe(language === "ar");
  const form = renderPasswordDocument(true, texts, null).html;
  for (const text of [texts.password.hint, texts.password.label, texts.password.wrong, texts.openLink])
    expect(form).toContain(`>${text}<`);
});
