import { describe, expect, test } from "vitest";
import { ImportFormatError } from "../../src/client/import/import-row.ts";
import { readImport } from "../../src/client/import/read-import.ts";
import { NOW_MS, readRows, toBody } from "../support/imports.ts";

const item = (slug: string) => `{"shortCode": "${slug}", "longUrl": "https://example.com/"}`;

const lines = (text: string) =>
  readRows(text).map((row) => [row.line, (toBody(row) as { custom_slug: string }).custom_slug]);

describe("links are found in", () => {
  test.each<[string, string, [number, string][]]>([
    [
      "a list",
      `[\n${item("one")},\n\n${item("two")}]`,
      [
        [2, "one"],
        [4, "two"],
      ],
    ],
    ["one link", `\n${item("one")}`, [[2, "one"]]],
    ["an answer of an API", `{"page": 1,\n "links":\n [${item("one")}]}`, [[3, "one"]]],
    ["an answer with a list in an object", `{"shortUrls": {\n"data": [\n${item("one")}]}}`, [[3, "one"]]],
    [
      "pages in a list",
      `[{"data": [\n${item("one")}]},\n{"data": [${item("two")}]}, {"data": []}]`,
      [
        [2, "one"],
        [3, "two"],
      ],
    ],
    [
      "lists in a list",
      `[[${item("one")}],\n[${item("two")}]]`,
      [
        [1, "one"],
        [2, "two"],
      ],
    ],
    ["six lists in each other", `${"[".repeat(6)}${item("one")}${"]".repeat(6)}`, [[1, "one"]]],
    [
      "lines of JSON",
      `${item("one")}\n\n${item("two")}\n`,
      [
        [1, "one"],
        [3, "two"],
      ],
    ],
    [
      "pages one after another",
      `{"data": [${item("one")}]}{\n"data": [${item("two")}]}`,
      [
        [1, "one"],
        [2, "two"],
      ],
    ],
    [
      "an object of links",
      `{"links": {"link_2": ${item("one")},\n"link_1": ${item("two")}}}`,
      [
        [1, "one"],
        [2, "two"],
      ],
    ],
    [
      "one line",
      `[${item("one")}, ${item("two")}]\n`,
      [
        [1, "one"],
        [2, "two"],
      ],
    ],
    [
      "texts with brackets, quotes and escapes",
      `[{"x": "a]}\\"[{\\\\", "shortCode": "one", "longUrl": "https://example.com/"},\n{"\\u0073hortCode": "two", "longUrl": "https://example.com/"}]`,
      [
        [1, "one"],
        [2, "two"],
      ],
    ],
  ])("%s", (_, text, expected) => {
    expect(lines(text)).toEqual(expected);
  });
});

test.each([
  ['[{"a": 1}\n, {"b": }]', "line 2: found `}`, expected a value"],
  ["[1,\n2", "line 2: found end, expected a comma or `]`"],
  [`${item("one")}\n{"a":\n1`, "line 3: found end, expected a comma or `}`"],
  ["[]", "line 1: found an empty list, expected links from a supported service"],
  ["[1]", "line 1: found 1, expected a link from a supported service"],
  ['\n["a"]', 'line 2: found the string "a", expected a link from a supported service'],
  ["{}", "line 1: found an object with nothing in it, expected a link or a list of links"],
  [
    '{"error": "no", "code": 1}',
    "line 1: found an object with error, code, expected a link or a list of links",
  ],
  [
    '[{"url": "x",\n"b": 1}]',
    "line 1: found an object with url, b, expected a link from a supported service",
  ],
  ["[".repeat(100_000), "line 1: found end, expected a value"],
  [`${"[".repeat(7)}${item("one")}${"]".repeat(7)}`, "line 1: found a list"],
])("a file is rejected: %#", (text, message) => {
  expect(() => readRows(text)).toThrow(message);
  expect(() => readRows(text)).toThrow(ImportFormatError);
});

test("JSON of an unknown service is rejected if the source is csv or another service", () => {
  expect(() => readRows(`[${item("one")}]`, { source: "csv" })).toThrow("line 1: found JSON, expected CSV");
  expect(() => readRows(`[${item("one")}]`, { source: "sink" })).toThrow(
    "line 1: found an object with shortCode, longUrl, expected slug and url, as exported by Sink",
  );
  expect(readRows("[]", { source: "sink" })).toEqual([]);
});

test("an item that is no link is a separate row", () => {
  expect(readRows(`[\n${item("one")},\n7,\n{"error": "gone"}]`).slice(1)).toEqual([
    { line: 3, formerUrl: null, problem: "is 7 instead of a link" },
    {
      line: 4,
      formerUrl: null,
      problem: "has error instead of shortCode and longUrl, or columns of these names",
    },
  ]);
});

test("a list that starts with the newest link is reversed, others are not", () => {
  const dated = (slug: string, date: string) =>
    `{"shortCode": "${slug}", "longUrl": "https://example.com/", "dateCreated": "${date}"}`;
  const slugs = (...items: string[]) => lines(`[${items.join(",")}]`).map(([, slug]) => slug);
  expect(slugs(item("aaa"), dated("bbb", "2024-02-01"), dated("ccc", "2024-01-01"))).toEqual([
    "ccc",
    "bbb",
    "aaa",
  ]);
  expect(slugs(dated("aaa", "2024-01-01"), item("bbb"), dated("ccc", "2024-02-01"))).toEqual([
    "aaa",
    "bbb",
    "ccc",
  ]);
  expect(slugs(dated("aaa", "2024-01-01"), dated("bbb", "2024-01-01"))).toEqual(["aaa", "bbb"]);
});

test("reading a file of 50,000 links on one line takes linear time", () => {
  const rows = readImport(
    { name: "links", text: `[${`${item("one")},`.repeat(49_999)}${item("two")}]` },
    { nowMs: NOW_MS },
  );
  expect(rows.rows).toHaveLength(50_000);
  expect(rows.rows.at(-1)).toMatchObject({ line: 50_000, link: { custom_slug: "two" } });
});
