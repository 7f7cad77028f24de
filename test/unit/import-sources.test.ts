import { describe, expect, test } from "vitest";
import { getOldCode } from "../../src/client/import/fit-code.ts";
import { isImportRow, SOURCE_NAMES, type SourceName } from "../../src/client/import/import-row.ts";
import { readImport } from "../../src/client/import/read-import.ts";
import { getSource, IMPORT_SOURCES } from "../../src/client/import/sources/source-table.ts";
import bitlyCsv from "../fixtures/import/bitly.csv?raw";
import bitlyJson from "../fixtures/import/bitly.json?raw";
import dubCsv from "../fixtures/import/dub.csv?raw";
import dubJson from "../fixtures/import/dub.json?raw";
import kuttJson from "../fixtures/import/kutt.json?raw";
import rebrandlyCsv from "../fixtures/import/rebrandly.csv?raw";
import rebrandlyJson from "../fixtures/import/rebrandly.json?raw";
import shlinkCsv from "../fixtures/import/shlink.csv?raw";
import shlinkJson from "../fixtures/import/shlink.json?raw";
import shortIoCsv from "../fixtures/import/short-io.csv?raw";
import shortIoJson from "../fixtures/import/short-io.json?raw";
import sinkJson from "../fixtures/import/sink.json?raw";
import yourlsCsv from "../fixtures/import/yourls.csv?raw";
import yourlsJson from "../fixtures/import/yourls.json?raw";
import yourlsSql from "../fixtures/import/yourls.sql?raw";
import { NOW_MS, readRows } from "../support/imports.ts";

/**
 * Files in the formats of other services, with the expected rows. The folders of the files name the sources.
 */

const ALIAS_NOTE = "its code can't be a short code here, so it is an alias";

