import { describe, expect, test } from "vitest";
import { COLUMN_FIELDS, guessColumns, listColumns, parseColumn } from "../../src/client/import/column-map.ts";
import { decodeFile } from "../../src/client/import/file-text.ts";
import { ImportFormatError } from "../../src/client/import/import-row.ts";
import { readImport } from "../../src/client/import/read-import.ts";
import { formatCsvLine } from "../../src/core/csv-line.ts";
import { LINK_RESPONSE_NAMES } from "../../src/links/link-response.ts";
import { NOW_MS, readRows, toBody } from "../support/imports.ts";

const read = (header: string, row: string) => toBody(readRows(`${header}\n${row}\n`)[0]);

describe("a file is read with", () => {
  const expected = [
    { line: 2, formerUrl: null, link: { url: "https://example.com/a", custom_slug: "aaa" }, notes: [] },
    { line: 3, formerUrl: null, link: { url: "https://example.com/b", custom_slug: "Bbb" }, notes: [] },
  ];
  test.each([
    ["a byte order mark", "\ufeffurl,slug\nhttps://example.com/a,aaa\nhttps://example.com/b,Bbb\n"],
    ["CRLF", "url,slug\r\nhttps://example.com/a,aaa\r\nhttps://example.com/b,Bbb\r\n"],
    ["CR", "url,slug\rhttps://example.com/a,aaa\rhttps://example.com/b,Bbb"],
    ["semicolons", "url;slug\nhttps://example.com/a;aaa\nhttps://example.com/b;Bbb"],
    ["tabs", "url\tslug\nhttps://example.com/a\taaa\nhttps://example.com/b\tBbb"],
    ["quotes", '"url","slug"\n"https://example.com/a","aaa"\n"https://example.com/b","Bbb"\n'],
    [
      "white space around names and texts",
      " url , slug\n https://example.com/a , aaa\nhttps://example.com/b,Bbb ",
    ],
    [
      "columns that are not used",
      "url,Other,slug,\nhttps://example.com/a,1,aaa,\nhttps://example.com/b,,Bbb",
    ],
  ])("%s", (_, text) => {
    expect(readRows(text)).toEqual(expected);
  });

  test("a line that names the delimiter", () => {
    expect(readRows("sep=;\nurl;slug\nhttps://example.com/a,b;aaa\n")).toEqual([
      { line: 3, formerUrl: null, link: { url: "https://example.com/a,b", custom_slug: "aaa" }, notes: [] },
    ]);
  });

  test("a delimiter that only occurs in such a line", () => {
    expect(readRows("sep=|\nurl|slug\nhttps://example.com/|aaa\n")).toMatchObject([
      { link: { custom_slug: "aaa" } },
    ]);
  });

  test("a column name that contains another delimiter in quotes", () => {
    expect(readRows('url,"tags; x"\nhttps://example.com/,x\n')).toMatchObject([
      { link: { url: "https://example.com/" } },
    ]);
  });

  test("a column name that contains the delimiter in quotes", () => {
    expect(readRows('"url";"tags (a, b, c)"\nhttps://example.com/a;x\n')).toMatchObject([
      { link: { url: "https://example.com/a" } },
    ]);
  });
});

test("line numbers match the file, with line breaks in quotes and empty lines", () => {
  const rows = readRows(
    'url,note\nhttps://example.com/a,"one\r\ntwo ""three"""\n\n ,\nhttps://example.com/b,x\n',
  );
  expect(rows.map(({ line }) => line)).toEqual([2, 6]);
  expect(rows[0]).toMatchObject({ link: { note: 'one\ntwo "three"' } });
});

test.each([
  ["'0123", "0123"],
  ['"=""0123"""', "0123"],
  ['"=""say """"hi"""""""', 'say "hi"'],
  ["'=HYPERLINK(1)", "=HYPERLINK(1)"],
  ["\t=HYPERLINK(1)", "=HYPERLINK(1)"],
  ["'+49 30", "+49 30"],
  ["'@acme", "@acme"],
  ["a;'=b", "a;=b"],
  ["'tis the season", "'tis the season"],
  ["'70s", "'70s"],
  ["it's -1", "it's -1"],
])("the column title %j means %j", (cell, title) => {
  expect(read("url,title", `https://example.com/,${cell}`)).toMatchObject({ title });
});

