import { describe, expect, test } from "vitest";
import { cleanCell } from "../../src/client/import/cell-text.ts";
import { fitLink } from "../../src/client/import/fit-link.ts";
import type { ForeignLink, ForeignRule } from "../../src/client/import/foreign-link.ts";
import { isImportRow } from "../../src/client/import/import-row.ts";
import { parseMoment } from "../../src/client/import/moments.ts";
import { createLinkBody } from "../../src/links/links.schema.ts";
import { NOW_MS } from "../support/imports.ts";

const URL = "https://example.com/";

/** Converts a link and checks that the service accepts it. */
function toResult(foreign: Partial<ForeignLink>) {
  const row = fitLink({ line: 1, url: URL, ...foreign }, NOW_MS);
  if (!isImportRow(row)) return row.problem;
  expect(createLinkBody.safeParse(row.link).error?.issues).toBeUndefined();
  const { url, ...others } = row.link;
  return {
    ...(url === URL ? {} : { url }),
    ...others,
    ...(row.notes.length === 0 ? {} : { notes: row.notes }),
  };
}

describe("destinations:", () => {
  test.each([
    [
      "example.com/a",
      { url: "https://example.com/a", notes: ["the destination had no scheme, so https:// was added"] },
    ],
    [
      "//example.com",
      { url: "https://example.com", notes: ["the destination had no scheme, so https:// was added"] },
    ],
    [
      "münchen.example:8080?a",
      {
        url: "https://münchen.example:8080?a",
        notes: ["the destination had no scheme, so https:// was added"],
      },
    ],
    ["HTTP://example.com/", { url: "HTTP://example.com/" }],
    [
      " https://example.com/a b ",
      { url: "https://example.com/a%20b", notes: ["spaces in the destination were encoded as %20"] },
    ],
    ["", "has no destination"],
    [" ", "has no destination"],
    ["mailto:a@example.com", 'the destination "mailto:a@example.com" must be an http or https URL'],
    ["javascript:alert(1)", 'the destination "javascript:alert(1)" must be an http or https URL'],
    ["menu", 'the destination "menu" must be an http or https URL'],
    [
      "https://a:b@example.com/",
      'the destination "https://a:b@example.com/" must not contain a user name or password',
    ],
    ["https://example.com/\n", {}],
    [
      "https://example.com/\ta",
      'the destination "https://example.com/\\ta" must not contain white space or control characters',
    ],
    [`https://example.com/${"x".repeat(8_173)}`, expect.stringMatching(/must have at most 8192 characters$/)],
    [
      `https://example.com/${"ä".repeat(3_000)}`,
      expect.stringMatching(/must have at most 8192 characters once encoded$/),
    ],
  ])("%j", (url, expected) => {
    expect(toResult({ url })).toEqual(expected);
  });
});

const ALIAS_NOTE = "its code can't be a short code here, so it is an alias";

describe("codes:", () => {
  test.each<[Partial<ForeignLink>, unknown]>([
    [{ slug: "Summer-Sale" }, { custom_slug: "Summer-Sale" }],
    [{ slug: " abc " }, { custom_slug: "abc" }],
    [{ slug: "" }, {}],
    [{ formerUrl: "s.acme.example/Abc/" }, { custom_slug: "Abc" }],
    [{ formerUrl: "https://s.acme.example/a%2Db" }, { custom_slug: "a-b" }],
    [{ formerUrl: "https://s.acme.example/abc", slug: "def" }, { custom_slug: "def" }],
    [{ slug: "x".repeat(64) }, { custom_slug: "x".repeat(64) }],
    // Texts that can't be short codes become aliases.
    ...["my_menu", "Crème.brûlée", "a/b/c", "メニュー", "ab", "_", "x".repeat(65), "Admin", "100%"].map(
      (slug): [Partial<ForeignLink>, unknown] => [{ slug }, { aliases: [slug], notes: [ALIAS_NOTE] }],
    ),
    [{ slug: "/x/ " }, { aliases: ["x"], notes: [ALIAS_NOTE] }],
    [{ slug: "Ame\u0301lie" }, { aliases: ["Am\u00e9lie"], notes: [ALIAS_NOTE] }],
    [{ formerUrl: "https://s.acme.example/%E0" }, { aliases: ["%E0"], notes: [ALIAS_NOTE] }],
    [{ formerUrl: "https://s.acme.example/a%2Fb" }, { aliases: ["a/b"], notes: [ALIAS_NOTE] }],
    [{ slug: "x".repeat(256) }, expect.stringMatching(/must have 1 to 255 characters$/)],
    [{ slug: "a//b" }, 'the short code "a//b" must not have segments that are empty, `.` or `..`'],
    [{ slug: ".well-known/x" }, 'the short code ".well-known/x" ".well-known/x" is reserved'],
    [{ slug: "", needsSlug: true }, "is the root link of a domain; set it in the domain's settings instead"],
    [
      { formerUrl: "https://s.acme.example/" },
      "is the root link of a domain; set it in the domain's settings instead",
    ],
  ])("%j", (foreign, expected) => {
    expect(toResult(foreign)).toEqual(expected);
  });
});