const FILES: [name: string, source: SourceName, text: string, rows: unknown[]][] = [
  [
    "bitly.csv",
    "bitly",
    bitlyCsv,
    [
      {
        line: 3,
        formerUrl: "https://bit.ly/3XyZabc",
        link: {
          url: "https://acme.example/menu.pdf",
          custom_slug: "3XyZabc",
          title: "Menu",
          labels: ["print", "menu"],
          created_at: "2024-03-05T00:00:00.000Z",
          imported_scans: 17,
        },
        notes: [],
      },
      {
        line: 2,
        formerUrl: "https://go.acme.example/Spring-Sale",
        link: {
          url: "https://shop.acme.example/spring",
          custom_slug: "Spring-Sale",
          title: 'Spring "Sale"',
          labels: ["print", "flyer"],
          created_at: "2024-06-01T09:30:00.000Z",
          imported_scans: 1204,
        },
        notes: [],
      },
      {
        line: 2,
        formerUrl: "https://go.acme.example/3AbCdEf",
        link: {
          url: "https://shop.acme.example/spring",
          custom_slug: "3AbCdEf",
          title: 'Spring "Sale"',
          labels: ["print", "flyer"],
          created_at: "2024-06-01T09:30:00.000Z",
        },
        notes: ["it is another back-half of go.acme.example/Spring-Sale, which keeps the scan count"],
      },
    ],
  ],
  [
    "bitly.json",
    "bitly",
    bitlyJson,
    [
      { line: 47, formerUrl: "https://bit.ly/2Gone88", code: null, problem: "is deleted at Bitly" },
      {
        line: 38,
        formerUrl: "https://bit.ly/2Plain7",
        link: { url: "https://acme.example/", custom_slug: "2Plain7" },
        notes: [],
      },
      {
        line: 20,
        formerUrl: "https://bit.ly/acme-menu",
        link: {
          url: "https://acme.example/menu.pdf",
          custom_slug: "acme-menu",
          archived: true,
          created_at: "2024-03-05T08:00:00.000Z",
        },
        notes: [
          "its app links were left out",
          "https://bit.ly/3XyZabc also redirects there and stays at Bitly; only the custom back-half was imported",
        ],
      },
      {
        line: 4,
        formerUrl: "https://go.acme.example/Spring-Sale",
        link: {
          url: "https://shop.acme.example/spring?utm_source=flyer",
          custom_slug: "Spring-Sale",
          title: "Spring sale",
          labels: ["print", "Spring 2024"],
          created_at: "2024-06-01T09:30:00.000Z",
        },
        notes: [],
      },
      {
        line: 4,
        formerUrl: "https://go.acme.example/spring",
        link: {
          url: "https://shop.acme.example/spring?utm_source=flyer",
          custom_slug: "spring",
          title: "Spring sale",
          labels: ["print", "Spring 2024"],
          created_at: "2024-06-01T09:30:00.000Z",
        },
        notes: ["it is another back-half of https://go.acme.example/Spring-Sale, which keeps the scan count"],
      },
      {
        line: 4,
        formerUrl: "https://go.acme.example/3AbCdEf",
        link: {
          url: "https://shop.acme.example/spring?utm_source=flyer",
          custom_slug: "3AbCdEf",
          title: "Spring sale",
          labels: ["print", "Spring 2024"],
          created_at: "2024-06-01T09:30:00.000Z",
        },
        notes: ["it is another back-half of https://go.acme.example/Spring-Sale, which keeps the scan count"],
      },
    ],
  ],
  [
    "dub.csv",
    "dub",
    dubCsv,
    [
      {
        line: 3,
        formerUrl: "https://go.acme.example/old",
        link: {
          url: "https://acme.example/old",
          custom_slug: "old",
          archived: true,
          created_at: "2024-04-01T00:00:00.000Z",
        },
        notes: [],
      },
      {
        line: 2,
        formerUrl: "https://go.acme.example/App",
        link: {
          url: "https://acme.example/app",
          custom_slug: "App",
          labels: ["app", "print"],
          created_at: "2024-05-01T12:00:00.000Z",
          imported_scans: 42,
        },
        notes: [],
      },
    ],
  ],
  [
    "dub.json",
    "dub",
    dubJson,
    [
      {
        line: 66,
        formerUrl: "https://go.acme.example/",
        code: null,
        problem: "is the root link of a domain; set it in the domain's settings instead",
      },
      {
        line: 50,
        formerUrl: "https://go.acme.example/old",
        link: {
          url: "https://acme.example/old",
          custom_slug: "old",
          archived: true,
          created_at: "2024-04-01T00:00:00.000Z",
          expires_at: "2024-04-01T00:00:00.000Z",
        },
        notes: ["its A/B test was left out", "it is disabled at Dub, so it is imported as expired"],
      },
      {
        line: 2,
        formerUrl: "https://go.acme.example/App",
        link: {
          url: "https://acme.example/app?utm_source=qr&utm_medium=poster",
          custom_slug: "App",
          title: "Get the app",
          note: "Asked for by sales",
          labels: ["app", "print, 2024"],
          routing_rules: [
            { name: "iOS", when: { os: ["ios"] }, destination: "https://apps.apple.com/app/id1" },
            {
              name: "Android",
              when: { os: ["android"] },
              destination: "https://play.google.com/store/apps/details?id=acme",
            },
            { when: { country: ["DE", "AT"] }, destination: "https://acme.example/de/app" },
            { when: { country: ["FR"] }, destination: "https://acme.example/fr/app" },
          ],
          created_at: "2024-05-01T12:00:00.000Z",
          expires_at: "2030-01-01T00:00:00.000Z",
          imported_scans: 42,
          password: "open sesame",
          expired_url: "https://acme.example/over",
          preview: {
            title: "Get the app",
            description: "For phones and tablets",
            image_url: "https://acme.example/app.png",
          },
        },
        notes: [
          "it showed its destination in a frame; here it redirects",
          "added to the destination: utm_medium",
        ],
      },
    ],
  ],
  [
    "kutt.json",
    "kutt",
    kuttJson,
    [
      {
        line: 55,
        formerUrl: "https://kutt.acme.example/my_menu",
        link: {
          url: "https://acme.example/menu",
          aliases: ["my_menu"],
          created_at: "2026-07-01T00:00:00.000Z",
          imported_scans: 1,
        },
        notes: [ALIAS_NOTE],
      },
      {
        line: 44,
        formerUrl: "https://kutt.acme.example/phish",
        code: null,
        problem: "is banned at Kutt",
      },
      {
        line: 32,
        formerUrl: "https://kutt.acme.example/staff",
        link: {
          url: "https://acme.example/rota",
          custom_slug: "staff",
          note: "Rota",
          created_at: "2026-09-01T00:00:00.000Z",
          imported_scans: 9,
          expires_at: "2026-09-01T00:00:00.000Z",
        },
        notes: ["it has a password, which Kutt does not export, so it is imported as expired"],
      },
      {
        line: 20,
        formerUrl: "https://kutt.acme.example/party",
        link: {
          url: "https://acme.example/party",
          custom_slug: "party",
          created_at: "2026-10-01T00:00:00.000Z",
          expires_at: "2027-01-01T00:00:00.000Z",
        },
        notes: [],
      },
      {
        line: 6,
        formerUrl: "https://kutt.acme.example/Trial",
        link: {
          url: "https://acme.example/trial",
          custom_slug: "Trial",
          note: "Ends soon",
          created_at: "2026-11-21T09:00:00.000Z",
          expires_at: "2026-11-23T09:00:00.000Z",
          imported_scans: 5,
        },
        notes: ['its expiry "2 days" is relative to its creation, so it expires at 2026-11-23T09:00:00.000Z'],
      },
    ],
  ],
  [
    "rebrandly.csv",
    "rebrandly",
    rebrandlyCsv,
    [
      {
        line: 2,
        formerUrl: "https://acme.example.link/Burgers",
        link: {
          url: "https://acme.example/burgers",
          custom_slug: "Burgers",
          title: "Burgers",
          labels: ["table", "card"],
          created_at: "2024-07-13T10:54:12.000Z",
          imported_scans: 42,
        },
        notes: ["the destination had no scheme, so https:// was added"],
      },
    ],
  ],
  [
    "rebrandly.json",
    "rebrandly",
    rebrandlyJson,
    [
      {
        line: 23,
        formerUrl: "https://acme.example.link/fries",
        link: {
          url: "https://acme.example/fries",
          custom_slug: "fries",
          title: "Fries",
          created_at: "2024-07-12T10:54:12.000Z",
          expires_at: "2024-07-12T10:54:12.000Z",
        },
        notes: [
          "the destination had no scheme, so https:// was added",
          "it has the status suspended at Rebrandly, so it is imported as expired",
        ],
      },
      {
        line: 2,
        formerUrl: "https://acme.example.link/Burgers",
        link: {
          url: "https://acme.example/burgers",
          custom_slug: "Burgers",
          title: "Burgers",
          note: "On the table cards",
          labels: ["table"],
          created_at: "2024-07-13T10:54:12.000Z",
          imported_scans: 42,
          forward_query: true,
        },
        notes: [],
      },
    ],
  ],
  [
    "shlink.csv",
    "shlink",
    shlinkCsv,
    [
      {
        line: 2,
        formerUrl: "https://sh.acme.example/Rules",
        link: {
          url: "https://acme.example/all",
          custom_slug: "Rules",
          title: "Rules",
          labels: ["a", "b"],
          created_at: "2024-08-21T18:34:16.000Z",
          imported_scans: 40,
        },
        notes: [],
      },
    ],
  ],
  [
    "shlink.json",
    "shlink",
    shlinkJson,
    [
      {
        line: 75,
        formerUrl: "https://sh.acme.example/used",
        link: {
          url: "https://acme.example/used",
          custom_slug: "used",
          created_at: "2023-05-05T05:05:05.000Z",
          imported_scans: 12,
          expires_at: "2023-05-05T05:05:05.000Z",
        },
        notes: [
          "its redirect rules are not in the file",
          "it has reached its limit of 10 scans, so it is imported as expired",
        ],
      },
      {
        line: 4,
        formerUrl: "https://sh.acme.example/Rules",
        link: {
          url: "https://acme.example/all",
          custom_slug: "Rules",
          title: "Rules",
          labels: ["a", "b"],
          routing_rules: [
            {
              when: { os: ["android"], language: ["en-US"] },
              destination: "https://acme.example/android-en",
            },
            { when: { language: ["fr"] }, destination: "https://acme.example/fr" },
            {
              when: { query: { foo: ["bar"], hello: true, empty: [""] } },
              destination: "https://acme.example/query",
            },
            {
              when: {
                country: ["DE"],
                device: ["mobile", "tablet"],
                browser: ["firefox"],
                after: "2025-01-01T00:00:00.000Z",
                before: "2029-01-01T00:00:00.000Z",
              },
              destination: "https://acme.example/de-mobile",
            },
          ],
          created_at: "2024-08-21T18:34:16.000Z",
          starts_at: "2024-08-31T22:00:00.000Z",
          expires_at: "2029-12-31T23:00:00.000Z",
          imported_scans: 40,
          max_scans: 60,
          forward_query: true,
        },
        notes: [
          'the rule to "https://acme.example/office" was left out: the condition "ip-address  192.0.2.0/24" is not supported here',
          'the rule to "https://acme.example/both" was left out: language is used twice',
          "it allowed crawling at Shlink, which is not supported here",
          "60 of its 100 allowed scans are left, so 60 is the scan limit here",
        ],
      },
    ],
  ],
  [
    "short-io.csv",
    "short-io",
    shortIoCsv,
    [
      {
        line: 2,
        formerUrl: "https://s.acme.example/Menu",
        link: {
          url: "https://acme.example/menu",
          custom_slug: "Menu",
          title: "Menu; drinks",
          labels: ["print", "menu"],
          routing_rules: [
            { name: "iOS", when: { os: ["ios"] }, destination: "https://apps.apple.com/app/id1" },
          ],
          created_at: "2024-02-03T04:05:06.000Z",
          imported_scans: 12,
        },
        notes: [],
      },
      {
        line: 3,
        formerUrl: "https://s.acme.example/",
        code: null,
        problem: "is the root link of a domain; set it in the domain's settings instead",
      },
    ],
  ],
  [
    "short-io.json",
    "short-io",
    shortIoJson,
    [
      {
        line: 3,
        formerUrl: "https://s.acme.example/Menu",
        link: {
          url: "https://acme.example/menu",
          custom_slug: "Menu",
          title: "Menu",
          labels: ["print", "menu"],
          routing_rules: [
            { name: "iOS", when: { os: ["ios"] }, destination: "https://apps.apple.com/app/id1" },
            {
              name: "Android",
              when: { os: ["android"] },
              destination: "https://play.google.com/store/apps/details?id=acme",
            },
          ],
          created_at: "2024-02-03T04:05:06.000Z",
          expires_at: "2030-01-01T00:00:00.000Z",
          max_scans: 100,
          expired_url: "https://acme.example/over",
        },
        notes: ["it showed its destination in a frame; here it redirects"],
      },
      {
        line: 29,
        formerUrl: "https://s.acme.example/",
        code: null,
        problem: "is the root link of a domain; set it in the domain's settings instead",
      },
      {
        line: 40,
        formerUrl: "https://s.acme.example/staff",
        link: {
          url: "https://acme.example/staff",
          custom_slug: "staff",
          title: "Staff",
          archived: true,
          created_at: "2024-03-01T00:00:00.000Z",
          expires_at: "2024-03-01T00:00:00.000Z",
        },
        notes: ["it has a password, which the file does not contain, so it is imported as expired"],
      },
    ],
  ],
  [
    "sink.json",
    "sink",
    sinkJson,
    [
      {
        line: 6,
        formerUrl: null,
        link: {
          url: "https://acme.example/shop",
          custom_slug: "shop",
          title: "Shop",
          note: "Shop window",
          labels: ["print"],
          routing_rules: [
            {
              name: "Android",
              when: { os: ["android"] },
              destination: "https://play.google.com/store/apps/details?id=acme",
            },
            { name: "iOS", when: { os: ["ios"] }, destination: "https://apps.apple.com/app/id1" },
            { when: { country: ["DE", "AT"] }, destination: "https://acme.example/de" },
            { when: { country: ["FR"] }, destination: "https://acme.example/fr" },
          ],
          created_at: "2024-06-01T00:00:00.000Z",
          expires_at: "2030-01-01T00:00:00.000Z",
          forward_query: true,
          preview: { title: "Shop", description: "All that we sell", image_url: null },
        },
        notes: [
          "it showed its destination in a frame; here it redirects",
          'its preview image "/_assets/images/shop/1.png" must be an http or https URL, so it was ignored',
        ],
      },
      {
        line: 28,
        formerUrl: null,
        link: {
          url: "https://acme.example/staff",
          custom_slug: "staff",
          created_at: "2024-06-01T00:01:40.000Z",
          password_hash:
            "sink-pwd:v1:10000:AAECAwQFBgcICQoLDA0ODw:uFUp6yg7Aro2IpQVlQ40g6pIVGl96p54DpQRMTKPmbc:YW1l",
        },
        notes: ["it showed a warning before redirecting, which is not supported here"],
      },
      {
        line: 38,
        formerUrl: null,
        link: {
          url: "https://acme.example/masked",
          custom_slug: "masked",
          created_at: "2024-06-01T00:03:20.000Z",
          expires_at: "2024-06-01T00:03:20.000Z",
        },
        notes: ["it has a password, which the file does not contain, so it is imported as expired"],
      },
    ],
  ],
  [
    "yourls.csv",
    "yourls",
    yourlsCsv,
    [
      {
        line: 2,
        formerUrl: null,
        link: {
          url: "https://acme.example/blog/",
          custom_slug: "ozh",
          title: "Blog",
          created_at: "2024-02-29T23:59:59.000Z",
          imported_scans: 1234,
        },
        notes: [],
      },
    ],
  ],
  [
    "yourls.sql",
    "yourls",
    yourlsSql,
    [
      {
        line: 1,
        formerUrl: null,
        link: {
          url: "https://acme.example/blog/?a=1&b=(2,3)",
          custom_slug: "ozh",
          title: 'It\'s a "blog"; really',
          created_at: "2024-02-29T23:59:59.000Z",
          imported_scans: 1234,
        },
        notes: [],
      },
      {
        line: 2,
        formerUrl: null,
        link: {
          url: "https://acme.example/b",
          aliases: ["a_b"],
          created_at: "2024-03-01T00:00:00.000Z",
        },
        notes: [ALIAS_NOTE],
      },
      {
        line: 3,
        formerUrl: null,
        link: { url: "https://acme.example/'quoted'", aliases: ["メニュー"], imported_scans: 7 },
        notes: [ALIAS_NOTE],
      },
    ],
  ],
  [
    "yourls.json",
    "yourls",
    yourlsJson,
    [
      {
        line: 11,
        formerUrl: "https://y.acme.example/1",
        link: {
          url: "https://acme.example/one",
          aliases: ["1"],
          created_at: "2023-01-01T00:00:00.000Z",
        },
        notes: [ALIAS_NOTE],
      },
      {
        line: 3,
        formerUrl: "https://y.acme.example/ozh",
        link: {
          url: "https://acme.example/blog/?a=1&b=2",
          custom_slug: "ozh",
          title: 'Blog — "news"',
          created_at: "2024-02-29T23:59:59.000Z",
          imported_scans: 1234,
        },
        notes: [],
      },
    ],
  ],
];

