import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type DesiredLink,
  isSameValue,
  type Link,
  MANAGED_FIELDS,
} from "../../src/client/apply/desired-link.ts";
import { planLinks } from "../../src/client/apply/links-plan.ts";
import { readLinksFile } from "../../src/client/apply/read-links-file.ts";
import { LinksFileError } from "../../src/client/apply/source-tree.ts";
import {
  type FileFormat,
  formatEnd,
  formatLink,
  formatStart,
} from "../../src/client/apply/write-links-file.ts";
import { inputShape } from "../../src/links/link-input.ts";
import { presentLink } from "../../src/links/link-response.ts";
import { createLinkBody } from "../../src/links/links.schema.ts";
import { buildRow } from "../../src/links/links.ts";
import { linkInFile } from "../../src/links/links-file.schema.ts";
import type { Tenant } from "../../src/tenant/tenant.ts";
import { newLinkBody } from "../support/arbitrary-links.ts";
import { chooseRuns } from "../support/runs.ts";

/** Files with links: parsing, comparing and writing. */

const SCHEMA_URL = "https://api.example/docs/links.schema.json";

const TENANT = {
  nowMs: Date.parse("2026-11-22T12:00:00Z"),
  origin: { requestId: "01a1fd70-f1c0-7c3b-9f6e-2b8f3c1d4e5f", isRetry: false },
  settings: { apiUrl: "https://api.example", shortUrl: "https://go.example" },
  workspace: { id: "w", hostnames: ["go.example"] },
} as unknown as Tenant;

/** Returns the link that the service creates from a body, as its responses show it. */
function makeLink(body: object, ordinal: number, more: object = {}): Link {
  const input = createLinkBody.parse(body);
  const row = { ...buildRow(TENANT, input, ordinal), ...more };
  return JSON.parse(JSON.stringify(presentLink(TENANT, row)));
}

function writeFile(format: FileFormat, links: readonly Link[]): string {
  const parts = links.map((link, index) => formatLink(format, link, index === 0));
  return formatStart(format, SCHEMA_URL) + parts.join("") + formatEnd(format, links.length > 0);
}

function listProblems(text: string): string[] {
  try {
    readLinksFile(text);
  } catch (error) {
    if (error instanceof LinksFileError)
      return error.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
    throw error;
  }
  return [];
}

const readOne = (text: string): DesiredLink | undefined =>
  readLinksFile(`version: 1\nlinks:\n  - ${text}\n`)[0];

const PLAIN = { custom_slug: "menu", url: "https://example.com/menu" };

describe.each(["yaml", "json"] as const)("a file in %s", (format) => {
  test("with any links is parsed as the same links, so applying an export changes nothing", () => {
    const links = fc.uniqueArray(
      fc.record({ body: newLinkBody, enabled: fc.boolean(), isLocked: fc.boolean() }),
      {
        maxLength: 4,
        selector: ({ body }) => body.custom_slug.toLowerCase(),
      },
    );
    fc.assert(
      fc.property(links, (made) => {
        const current = made.map(({ body, enabled, isLocked }, index) =>
          makeLink(body, index, { enabled, passwordHash: isLocked ? "hash" : null }),
        );
        const desired = readLinksFile(writeFile(format, current));
        expect(planLinks(desired, current)).toEqual({
          created: [],
          changed: [],
          unchanged: current.length,
          absent: [],
        });
        // Creating links from the file again gives the same links.
        expect(desired.map(({ createdAt, importedScans }) => [createdAt, importedScans])).toEqual(
          current.map(({ created_at, imported_scans }) => [created_at, imported_scans]),
        );
      }),
      { numRuns: chooseRuns(40, 150), seed: 1 },
    );
  });
});

test("a YAML file has fields in a fixed order, without defaults, quoted only where necessary", () => {
  const link = makeLink(
    {
      custom_slug: "2027",
      url: "https://example.com/a?b=c#d",
      title: "Menu: summer",
      note: "two\nlines",
      labels: ["print", "yes", "3"],
      routing_rules: [
        { when: { country: ["ca"] }, destination: "https://example.ca/", name: "Canada" },
        { split: [{ destination: "https://example.com/b", percent: 50 }] },
      ],
      preview: { title: "T" },
      max_scans: 3,
      imported_scans: 12,
    },
    0,
  );
  expect(writeFile("yaml", [link, makeLink(PLAIN, 1)])).toBe(`# yaml-language-server: $schema=${SCHEMA_URL}
version: 1
links:
  - code: "2027"
    url: https://example.com/a?b=c#d
    title: "Menu: summer"
    note: |-
      two
      lines
    labels:
      - print
      - yes
      - "3"
    routing_rules:
      - name: Canada
        when:
          country:
            - CA
        destination: https://example.ca/
      - split:
          - destination: https://example.com/b
            percent: 50
    max_scans: 3
    preview:
      title: T
    imported_scans: 12
    created_at: 2026-11-21T09:30:00.000Z
  - code: menu
    url: https://example.com/menu
    created_at: 2026-11-21T09:30:00.000Z
`);
});