describe("texts:", () => {
  test.each<[Partial<ForeignLink>, unknown]>([
    [{ title: " a\n\tb " }, { title: "a b" }],
    [{ title: "\u0007" }, {}],
    [{ title: "x".repeat(200) }, { title: "x".repeat(200) }],
    [
      { title: "x".repeat(201) },
      { title: "x".repeat(200), notes: ["the title was shortened to 200 characters"] },
    ],
    [{ title: "😀".repeat(200) }, { title: "😀".repeat(200) }],
    [
      { title: `${"x".repeat(199)}😀😀` },
      { title: `${"x".repeat(199)}😀`, notes: ["the title was shortened to 200 characters"] },
    ],
    [{ note: "a\nb" }, { note: "a\nb" }],
    [
      { note: "x".repeat(2_049) },
      { note: "x".repeat(2_048), notes: ["the note was shortened to 2048 characters"] },
    ],
    [{ title: "\ud800" }, { title: "\ufffd" }],
    [{ labels: [" a ", "a", "", " "] }, { labels: ["a"] }],
    [
      { labels: ["x".repeat(65)] },
      { labels: ["x".repeat(64)], notes: [`the label "${"x".repeat(65)}" was shortened to 64 characters`] },
    ],
    [
      { labels: Array.from({ length: 12 }, (_, index) => `l${index}`) },
      {
        labels: Array.from({ length: 10 }, (_, index) => `l${index}`),
        notes: ["a link can have at most 10 labels, so 2 more were left out"],
      },
    ],
    [
      { archived: true, forwardQuery: true },
      { archived: true, forward_query: true },
    ],
    [{ archived: false, forwardQuery: false }, {}],
  ])("%j", (foreign, expected) => {
    expect(toResult(foreign)).toEqual(expected);
  });
});

describe("times:", () => {
  test.each<[Partial<ForeignLink>, unknown]>([
    [{ createdAt: "2024-01-02" }, { created_at: "2024-01-02T00:00:00.000Z" }],
    [{ createdAt: NOW_MS }, { created_at: "2026-11-22T12:00:00.000Z" }],
    [{ createdAt: NOW_MS + 1 }, { notes: ["creation time ignored because it is in the future"] }],
    [
      { createdAt: -1 },
      { notes: ['its creation time "-1" is not between 1970 and 9999, so it was ignored'] },
    ],
    [{ createdAt: 0 }, { created_at: "1970-01-01T00:00:00.000Z" }],
    [
      { createdAt: "1969-12-31" },
      { notes: ['its creation time "1969-12-31" is not between 1970 and 9999, so it was ignored'] },
    ],
    [{ createdAt: "soon" }, { notes: ['its creation time "soon" is not a valid time, so it was ignored'] }],
    [
      { createdAt: Number.NaN },
      { notes: ['its creation time "NaN" is not between 1970 and 9999, so it was ignored'] },
    ],
    [{ startsAt: "2027-01-01" }, { starts_at: "2027-01-01T00:00:00.000Z" }],
    [{ expiresAt: "2020-01-01" }, { expires_at: "2020-01-01T00:00:00.000Z" }],
    [
      { expiresAt: 8.64e15 },
      { notes: ['its expiry "8640000000000000" is not between 1970 and 9999, so it was ignored'] },
    ],
    [{ expiresAt: 253_402_300_799_999 }, { expires_at: "9999-12-31T23:59:59.999Z" }],
    [
      { expiresAt: 253_402_300_800_000 },
      { notes: ['its expiry "253402300800000" is not between 1970 and 9999, so it was ignored'] },
    ],
    [
      { closed: "is off" },
      { expires_at: "1970-01-01T00:00:00.000Z", notes: ["it is off, so it is imported as expired"] },
    ],
  ])("%j", (foreign, expected) => {
    expect(toResult(foreign)).toEqual(expected);
  });

  test.each([
    ["2024-01-02T03:04:05Z", "2024-01-02T03:04:05.000Z"],
    ["2024-01-02T03:04:05+0200", "2024-01-02T01:04:05.000Z"],
    ["2024-01-02 03:04:05", "2024-01-02T03:04:05.000Z"],
    ["2024-01-02 03:04:05 UTC", "2024-01-02T03:04:05.000Z"],
    ["2024/1/2", "2024-01-02T00:00:00.000Z"],
    ["2024-01-02 3:04 PM", "2024-01-02T15:04:00.000Z"],
    ["2024-01-02 12:04 am", "2024-01-02T00:04:00.000Z"],
    ["Jan 2, 2024", "2024-01-02T00:00:00.000Z"],
    ["January 2, 2024 at 3:04 pm", "2024-01-02T15:04:00.000Z"],
    ["Tue, 02 Jan 2024 03:04:05 GMT", "2024-01-02T03:04:05.000Z"],
    ["2 January 2024", "2024-01-02T00:00:00.000Z"],
    ["31/12/2024", "2024-12-31T00:00:00.000Z"],
    ["12/31/2024 08:00", "2024-12-31T08:00:00.000Z"],
    ["31.12.2024", "2024-12-31T00:00:00.000Z"],
    ["05/05/2024", "2024-05-05T00:00:00.000Z"],
    ["1704164645", "2024-01-02T03:04:05.000Z"],
    ["1704164645.5", "2024-01-02T03:04:05.500Z"],
    ["1704164645123", "2024-01-02T03:04:05.123Z"],
    ["01/02/2024", null],
    ["01/12/2024", null],
    ["31/31/2024", null],
    ["2024-02-30", null],
    ["2024-01-02 25:00", null],
    ["Foo 2, 2024", null],
    ["2024", null],
    ["31.12/2024", null],
  ])("%j is %j", (text, expected) => {
    const timeMs = parseMoment(text);
    expect(timeMs === null ? null : new Date(timeMs).toISOString()).toBe(expected);
  });
});