test.each(FILES)("%s of %s is read", (_, source, text, rows) => {
  expect(readRows(text, { source })).toEqual(rows);
});

test.each(FILES)("%s is recognized as %s", (name, source, text) => {
  expect(readImport({ name, text }, { nowMs: NOW_MS }).source).toBe(source);
});

test.each(FILES)("%s of %s has the same rows with CRLF and a byte order mark", (_, source, text, rows) => {
  expect(readRows(`\ufeff${text.replaceAll("\n", "\r\n")}`, { source })).toEqual(rows);
});

describe("a file of another service than the named one is rejected:", () => {
  test.each(FILES)("%s of %s", (name, source, text) => {
    const others = SOURCE_NAMES.filter((other) => other !== source && other !== "csv");
    for (const other of others) {
      expect(() => readImport({ name, text }, { source: other, nowMs: NOW_MS }), other).toThrow(
        /^line 1|^line [2-6]: found .*, expected/,
      );
    }
  });
});

test("each name has a source with instructions for exporting a file", () => {
  expect(IMPORT_SOURCES.map(({ name }) => name)).toEqual(SOURCE_NAMES);
  for (const name of SOURCE_NAMES) expect(getSource(name).howTo).toMatch(/\w+ .*\.$/);
});

test("a title of Dub is only used as a preview if its link shows one", () => {
  const item = {
    shortLink: "https://go.acme.example/abc",
    url: "https://example.com/",
    title: "T",
    tags: [],
  };
  const link = { url: "https://example.com/", custom_slug: "abc", title: "T" };
  const preview = { title: "T", description: null, image_url: null };
  expect(readRows(JSON.stringify([item, { ...item, proxy: true }]))).toMatchObject([
    { link },
    { link: { ...link, preview } },
  ]);
  expect(readRows(JSON.stringify([item]))).toEqual([
    { line: 1, formerUrl: "https://go.acme.example/abc", link, notes: [] },
  ]);
});

