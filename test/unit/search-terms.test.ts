import { expect, test } from "vitest";
import { prepareSearch } from "../../src/links/search-terms.ts";

const toHex = (text: string) => Buffer.from(text).toString("hex");

test.each<[string, string, string[]]>([
  ["Sale", "sale", ["sal", "ale"]],
  ["aaaa", "aaaa", ["aaa"]],
  ["https://a.b", "https://a.b", ["a.b"]],
  ["http://a", "http://a", ["htt", "ttp", "tp:", "p:/", "://", "//a"]],
  ["ÄÖÜ", "ÄÖÜ", ["ÄÖÜ"]],
  ["😀😀😀a", "😀😀😀a", ["😀😀😀", "😀😀a"]],
  ['%_"*', '%_"*', ['%_"', '_"*']],
])("a search for %s looks for %s and has its terms of three characters", (text, needle, terms) => {
  expect(prepareSearch(text)).toEqual({ needle, isStart: false, terms: terms.map(toHex) });
});

test.each<[string, string]>([
  ["S", "\u0002\u0002s"],
  ["sU", "\u0002su"],
])("a search for %s, which is shorter than a term, searches for the start of a code", (text, term) => {
  expect(prepareSearch(text)).toEqual({ needle: text.toLowerCase(), isStart: true, terms: [toHex(term)] });
});

test("a long text has at most 8 terms, from its first to its last", () => {
  const text = Array.from({ length: 85 }, (_, n) => n.toString().padStart(3, "0")).join("");
  const { terms } = prepareSearch(text);
  expect(terms).toHaveLength(8);
  expect(new Set(terms).size).toBe(8);
  expect([terms[0], terms.at(-1)]).toEqual([toHex("000"), toHex("084")]);
});

test("of many terms, eight are picked at equal distances, rounded to the nearest", () => {
  const { terms } = prepareSearch("abcdefghijklmnopqrstuv");
  const texts = terms.map((term) => String.fromCharCode(Number.parseInt(term.slice(0, 2), 16)));
  // 20 terms. Every 2.7th term is picked.
  expect(texts.join("")).toBe("adfiloqt");
});

test.each(["é", "E/", "日本", "😀"])(
  "a search for %s, which no code can start with, has no terms",
  (text) => {
    expect(prepareSearch(text)).toEqual({ needle: text.replace("E", "e"), isStart: false, terms: [] });
  },
);

test("a search only omits the terms of a scheme at its start", () => {
  expect(prepareSearch("http://a.b").terms).toEqual(["a.b"].map(toHex));
  expect(prepareSearch("=http://ab").terms).toEqual(
    ["=ht", "htt", "ttp", "tp:", "p:/", "://", "//a", "/ab"].map(toHex),
  );
});