test.each([
  ["a line separator", "a\u2028b", "\\u2028"],
  ["a paragraph separator", "a\u2029b", "\\u2029"],
  ["a byte order mark", "a\ufeffb", "\\ufeff"],
  ["a control character", "a\u0085b", "\\u0085"],
])("%s is escaped, because editors change or hide it", (_, text, escaped) => {
  const link = makeLink({ ...PLAIN, note: text }, 0);
  const when = { query: { [text]: ["1"] } };
  const fragile = { ...link, routing_rules: [{ when, destination: "https://example.com/" }] } as Link;
  const file = writeFile("yaml", [fragile]);
  expect(file).toContain(`note: "a${escaped}b"`);
  expect(file).toContain(`"a${escaped}b":\n`);
  expect(writeFile("json", [fragile])).toContain(`"note": "a${escaped}b"`);
  for (const written of [file, writeFile("json", [link])]) {
    expect(readLinksFile(written)[0]?.fields.note).toBe(text);
  }
  expect(readLinksFile(file)[0]?.fields.routing_rules[0]?.when).toEqual(when);
});

test("a JSON file names its schema, and so does a file without links", () => {
  expect(JSON.parse(writeFile("json", [makeLink(PLAIN, 0)]))).toEqual({
    $schema: SCHEMA_URL,
    version: 1,
    links: [{ code: "menu", url: "https://example.com/menu", created_at: "2026-11-21T09:30:00.000Z" }],
  });
  for (const format of ["yaml", "json"] as const) expect(readLinksFile(writeFile(format, []))).toEqual([]);
});

describe("parsing", () => {
  test("converts values to the form that the service stores, and omitted fields to their defaults", () => {
    const link = readOne(`{ code: Menu, url: "https://example.com/", labels: [a, a, " b "], archived: null,
      expires_at: 2027-01-01T01:00+01:00, routing_rules: [{ when: { country: [ca] }, block: true }] }`);
    expect(link).toEqual({
      name: "Menu",
      code: "Menu",
      externalId: null,
      aliases: [],
      fields: {
        url: "https://example.com/",
        title: null,
        note: null,
        labels: ["a", "b"],
        enabled: true,
        archived: false,
        routing_rules: [{ when: { country: ["CA"] }, block: true }],
        starts_at: null,
        early_url: null,
        expires_at: "2027-01-01T00:00:00.000Z",
        expired_url: null,
        max_scans: null,
        has_password: false,
        preview: null,
        qr_template_id: null,
        forward_query: false,
        confirm: false,
      },
      passwordVariable: null,
      importedScans: 0,
      createdAt: null,
      line: 3,
    });
  });

  test("only accepts a password from the environment", () => {
    const url = "url: https://example.com/";
    const named = readOne(`{ code: menu, ${url}, password: { environment: MENU_PASSWORD } }`);
    expect([named?.passwordVariable, named?.fields.has_password]).toEqual(["MENU_PASSWORD", true]);
    const kept = readOne(`{ code: menu, ${url}, has_password: true }`);
    expect([kept?.passwordVariable, kept?.fields.has_password]).toEqual([null, true]);
    expect(listProblems(`version: 1\nlinks:\n  - { code: menu, ${url}, password: open sesame }`)).toEqual([
      "3:56 links[0].password: must be an object",
    ]);
  });

  test("supports aliases, for rules that links share", () => {
    const links = readLinksFile(`version: 1
links:
  - code: one
    url: https://example.com/
    routing_rules: &eu
      - when: { continent: [EU] }
        destination: https://example.eu/
  - code: two
    url: https://example.com/
    routing_rules: *eu
`);
    expect(links[1]?.fields.routing_rules).toEqual(links[0]?.fields.routing_rules);
  });

  test("supports every link field that callers can set", () => {
    const names = Object.keys(linkInFile.shape);
    const absent = ["destination", "password_hash"];
    expect(Object.keys(inputShape).filter((name) => !names.includes(name))).toEqual(
      expect.arrayContaining(absent),
    );
    const unmanaged = ["code", "external_id", "aliases", "password", "imported_scans", "created_at"];
    expect(names.filter((name) => !unmanaged.includes(name)).sort()).toEqual([...MANAGED_FIELDS].sort());
  });
});