/** Reads a JSON file with one item. */
function readItem(item: object) {
  return readRows(JSON.stringify([item]));
}

describe("the expiry of a link of Kutt", () => {
  const read = (expiry: string, created_at: unknown = "2026-01-01T00:00:00.000Z") =>
    readItem({ target: "https://acme.example/", address: "trial", expire_in: expiry, created_at });

  test.each([
    ["90s", "2026-01-01T00:01:30.000Z"],
    ["30 Minutes", "2026-01-01T00:30:00.000Z"],
    ["1.25 hrs", "2026-01-01T01:15:00.000Z"],
    ["10 days", "2026-01-11T00:00:00.000Z"],
    ["2 w", "2026-01-15T00:00:00.000Z"],
    ["1 year", "2027-01-01T06:00:00.000Z"],
  ])("%s counts from its creation", (expiry, expires_at) => {
    expect(read(expiry)).toMatchObject([
      {
        link: { expires_at },
        notes: [`its expiry "${expiry}" is relative to its creation, so it expires at ${expires_at}`],
      },
    ]);
  });

  test.each(["in 2 days", "2 days ago", "2 dozen"])("%s is not read as a duration", (expiry) => {
    const [row] = read(expiry);
    expect(row).not.toHaveProperty("link.expires_at");
    expect(JSON.stringify(row)).not.toContain("relative");
  });

  test("a duration without the time of creation is left out", () => {
    expect(read("2 days", null)).toMatchObject([
      { notes: ['its expiry "2 days" is relative to an unknown creation time, so it was left out'] },
    ]);
  });
});

