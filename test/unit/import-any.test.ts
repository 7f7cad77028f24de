import fc from "fast-check";
import { expect, test } from "vitest";
import { COLUMN_FIELDS } from "../../src/client/import/column-map.ts";
import { ImportFormatError, SOURCE_NAMES } from "../../src/client/import/import-row.ts";
import bitly from "../fixtures/import/bitly.json?raw";
import dub from "../fixtures/import/dub.json?raw";
import kutt from "../fixtures/import/kutt.json?raw";
import rebrandly from "../fixtures/import/rebrandly.json?raw";
import shlink from "../fixtures/import/shlink.json?raw";
import shortIo from "../fixtures/import/short-io.json?raw";
import sink from "../fixtures/import/sink.json?raw";
import yourls from "../fixtures/import/yourls.json?raw";
import { anyText } from "../support/arbitrary-texts.ts";
import { readRows } from "../support/imports.ts";
import { chooseRuns } from "../support/runs.ts";

/** Any file content results in accepted rows, rows with an error, or one error about the file. */

const RUNS = { numRuns: chooseRuns(100, 400), seed: 22 };

function expectRowsOrFormatError(text: string, options: Parameters<typeof readRows>[1] = {}): void {
  try {
    for (const row of readRows(text, options)) {
      expect(Number.isInteger(row.line) && row.line > 0).toBe(true);
      if ("problem" in row) expect(row.problem).not.toBe("");
    }
  } catch (error) {
    if (!(error instanceof ImportFormatError)) throw error;
    expect(error.message).toMatch(
      /^line \d+: (?:found .*, expected |the file is |this is not a text file; |missing |unexpected )/s,
    );
  }
}

const source = fc.option(fc.constantFrom(...SOURCE_NAMES), { nil: undefined });

test("any text is read or rejected", () => {
  const text = fc.oneof(
    anyText({ maxLength: 200 }),
    fc.string({ unit: fc.constantFrom(..."\"',;\t\n\r [{]}:=a0\\"), maxLength: 60 }),
    fc.json(),
  );
  fc.assert(
    fc.property(text, source, (given, name) => expectRowsOrFormatError(given, { source: name })),
    RUNS,
  );
});

/** Values of fields in files, including invalid ones. */
const value = fc.oneof(
  fc.constantFrom(
    "https://example.com/",
    "example.com/a b",
    "javascript:1",
    "abc",
    "a_b",
    "admin",
    "true",
    "2 days",
    "2024-01-02",
    "01/02/2024",
    "9999-12-31T23:59:59+14:00",
    "0000-01-01T00:00:00Z",
    "1704164645",
    "-1",
    "1e9",
    "9".repeat(16),
    "__proto__",
    "sink-pwd:v1:10000:AAECAwQFBgcICQoLDA0ODw:uFUp6yg7Aro2IpQVlQ40g6pIVGl96p54DpQRMTKPmbc:YW1l",
    "x".repeat(300),
    "y".repeat(9_000),
    "\ud800",
    "a;b|c,d",
  ),
  fc.string({ maxLength: 20 }),
  anyText({ maxLength: 10 }),
);

const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;

test("any table of links is read", () => {
  const row = fc.array(value, { minLength: COLUMN_FIELDS.length, maxLength: COLUMN_FIELDS.length });
  const table = fc.tuple(fc.array(row, { maxLength: 4 }), fc.constantFrom(",", ";", "\t"));
  const property = fc.property(table, ([rows, delimiter]) => {
    const lines = [COLUMN_FIELDS, ...rows].map((cells) => cells.map(quote).join(delimiter));
    expectRowsOrFormatError(lines.join("\n"), { source: "csv" });
  });
  fc.assert(property, RUNS);
});

/** Items of the documents, with values of their kind. */
const pages = [bitly, dub, kutt, rebrandly, shlink, shortIo, sink, yourls].map(
  (text) => JSON.parse(text) as unknown,
);
const anything = fc.oneof(value, fc.jsonValue({ maxDepth: 2 }), fc.integer(), fc.double(), fc.constant(null));

/** Returns a document with some of its values replaced, in its order. */
function replaceSome(document: unknown, replacements: unknown[], isReplaced: () => boolean): unknown {
  if (Array.isArray(document)) return document.map((item) => replaceSome(item, replacements, isReplaced));
  if (typeof document === "object" && document !== null) {
    const entries = Object.entries(document).map(([name, member]) => {
      const isLeaf = typeof member !== "object" || isReplaced();
      const replaced = isLeaf && isReplaced() ? replacements.pop() : undefined;
      return [name, replaced === undefined ? replaceSome(member, replacements, isReplaced) : replaced];
    });
    return Object.fromEntries(entries);
  }
  return document;
}

test("any API response is read", () => {
  const property = fc.property(
    fc.constantFrom(...pages),
    fc.array(anything, { maxLength: 12 }),
    fc.infiniteStream(fc.integer({ min: 0, max: 9 })),
    source,
    (page, replacements, numbers, name) => {
      const isReplaced = () => (numbers.next().value ?? 1) < 3;
      const document = replaceSome(page, [...replacements], isReplaced);
      expectRowsOrFormatError(JSON.stringify(document, null, 1), { source: name });
      expectRowsOrFormatError(JSON.stringify(document), { source: name });
    },
  );
  fc.assert(property, RUNS);
});
