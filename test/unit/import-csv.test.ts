import { describe, expect, test } from "vitest";
import { isImportRow } from "../../src/client/import/import-row.ts";
import { readImport } from "../../src/client/import/read-import.ts";
import { createLinkBody } from "../../src/links/links.schema.ts";

const NOW_MS = Date.parse("2026-11-22T12:00:00Z");

/** Reads a CSV file, and checks that the service accepts every link of it. */
function read(text: string, options: { columns?: Record<string, string> } = {}) {
  const { rows } = readImport({ name: "links.csv", text }, { source: "csv", nowMs: NOW_MS, ...options });
  for (const row of rows) {
    if (isImportRow(row)) expect(createLinkBody.safeParse(row.link).error?.issues).toBeUndefined();
  }
  return rows;
}

/** Returns the link of a file of one row, by its header and its row. */
function readOne(header: string, row: string) {
  const [first] = read(`${header}\n${row}\n`);
  if (first === undefined) throw new Error("no row");
  return first;
}

const link = (header: string, row: string) => {
  const found = readOne(header, row);
  return isImportRow(found) ? found.link : found.fault;
};

describe("a file is read with", () => {
  const expected = [
    { line: 2, formerUrl: null, link: { url: "https://example.com/a", custom_slug: "aaa" }, notes: [] },
    { line: 3, formerUrl: null, link: { url: "https://example.com/b", custom_slug: "bbb" }, notes: [] },
  ];
  test.each([
    ["a byte order mark", "\ufeffurl,slug\nhttps://example.com/a,aaa\nhttps://example.com/b,bbb\n"],
    ["CRLF", "url,slug\r\nhttps://example.com/a,aaa\r\nhttps://example.com/b,bbb\r\n"],
    ["CR", "url,slug\rhttps://example.com/a,aaa\rhttps://example.com/b,bbb"],
    ["semicolons", "url;slug\nhttps://example.com/a;aaa\nhttps://example.com/b;bbb"],
    ["tabs", "url\tslug\nhttps://example.com/a\taaa\nhttps://example.com/b\tbbb"],
    ["quotes", '"url","slug"\n"https://example.com/a","aaa"\n"https://example.com/b","bbb"\n'],
  ])("%s", (_, text) => {
    expect(read(text)).toEqual(expected);
  });

  test("a line that names the delimiter", () => {
    expect(read("sep=;\nurl;slug\nhttps://example.com/a,b;aaa\n")).toEqual([
      { line: 3, formerUrl: null, link: { url: "https://example.com/a,b", custom_slug: "aaa" }, notes: [] },
    ]);
  });
});

test("lines are those of the file, past line breaks in quotes and empty lines", () => {
  const rows = read(
    'url,note\nhttps://example.com/a,"one\r\ntwo ""three"""\n\n ,\nhttps://example.com/b,x\n',
  );
  expect(rows.map(({ line }) => line)).toEqual([2, 6]);
  expect(rows[0]).toMatchObject({ link: { note: 'one\ntwo "three"' } });
});

test.each([
  ["'0123", "0123"],
  ['"=""0123"""', "0123"],
  ["'=HYPERLINK(1)", "=HYPERLINK(1)"],
  ["\t=HYPERLINK(1)", "=HYPERLINK(1)"],
  ["'+49 30", "+49 30"],
  ["'tis the season", "'tis the season"],
  ["it's", "it's"],
])("the title %j means %j", (cell, title) => {
  expect(link("url,title", `https://example.com/,${cell}`)).toMatchObject({ title });
});
