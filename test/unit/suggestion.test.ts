import { expect, test } from "vitest";
import { suggestName } from "../../src/core/suggestion.ts";

const NAMES = [
  ...["url", "custom_slug", "labels", "enabled", "routing_rules", "expires_at", "os", "country"],
  ...["dot_style", "corner_style"],
];

test.each([
  ["a missing letter", "expire_at", "expires_at"],
  ["a letter too many", "countrys", "country"],
  ["another letter", "lobels", "labels"],
  ["swapped letters", "lables", "labels"],
  ["swapped letters of a short name", "ulr", "url"],
  ["two edits", "cuntrry", "country"],
  ["a swap and a missing letter", "cuntyr", "country"],
  ["the first letter", "nabled", "enabled"],
  ["the last letter", "enable", "enabled"],
  ["camel case", "routingRules", "routing_rules"],
  ["hyphens", "custom-slug", "custom_slug"],
  ["capitals", "URL", "url"],
  ["capitals of a name too short for edits", "OS", "os"],
  ["a word of one name", "slug", "custom_slug"],
  ["a known name", "url", "url"],
])("suggestName corrects %s: %s", (_, unknown, expected) => {
  expect(suggestName(unknown, NAMES)).toBe(expected);
});

test.each([
  ["three edits", "cxntxyx"],
  ["three edits of a long name", "rxutxng_rxles"],
  ["two edits of a name of three letters", "uxx"],
  ["an edit of a name of two letters", "as"],
  ["another word", "destination"],
  ["a word of two names", "style"],
  ["part of a word", "rout"],
  ["an empty name", ""],
  ["one letter", "x"],
  ["a name of objects", "__proto__"],
  ["a name of all objects", "constructor"],
  ["an emoji", "😀"],
  ["a line break", "\n"],
])("suggestName has no suggestion for %s: %j", (_, unknown) => {
  expect(suggestName(unknown, NAMES)).toBeUndefined();
});

test("suggestName prefers the nearest name, then the first", () => {
  expect(suggestName("labelx", ["labels", "label"])).toBe("labels");
  expect(suggestName("labelss", ["label", "labels"])).toBe("labels");
  expect(suggestName("a", [])).toBeUndefined();
});

test("suggestName compares no name that is much longer than the known ones", () => {
  const long = {
    length: 1_000_000,
    toLowerCase: () => {
      throw new Error("compared");
    },
  } as unknown as string;
  expect(suggestName(long, NAMES)).toBeUndefined();
});

test("suggestName counts two letters as swapped only if both change places", () => {
  expect(suggestName("albels", ["labels"])).toBe("labels");
  expect(suggestName("albesl", ["labels"])).toBe("labels");
  expect(suggestName("llals", ["labels"])).toBeUndefined();
  expect(suggestName("lalas", ["labels"])).toBeUndefined();
});