describe("scans:", () => {
  test.each<[Partial<ForeignLink>, unknown]>([
    [{ scans: 7 }, { imported_scans: 7 }],
    [{ scans: "1,234,567" }, { imported_scans: 1_234_567 }],
    [{ scans: 0 }, {}],
    [{ scans: "" }, {}],
    [{ scans: "9007199254740991" }, { imported_scans: 9_007_199_254_740_991 }],
    [
      { scans: "9007199254740992" },
      {
        notes: ['its previous scan count "9007199254740992" was ignored because it is not a whole number'],
      },
    ],
    [
      { scans: "1.5" },
      { notes: ['its previous scan count "1.5" was ignored because it is not a whole number'] },
    ],
    [{ scans: -1 }, { notes: ['its previous scan count "-1" was ignored because it is not a whole number'] }],
    [
      { scans: "1,23" },
      { notes: ['its previous scan count "1,23" was ignored because it is not a whole number'] },
    ],
    [{ maxScans: 10 }, { max_scans: 10 }],
    [
      { maxScans: 10, scans: 9 },
      {
        max_scans: 1,
        imported_scans: 9,
        notes: ["1 of its 10 allowed scans are left, so 1 is the scan limit here"],
      },
    ],
    [
      { maxScans: 10, scans: 10 },
      {
        imported_scans: 10,
        expires_at: "1970-01-01T00:00:00.000Z",
        notes: ["it has reached its limit of 10 scans, so it is imported as expired"],
      },
    ],
    [{ maxScans: 2_000_000_000 }, { max_scans: 1_000_000_000 }],
  ])("%j", (foreign, expected) => {
    expect(toResult(foreign)).toEqual(expected);
  });
});

const PASSWORD_FAULT = "its password must have 4 to 128 characters on one line; choose a different one";
const HASH = "sink-pwd:v1:10000:AAECAwQFBgcICQoLDA0ODw:uFUp6yg7Aro2IpQVlQ40g6pIVGl96p54DpQRMTKPmbc:YW1l";

describe("guards:", () => {
  test.each<[Partial<ForeignLink>, unknown]>([
    [{ password: "1234" }, { password: "1234" }],
    [{ password: "x".repeat(128) }, { password: "x".repeat(128) }],
    [{ password: "😀😀😀😀" }, { password: "😀😀😀😀" }],
    [{ password: "123" }, PASSWORD_FAULT],
    [{ password: "😀😀" }, PASSWORD_FAULT],
    [{ password: "x".repeat(129) }, PASSWORD_FAULT],
    [{ password: "12\n34" }, PASSWORD_FAULT],
    [{ passwordHash: HASH }, { password_hash: HASH }],
    [
      { passwordHash: "sink-pwd:v1:1:a:b:c" },
      "its password hash has an unsupported format; set a new password",
    ],
    [
      { expiredUrl: "example.com/over", earlyUrl: "https://example.com/early" },
      { expired_url: "https://example.com/over", early_url: "https://example.com/early" },
    ],
    [
      { expiredUrl: "over" },
      { notes: ['its destination after expiry "over" must be an http or https URL, so it was ignored'] },
    ],
    [
      {
        preview: {
          title: "x".repeat(121),
          description: "y".repeat(241),
          imageUrl: "https://example.com/a.png",
        },
      },
      {
        preview: {
          title: "x".repeat(120),
          description: "y".repeat(240),
          image_url: "https://example.com/a.png",
        },
        notes: [
          "the preview title was shortened to 120 characters",
          "the preview description was shortened to 240 characters",
        ],
      },
    ],
    [{ preview: { title: "", description: "y", imageUrl: "" } }, {}],
    [{ problem: "is gone" }, "is gone"],
  ])("%j", (foreign, expected) => {
    expect(toResult(foreign)).toEqual(expected);
  });
});