test("an export of links is read unchanged, without its formula guards", () => {
  const values: Record<string, unknown> = {
    destination: "https://example.com/a?b=1,2",
    short_code: "Menu-1",
    short_url: "https://s.acme.example/Menu-1",
    labels: ["a, b", "=c"],
    title: "=1+1",
    note: "- one\n- two",
    enabled: true,
    archived: true,
    created_at: "2024-01-01T00:00:00.000Z",
    expires_at: "2030-01-01T00:00:00.000Z",
    imported_scans: 12,
  };
  const line = formatCsvLine(LINK_RESPONSE_NAMES.map((name) => values[name]));
  expect(readRows(formatCsvLine(LINK_RESPONSE_NAMES) + line)).toEqual([
    {
      line: 2,
      formerUrl: "https://s.acme.example/Menu-1",
      link: {
        url: "https://example.com/a?b=1,2",
        custom_slug: "Menu-1",
        labels: ["a, b", "=c"],
        title: "=1+1",
        note: "- one\n- two",
        archived: true,
        created_at: "2024-01-01T00:00:00.000Z",
        expires_at: "2030-01-01T00:00:00.000Z",
        imported_scans: 12,
      },
      notes: [],
    },
  ]);
});

test.each([
  ["a;b", ["a", "b"]],
  ["a|b", ["a", "b"]],
  ['"a, b"', ["a", "b"]],
  ['"a\nb"', ["a", "b"]],
  ['"a, b; c"', ["a, b", "c"]],
  ['"[""a, b"",""c""]"', ["a, b", "c"]],
  ['"[a], b"', ["[a]", "b"]],
])("labels %j are %j", (cell, labels) => {
  expect(read("url,tags,x", `https://example.com/,${cell},`)).toMatchObject({ labels });
});

describe("yes and no:", () => {
  test.each([
    ["yes", true],
    ["TRUE", true],
    ["1", true],
    ["no", undefined],
    ["0", undefined],
    ["", undefined],
  ])("archived %j is %j", (cell, archived) => {
    expect(read("url,archived,x", `https://example.com/,${cell},`)).toEqual({
      url: "https://example.com/",
      ...(archived === undefined ? {} : { archived }),
    });
  });

  test("other words are ignored with a note", () => {
    const [row] = readRows("url,archived\nhttps://example.com/,maybe\n");
    expect(row).toMatchObject({ notes: ['archived "maybe" is neither yes nor no, so it was ignored'] });
  });

  test("a disabled link is imported as expired since its creation", () => {
    const [row] = readRows("url,enabled,created\nhttps://example.com/,no,2024-01-01\n");
    expect(row).toMatchObject({
      link: { created_at: "2024-01-01T00:00:00.000Z", expires_at: "2024-01-01T00:00:00.000Z" },
      notes: ["it is disabled in the file, so it is imported as expired"],
    });
  });
});

test("destinations for phones become rules", () => {
  expect(read("url,ios,android", "https://example.com/,apps.example/1,https://play.example/1")).toEqual({
    url: "https://example.com/",
    routing_rules: [
      { name: "iOS", when: { os: ["ios"] }, destination: "https://apps.example/1" },
      { name: "Android", when: { os: ["android"] }, destination: "https://play.example/1" },
    ],
  });
});

describe("a column mapping", () => {
  const text = "Address;Name;Ziel\ns.acme.example/one;One;https://example.com/\n";

  test("names columns in any case", () => {
    expect(readRows(text, { columns: { url: "ziel", former_url: "Address", title: "NAME" } })).toEqual([
      {
        line: 2,
        formerUrl: "https://s.acme.example/one",
        link: { url: "https://example.com/", custom_slug: "one", title: "One" },
        notes: [],
      },
    ]);
  });

  test.each([
    [{ url: "Target" }, 'line 1: found the columns Address, Name, Ziel, expected a column "Target" for url'],
    [{ title: "Name" }, "expected one with the destination, such as url; map url to that column"],
    [undefined, "expected one with the destination, such as url; map url to that column"],
  ])("%j is rejected", (columns, message) => {
    expect(() => readRows(text, { columns })).toThrow(message);
  });

  test("requires csv", () => {
    expect(() => readRows(text, { columns: { url: "Ziel" }, source: "dub" })).toThrow(ImportFormatError);
    const file = { name: "x", text: "keyword,url\nabc,https://example.com/\n" };
    expect(readImport(file, { nowMs: NOW_MS }).source).toBe("yourls");
    expect(readImport(file, { nowMs: NOW_MS, columns: { url: "url" } }).source).toBe("csv");
  });

  test.each([
    ["url=Long URL", ["url", "Long URL"]],
    [" custom_slug = Back=half ", ["custom_slug", "Back=half"]],
    ["url=", null],
    ["url", null],
    ["toString=x", null],
    ["=x", null],
  ])("is written as %j", (given, expected) => {
    expect(parseColumn(given)).toEqual(expected);
  });
});