test("a plan creates new links, changes others, and lists what the file lacks", () => {
  const [kept, changed, absent] = ["kept", "changed", "absent"].map((custom_slug, index) =>
    makeLink({ ...PLAIN, custom_slug }, index),
  ) as [Link, Link, Link];
  const file = writeFile("yaml", [
    { ...changed, title: "New" },
    { ...kept, short_code: "KEPT" },
    makeLink(PLAIN, 3),
  ]);
  const plan = planLinks(readLinksFile(file), [kept, changed, absent]);
  expect(plan).toMatchObject({
    created: [{ code: "menu" }],
    changed: [{ link: changed, changes: [{ field: "title", before: null, after: "New" }] }],
    unchanged: 1,
    absent: [absent],
  });
  expect(plan.changed).toHaveLength(1);
});

test("a plan finds links by their external ids first, renames them, and removes no aliases", () => {
  const [first, second, third] = ["one", "two", "three"].map((custom_slug, index) =>
    makeLink({ ...PLAIN, custom_slug, external_id: `id-${index}`, aliases: [`_${index}`] }, index),
  ) as [Link, Link, Link];
  const file = `version: 1
links:
  - { external_id: id-0, code: two, url: "https://example.com/menu", aliases: [_0, "é/0"] }
  - { code: TWO-2, external_id: id-1, url: "https://example.com/menu" }
  - { external_id: new, code: Three, url: "https://example.com/menu" }
  - { external_id: other, url: "https://example.com/menu", aliases: ["100%"] }
`;
  const plan = planLinks(readLinksFile(file), [first, second, third]);
  expect(plan.changed.map(({ link, changes }) => [link.external_id, ...changes])).toEqual([
    [
      "id-0",
      { field: "code", before: "one", after: "two" },
      { field: "aliases", before: ["_0"], after: ["_0", "é/0"] },
    ],
    ["id-1", { field: "code", before: "two", after: "TWO-2" }],
    ["id-2", { field: "external_id", before: "id-2", after: "new" }],
  ]);
  expect(plan.created).toMatchObject([{ name: "other", code: null, externalId: "other", aliases: ["100%"] }]);
  expect(plan.absent).toEqual([]);
});

test.each<[unknown, unknown, boolean]>([
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: [1, { b: null }] }, { a: [1, { b: null }] }, true],
  [{ a: 1 }, { a: 2 }, false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: undefined }, { b: undefined }, false],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [null, {}, false],
  ["1", 1, false],
  [1, {}, false],
])("%j and %j are equal: %s", (one, other, isSame) => {
  expect([isSameValue(one, other), isSameValue(other, one)]).toEqual([isSame, isSame]);
});