describe("an SQL dump", () => {
  const insert = (rows: string) => `INSERT INTO \`yourls_url\` (\`keyword\`, \`url\`) VALUES ${rows};`;

  test.each([
    ["has a line for each row if rows have lines", insert("\n('abc','https://a.example/')"), [2]],
    ["has escapes", insert(`('abc','https://a.example/?q=\\'\\%')`), [1]],
    [
      "has comments between tokens",
      `# x\n${insert("/* ('no') */ ('abc', -- '\n 'https://a.example/')")}`,
      [2],
    ],
    ["ignores duplicates", insert("('abc','https://a.example/')").replace("INSERT", "INSERT IGNORE"), [1]],
    ["names the database", insert("('abc','https://a.example/')").replace("INTO ", "INTO `db`."), [1]],
    ["is cut after a row", insert("('abc','https://a.example/')").slice(0, -1), [1]],
  ])("%s", (_, text, lines) => {
    const rows = readRows(text);
    expect(rows.map(({ line }) => line)).toEqual(lines);
    expect(rows[0]).toMatchObject({ link: { custom_slug: "abc" } });
  });

  test.each([
    [insert("('abc','https://a.example/)"), "line 1: missing closing quote"],
    ["INSERT INTO `other` VALUES ('a');", "line 1: found SQL without rows for a table named *url"],
    ["INSERT INTO `yourls_url` VALUES ('a','b');", "line 1: found the columns"],
  ])("%j is refused: %s", (text, message) => {
    expect(() => readRows(text)).toThrow(message);
  });
});