test("columns are guessed by their names, each for one field", () => {
  expect(guessColumns(["Long URL", "long_url", "Short link", "Tags", "Clicks", "Who"])).toEqual({
    url: "Long URL",
    former_url: "Short link",
    labels: "Tags",
    imported_scans: "Clicks",
  });
  expect(guessColumns(COLUMN_FIELDS)).toEqual(
    Object.fromEntries(COLUMN_FIELDS.map((field) => [field, field])),
  );
});

test("the delimiter is detected in the first 65,536 characters", () => {
  const listHeader = (length: number) => listColumns(`${"a".repeat(length)};b\n`).header;
  expect(listHeader(65_535)).toHaveLength(2);
  expect(listHeader(65_536)).toHaveLength(1);
});

test("columns are listed with the first five rows", () => {
  const rows = Array.from({ length: 7 }, (_, index) => [`https://example.com/${index}`, "'=1"]);
  const text = ["\ufeffurl;title", ...rows.map((row) => row.join(";"))].join("\r\n");
  expect(listColumns(text)).toEqual({
    header: ["url", "title"],
    rows: rows.slice(0, 5).map(([url]) => [url, "=1"]),
  });
});

test("a row with more cells than the header is invalid, unless the extra cells are empty", () => {
  const rows = readRows(
    "url,title\nhttps://example.com/,a,b\nhttps://example.com/,a,,\nhttps://example.com/\n",
  );
  expect(rows.map(toBody)).toEqual([
    "has 3 cells, but the header has 2; quote cells that contain the delimiter",
    { url: "https://example.com/", title: "a" },
    { url: "https://example.com/" },
  ]);
});

test.each([
  ["", "line 1: the file is empty; expected a header row"],
  [" \n\n", "line 1: the file is empty; expected a header row"],
  ["PK\u0003\u0004x", "line 1: found a workbook or a ZIP archive, expected CSV, JSON or SQL"],
  ["\u001f\ufffd", "line 1: found a gzip archive, expected CSV, JSON or SQL"],
  ["%PDF-1.7", "line 1: found a PDF, expected CSV, JSON or SQL"],
  ["\n<!DOCTYPE html><p>", "line 1: found a page of HTML or XML, expected CSV, JSON or SQL"],
  ["u\0r\0l\0", "line 1: this is not a text file; expected CSV, JSON or SQL in UTF-8"],
  ['url\nhttps://example.com/\n"x', "line 3: missing closing quote"],
  ['url,b\n"x"y,2\n', "line 2: unexpected text after a closing quote"],
  ["x".repeat(64 * 1_024 * 1_024 + 1), "the file is larger than 64 MiB; split it into smaller files"],
])("a file is rejected: %#", (text, message) => {
  expect(() => readRows(text)).toThrow(new RegExp(`^${message}`));
  expect(() => readRows(text)).toThrow(ImportFormatError);
});

test.each<[string, number[], string]>([
  [
    "Windows-1252",
    [...Buffer.from("url,title\nhttps://a.example,Café\nhttps://b.example,Caf"), 0xe9, 0x0a],
    "line 3: the file is not UTF-8",
  ],
  ["a character that is cut off", [...Buffer.from("url\n"), 0xc3], "line 2: the file is not UTF-8"],
  ["the first byte of a line", [...Buffer.from("url\n"), 0xff], "line 2: the file is not UTF-8"],
  ["UTF-16 with its mark", [...Buffer.from("\ufeffurl\n", "utf16le")], "line 1: this is not a text file"],
  ["gzip", [0x1f, 0x8b, 0x08], "line 1: found a gzip archive"],
])("a file in another encoding is rejected: %s", (_, bytes, message) => {
  expect(() => decodeFile(new Uint8Array(bytes))).toThrow(new RegExp(`^${message}`));
  expect(() => decodeFile(new Uint8Array(bytes))).toThrow(ImportFormatError);
});

test("a UTF-8 file is read, even with replacement characters", () => {
  const text = "url,title\nhttps://a.example,Caf\ufffd 🎉\n";
  expect(decodeFile(Buffer.from(text))).toBe(text);
  expect(() => decodeFile(new Uint8Array(64 * 1_024 * 1_024 + 1))).toThrow(/^the file is larger than 64 MiB/);
});

test("a file without rows has no links", () => {
  expect(readRows("url,slug\n")).toEqual([]);
});
