import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatLiteral, sql } from "../../src/cli/sql.ts";
import { anyText } from "../support/arbitrary-texts.ts";

const database = new DatabaseSync(":memory:");

/** Evaluates a value's literal in SQLite. */
function evaluate(value: string | number | null) {
  return database
    .prepare(`SELECT ${formatLiteral(value)} AS value, typeof(${formatLiteral(value)}) AS type`)
    .get();
}

test.each([
  "",
  "plain",
  "'",
  "''",
  "it's",
  "'; DROP TABLE links; --",
  "' OR 1=1 /*",
  "a;b",
  "-- no comment",
  "/* none */",
  '"double" `back` [brackets]',
  "back\\slash \\' \\n",
  "line\nbreak\r\nand\ttab",
  "?1 :name @name $name",
  "$$ $& %s",
  "NULL",
  "X'00'",
  "BEGIN TRANSACTION; COMMIT;",
  "'BEGIN TRANSACTION''BEGIN TRANSACTION",
  "ünïcödé 🙂 \u202e \ufeff",
])("formatLiteral keeps the text %j", (text) => {
  expect(evaluate(text)).toEqual({ value: text, type: "text" });
});

test("formatLiteral keeps any text without null characters and lone surrogates", () => {
  const texts = anyText().filter((chosen) => !chosen.includes("\0"));
  fc.assert(
    fc.property(texts, (text) => {
      expect(evaluate(text)).toEqual({ value: text, type: "text" });
    }),
  );
  const long = "it's ".repeat(20_000);
  expect(evaluate(long)).toEqual({ value: long, type: "text" });
});

test.each([0, 1, -1, 1_795_253_400_000, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])(
  "formatLiteral keeps the integer %i",
  (number) => {
    expect(evaluate(number)).toEqual({ value: number, type: "integer" });
  },
);

test("formatLiteral keeps null", () => {
  expect(evaluate(null)).toEqual({ value: null, type: "null" });
});

test.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 1e21])(
  "formatLiteral throws a RangeError for the number %d",
  (number) => {
    expect(() => formatLiteral(number)).toThrow(RangeError);
  },
);

test.each(["a\0b", "\0", "\ud800", "a\udc00b"])(
  "formatLiteral throws a RangeError for the text %j",
  (text) => {
    expect(() => formatLiteral(text)).toThrow(RangeError);
  },
);

test("formatLiteral avoids the text that wrangler removes from SQL", () => {
  expect(formatLiteral("BEGIN TRANSACTION; COMMIT; BEGIN TRANSACTION")).not.toContain("BEGIN TRANSACTION");
});

test("the sql tag inserts hostile text as a value", () => {
  database.exec("CREATE TABLE notes (id INTEGER, text TEXT)");
  const hostile = "x'); DELETE FROM notes; --";
  database.exec(sql`INSERT INTO notes (id, text) VALUES (${1}, ${hostile}), (${2}, ${null})`);
  expect(database.prepare(sql`SELECT text FROM notes WHERE text = ${hostile}`).all()).toEqual([
    { text: hostile },
  ]);
  expect(database.prepare(sql`SELECT count(*) AS rows FROM notes`).get()).toEqual({ rows: 2 });
});