test("Dub's keys in punycode are read as Unicode, also in several segments", () => {
  const codes = (items: { key: string; shortLink?: string }[]) =>
    items.map((item) => {
      const [row] = readItem({ domain: "go.acme.example", url: "https://acme.example/", ...item });
      return row && isImportRow(row) ? getOldCode(row.link) : row?.problem;
    });
  expect(
    codes([{ key: "xn--mgbh0fb" }, { key: "xn--caf-dma" }, { key: "xn--" }, { key: "m.xn--caf-dma" }]),
  ).toEqual(["مثال", "café", "xn--", "m.café"]);
  const csv = "Short link,Destination URL\nhttps://go.acme.example/xn--caf-dma,https://acme.example/\n";
  expect(readRows(csv)).toMatchObject([{ link: { aliases: ["café"] } }]);
});

test.each([
  { target: "https://acme.example/", address: "" },
  { slashtag: "", destination: "https://acme.example/" },
  { shortCode: "", longUrl: "https://acme.example/", shortUrl: "" },
  { long_url: "https://acme.example/" },
  { slug: "", url: "https://acme.example/" },
  { shorturl: "", url: "https://acme.example/" },
  { key: "", domain: "acme.example", url: "https://acme.example/" },
])("an item without a short code is refused: %o", (item) => {
  expect(readItem(item)).toMatchObject([
    { problem: expect.stringContaining("is the root link of a domain") },
  ]);
});