describe("errors contain their line and column, and the expected value", () => {
  const link = (more: string) => `version: 1
links:
  - code: menu
    url: https://example.com/
    ${more}`;

  test.each<[string, string[]]>([
    ["", ["1:1 expected an object with `version` and `links`, found nothing"]],
    [
      "id,url\n1,https://example.com/\n",
      ["1:1 expected an object with `version` and `links`, found a string"],
    ],
    ["true\n", ["1:1 expected an object with `version` and `links`, found a value"]],
    ["- code: menu\n", ["1:1 expected an object with `version` and `links`, found a list"]],
    ["version: 2\nlinks: []\n", ["1:10 version: must be 1"]],
    ["version: 1\n", ["1:1 links: is required"]],
    ["version: 1\nlinks: {}\n", ["2:8 links: must be an array"]],
    ["version: 1\nlinks:\n  - menu\n", ["3:5 links[0]: must be an object"]],
    ["version: 1\nlinks:\n  - code: menu\n", ["3:5 links[0].url: is required"]],
    ["version: 1\nlinks:\n\t- code: menu\n", ["3:1 indent with spaces, not tabs"]],
    ['{\n "version": 1,\n "links": [{"code": "me', ["3:24 unexpected end, expected a double quote"]],
    ['{"version": 1 "links": []}', ['1:15 unexpected `"`, expected a comma or `}`']],
    ["version: 1\nlinks: [}\n", [expect.stringMatching(/^2:9 /)]],
    ['{ "version": 1, "links": [ }', ["1:28 unexpected `}`, expected a value"]],
    ["version: 1\nlinks: []\n---\nversion: 1\n", ["3:1 the file contains more than one YAML document"]],
    [link("title: !secret a"), [expect.stringMatching(/^5:12 .*!secret/)]],
    [link("title: a\n    title: b"), ["6:5 duplicate key in this object"]],
    [link("titel: a"), ["5:5 links[0].titel: is not a known field; did you mean `title`?"]],
    [
      link("titel: a\n    max_scans: 0"),
      [
        "5:5 links[0].titel: is not a known field; did you mean `title`?",
        "6:16 links[0].max_scans: must be at least 1",
      ],
    ],
    [link("__proto__: {}"), ["5:5 links[0].__proto__: is not a known field"]],
    [
      link("external_id: a\n  - external_id: a\n    url: https://example.com/"),
      ["6:18 links[1].external_id: a is also used on line 3"],
    ],
    [
      "version: 1\nlinks:\n  - url: https://example.com/\n",
      ["3:5 links[0].code: is required without external_id"],
    ],
    [link("id: 7"), ["5:5 links[0].id: is not a known field"]],
    [link("title: 2027"), ["5:12 links[0].title: must be a string; put quotes around 2027"]],
    [link("title: true"), ["5:12 links[0].title: must be a string; put quotes around true"]],
    [link("title: {}"), ["5:12 links[0].title: must be a string"]],
    [link("enabled: maybe"), ["5:14 links[0].enabled: must be a boolean"]],
    [
      link("expires_at: tomorrow"),
      ["5:17 links[0].expires_at: must be an ISO 8601 date-time with an offset or Z"],
    ],
    [link("expired_url: ftp://a.example"), ["5:18 links[0].expired_url: must be an http or https URL"]],
    [
      link("routing_rules:\n      - when: { country: [UK] }\n        destination: https://example.com/"),
      ["6:27 links[0].routing_rules[0].when.country[0]: UK is not an ISO 3166-1 code; use GB"],
    ],
    [
      link("has_password: false\n    password: { environment: A }"),
      ["5:19 links[0].has_password: must not be false if `password` is set"],
    ],
    [
      link("password: { environment: a b }"),
      ["5:30 links[0].password.environment: must be the name of an environment variable"],
    ],
    [
      link("max_scans: 0\n  - code: me\n    url: x"),
      [
        "5:16 links[0].max_scans: must be at least 1",
        "6:11 links[1].code: must have at least 3 characters",
        "7:10 links[1].url: must be an http or https URL",
      ],
    ],
    [
      link("title: a\n  - code: MENU\n    url: https://example.com/"),
      ["6:11 links[1].code: MENU is also used on line 3"],
    ],
    [
      '{"version": 1, "links": [{"id": 7, "code": "me", "url": "x"}]}',
      [
        "1:27 links[0].id: is not a known field",
        "1:44 links[0].code: must have at least 3 characters",
        "1:57 links[0].url: must be an http or https URL",
      ],
    ],
    ["version: 1\nlinks: &all [*all]\n", ["2:14 `*all` refers to itself"]],
    ["version: 1\nlinks: *none\n", [expect.stringMatching(/^2:8 /)]],
    ["version: 1\n? [a]\n: b\n", [expect.stringMatching(/^2:3 /)]],
  ])("%j", (text, problems) => {
    expect(listProblems(text)).toEqual(problems);
  });

  test("a few aliases do not fill the memory", () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const items = Array(10).fill(level === 0 ? "x" : `*a${level - 1}`);
      return `a${level}: &a${level} [${items.join(", ")}]`;
    });
    expect(listProblems(levels.join("\n"))).toEqual([
      expect.stringMatching(/expected at most 5000000 values/),
    ]);
  });

  test.each([
    // 1 for the object, 4,999 for `a`, 1 + 998 × 5,000 for `b`, and 1 + 4,998 for `c` are 5,000,000.
    [4_998, false],
    [4_999, true],
  ])("values of an alias count at every use, with %i values beside them", (extra, isTooMany) => {
    const list = `[${Array(4_998).fill("0").join(", ")}]`;
    const text = `a: &a ${list}\nb: [${Array(998).fill("*a").join(", ")}]\nc: [${Array(extra).fill("0").join(", ")}]`;
    expect(listProblems(text).some((problem) => problem.includes("5000000"))).toBe(isTooMany);
  });

  test("levels of an alias count where it is used", () => {
    const nest = (depth: number, inner: string) => `${"[".repeat(depth)}${inner}${"]".repeat(depth)}`;
    const find = (depth: number) => listProblems(`a: &a ${nest(30, "0")}\nb: ${nest(depth, "*a")}`);
    expect([33, 34].map((depth) => find(depth).some((problem) => problem.includes("64 levels")))).toEqual([
      false,
      true,
    ]);
  });

  test.each([
    [64, "1:1 expected an object with `version` and `links`, found a list"],
    [65, "1:66 expected at most 64 levels of values"],
  ])("%i levels", (depth, fault) => {
    expect(listProblems(`${"[".repeat(depth)}0${"]".repeat(depth)}`)).toEqual([fault]);
  });

  test("levels of objects count as well", () => {
    const nest = (depth: number) => `${'{"a":'.repeat(depth)}0${"}".repeat(depth)}`;
    const fault = "1:326 expected at most 64 levels of values";
    expect([64, 65].map((depth) => listProblems(nest(depth)).includes(fault))).toEqual([false, true]);
  });
});