describe("rules:", () => {
  const rule = (when: ForeignRule["when"], destination = URL): ForeignRule => ({ when, destination });
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => rule({ query: { a: [`${index}`] } }));
  const outcome = (...rules: ForeignRule[]) => toResult({ rules });
  const left = (number: number, reason: string) => ({
    notes: [`rule ${number} (to "${URL}") was left out: ${reason}`],
  });

  test.each<[ForeignRule["when"], unknown]>([
    [{ country: ["de", " DE", "at"] }, { country: ["DE", "AT"] }],
    [{ language: ["EN_us", "FR"] }, { language: ["en-US", "fr"] }],
    [{ query: { a: true, b: ["", "x"] } }, { query: { a: true, b: ["", "x"] } }],
  ])("the conditions %j are %j", (when, expected) => {
    expect(outcome(rule(when))).toEqual({ routing_rules: [{ when: expected, destination: URL }] });
  });

  test.each<[ForeignRule["when"], string]>([
    [{}, "it has no conditions"],
    [{ country: ["UK"] }, '"UK" is not an ISO 3166-1 country code'],
    [{ language: ["english"] }, '"english" is not a language, or language and region'],
    [{ query: { "": true } }, "a query parameter has no name"],
    [
      { query: { a: ["x".repeat(257)] } },
      "names and values of query parameters can have at most 256 characters",
    ],
    [
      { query: { ["x".repeat(257)]: true } },
      "names and values of query parameters can have at most 256 characters",
    ],
    [
      { query: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [index, true] as const)) },
      "a rule can have at most 20 query parameters",
    ],
    [
      { query: { a: Array.from({ length: 301 }, (_, index) => `${index}`) } },
      "a condition can have at most 300 values",
    ],
    [
      { after: "2025-01-01T00:00:00.000Z", before: "2025-01-01T00:00:00.000Z" },
      "its end is before its start",
    ],
  ])("unsupported conditions are removed: %#", (when, reason) => {
    expect(outcome(rule(when))).toEqual(left(1, reason));
  });

  test("a rule that an earlier one always overrides is removed", () => {
    expect(outcome(rule({ country: ["DE", "AT"] }), rule({ country: ["AT", "DE"] }))).toEqual({
      routing_rules: [{ when: { country: ["DE", "AT"] }, destination: URL }],
      ...left(2, "an earlier rule has the same conditions"),
    });
  });

  test("a rule without a destination is removed, and a long name is cut", () => {
    expect(
      outcome(
        { name: "x".repeat(65), when: { os: ["ios"] }, destination: "app.example" },
        rule({ os: ["ios"] }, "app://x"),
      ),
    ).toEqual({
      routing_rules: [{ name: "x".repeat(64), when: { os: ["ios"] }, destination: "https://app.example" }],
      notes: ['rule 2 (to "app://x") was left out: its destination must be an http or https URL'],
    });
  });

  test("a link keeps at most 20 rules", () => {
    expect(outcome(...many(20))).not.toHaveProperty("notes");
    expect(outcome(...many(21))).toMatchObject(left(21, "a link can have at most 20 rules"));
  });

  test("a link keeps at most 16 KiB of rules", () => {
    const long = (os: "ios" | "android" | "macos", length: number) =>
      rule({ os: [os] }, `${URL}${"x".repeat(length)}`);
    const rules = (length: number) => [long("ios", 7_000), long("android", 7_000), long("macos", length)];
    const rest = 16_384 - JSON.stringify(rules(0)).length;
    expect(outcome(...rules(rest))).not.toHaveProperty("notes");
    expect(outcome(...rules(rest))).toMatchObject({ routing_rules: rules(rest) });
    expect(outcome(...rules(rest + 1))).toMatchObject({ routing_rules: rules(0).slice(0, 2) });
    expect(JSON.stringify(outcome(...rules(rest + 1)))).toContain(
      "the rules of a link can have at most 16 KiB as JSON",
    );
  });
});

test("a long text is shortened in messages", () => {
  expect(toResult({ slug: "x_".repeat(200) })).toContain(`"${"x_".repeat(39)}x…"`);
});

test.each([
  ["'0,5", "0,5"],
  ['="a', '="a'],
  ["  x ", "x"],
])("the cell %j means %j", (cell, expected) => {
  expect(cleanCell(cell)).toBe(expected);
});