test.each([
  { target: "https://acme.example/" },
  { address: "trial" },
  { slashtag: "trial" },
  { shortCode: "trial" },
  { longUrl: "https://acme.example/" },
  { slug: "trial" },
  { shorturl: "https://y.acme.example/trial" },
])("an item with half of what a service exports is refused: %o", (item) => {
  expect(() => readItem(item)).toThrow(/^line 1: /);
});

test.each([
  [{ status: "active" }, undefined],
  [{ status: "" }, undefined],
  [{ status: "disabled" }, "has the status disabled at Rebrandly"],
])("a link of Rebrandly with %o", (status, reason) => {
  const item = {
    slashtag: "trial",
    destination: "https://acme.example/",
    domain: { fullName: "go.acme.example" },
  };
  const [row] = readItem({ ...item, ...status });
  expect(row).toMatchObject({ formerUrl: "https://go.acme.example/trial" });
  if (reason === undefined) expect(row).toMatchObject({ notes: [] });
  else expect(JSON.stringify(row)).toContain(reason);
});

test("Sink's times may be texts, its passwords plain, and its previews only a picture", () => {
  const item = {
    slug: "trial",
    title: "Trial",
    url: "https://acme.example/",
    createdAt: "2026-01-01T00:00:00Z",
    password: "secret",
  };
  const image = "https://acme.example/picture.png";
  expect(readItem({ ...item, image })).toMatchObject([
    {
      link: {
        created_at: "2026-01-01T00:00:00.000Z",
        password: "secret",
        preview: { title: "Trial", description: null, image_url: image },
      },
    },
  ]);
  expect(readItem(item)[0]).not.toHaveProperty("link.preview");
});

test("a back-half of Bitly without a host is on the host of the link, and the same back-half is one link", () => {
  const item = { long_url: "https://acme.example/", link: "http://go.acme.example/3AbC" };
  const read = (...custom_bitlinks: string[]) =>
    readItem({ ...item, custom_bitlinks }).map((row) => row.formerUrl);
  expect(read(" Sale ", "")).toEqual(["https://go.acme.example/Sale", "http://go.acme.example/3AbC"]);
  expect(read("https://GO.acme.example/3abc")).toEqual(["http://go.acme.example/3AbC"]);
});
