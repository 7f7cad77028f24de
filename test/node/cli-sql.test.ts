import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { expect, test } from "vitest";
import { literal, sql } from "../../src/cli/sql.ts";

const database = new DatabaseSync(":memory:");

/** What SQLite itself makes of a literal. */
function read(value: string | number | null) {
  return database.prepare(`SELECT ${literal(value)} AS value, typeof(${literal(value)}) AS type`).get();
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
])("SQLite reads %j back", (text) => {
  expect(read(text)).toEqual({ value: text, type: "text" });
});

test("SQLite reads any text back that SQL text can hold", () => {
  const anyText = fc.string({ unit: "binary" }).filter((text) => !text.includes("\0") && text.isWellFormed());
  fc.assert(
    fc.property(anyText, (text) => {
      expect(read(text)).toEqual({ value: text, type: "text" });
    }),
  );
  const long = "it's ".repeat(20_000);
  expect(read(long)).toEqual({ value: long, type: "text" });
});

test.each([0, 1, -1, 1_795_253_400_000, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])(
  "SQLite reads the whole number %i back",
  (number) => {
    expect(read(number)).toEqual({ value: number, type: "integer" });
  },
);

test("SQLite reads null as null", () => {
  expect(read(null)).toEqual({ value: null, type: "null" });
});

test.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 1e21])("%d is refused", (number) => {
  expect(() => literal(number)).toThrow(RangeError);
});

test.each(["a\0b", "\0", "\ud800", "a\udc00b"])("%j is refused", (text) => {
  expect(() => literal(text)).toThrow(RangeError);
});

test("no literal holds what wrangler cuts out of SQL text", () => {
  expect(literal("BEGIN TRANSACTION; COMMIT; BEGIN TRANSACTION")).not.toContain("BEGIN TRANSACTION");
});

test("values in a statement are values, whatever they say", () => {
  database.exec("CREATE TABLE notes (id INTEGER, text TEXT)");
  const hostile = "x'); DELETE FROM notes; --";
  database.exec(sql`INSERT INTO notes (id, text) VALUES (${1}, ${hostile}), (${2}, ${null})`);
  expect(database.prepare(sql`SELECT text FROM notes WHERE text = ${hostile}`).all()).toEqual([
    { text: hostile },
  ]);
  expect(database.prepare(sql`SELECT count(*) AS rows FROM notes`).get()).toEqual({ rows: 2 });
});
