import fc from "fast-check";
import { expect, test } from "vitest";
import { findJsonProblem } from "../../src/core/json-problem.ts";

/** Returns the error as `line:column problem`. */
function describeFault(text: string): string | null {
  const fault = findJsonProblem(text);
  return fault && `${fault.line}:${fault.column} ${fault.message}`;
}

test.each([
  ["an empty text", "", "1:1 unexpected end, expected a value"],
  ["white space alone", " \n\t", "2:2 unexpected end, expected a value"],
  ["an open object", "{", "1:2 unexpected end, expected a name in double quotes"],
  ["an object without a value", '{"a":', "1:6 unexpected end, expected a value"],
  ["an object without its end", '{"a":1', "1:7 unexpected end, expected a comma or `}`"],
  ["an array without its end", "[1,[2]", "1:7 unexpected end, expected a comma or `]`"],
  ["a string without its end", '{"a":"b', "1:8 unexpected end, expected a double quote"],
  ["a truncated word", "[tru", "1:5 unexpected end, expected `true`"],
  ["a trailing comma in an object", '{"a":1,}', "1:8 unexpected `}`, expected a name in double quotes"],
  ["a trailing comma in an array", "[1,]", "1:4 unexpected `]`, expected a value"],
  ["a leading comma", "[,1]", "1:2 unexpected `,`, expected a value"],
  ["a missing comma", '{"a":1\n "b":2}', '2:2 unexpected `"`, expected a comma or `}`'],
  ["a missing colon", '{"a" 1}', "1:6 unexpected `1`, expected a colon"],
  ["an equals sign", '{"a"=1}', "1:5 unexpected `=`, expected a colon"],
  ["single quotes around a name", "{'a':1}", "1:2 unexpected `'`, expected a name in double quotes"],
  ["single quotes around a value", "{\"a\":'b'}", "1:6 unexpected `'`, expected a value"],
  ["curly quotes", "{“a”:1}", "1:2 unexpected `“`, expected a name in double quotes"],
  ["backticks", "[`a`]", "1:2 unexpected U+0060, expected a value"],
  ["a name without quotes", "{a:1}", "1:2 unexpected `a`, expected a name in double quotes"],
  ["a comment", '{\n  // x\n  "a":1}', "2:3 unexpected `/`, expected a name in double quotes"],
  ["the wrong bracket", '{"a":1]', "1:7 unexpected `]`, expected a comma or `}`"],
  ["a bracket too many", "{}}", "1:3 unexpected `}`, expected the end"],
  ["a second value", "{} {}", "1:4 unexpected `{`, expected the end"],
  ["undefined", '{"a":undefined}', "1:6 unexpected `u`, expected a value"],
  ["NaN", "[NaN]", "1:2 unexpected `N`, expected a value"],
  ["a capital word", "[True]", "1:2 unexpected `T`, expected a value"],
  ["a misspelled word", "[nul]", "1:5 unexpected `]`, expected `null`"],
  ["a word with a tail", "[nullx]", "1:6 unexpected `x`, expected a comma or `]`"],
  ["a plus sign", "[+1]", "1:2 unexpected `+`, expected a value"],
  ["a minus sign alone", "[-]", "1:3 unexpected `]`, expected a digit"],
  ["a leading zero", "[01]", "1:3 unexpected `1`, expected a comma or `]`"],
  ["a leading point", "[.5]", "1:2 unexpected `.`, expected a value"],
  ["a trailing point", "[1.]", "1:4 unexpected `]`, expected a digit"],
  ["an exponent without digits", "[1e+]", "1:5 unexpected `]`, expected a digit"],
  ["a line break in a string", '{"a":"b\nc"}', "1:8 unexpected line break, expected a double quote"],
  ["a tab in a string", '["\t"]', "1:3 unexpected U+0009, expected a double quote"],
  ["an unknown escape", '["\\x"]', "1:4 unexpected `x`, expected an escape sequence"],
  ["an escape without digits", '["\\u12g4"]', "1:7 unexpected `g`, expected a hexadecimal digit"],
  ["an escape at the end", '"\\', "1:3 unexpected end, expected an escape sequence"],
  ["a byte order mark", "\ufeff{}", "1:1 unexpected U+FEFF, expected a value"],
  ["a no-break space", "{\u00a0}", "1:2 unexpected U+00A0, expected a name in double quotes"],
  ["a null character", "\0", "1:1 unexpected U+0000, expected a value"],
  ["a right-to-left override", "\u202e", "1:1 unexpected U+202E, expected a value"],
  ["an emoji", "[😀]", "1:2 unexpected `😀`, expected a value"],
  ["a lone surrogate", "[\ud83d]", "1:2 unexpected U+D83D, expected a value"],
  ["a fault after an emoji", '{"😀":x}', "1:6 unexpected `x`, expected a value"],
  [
    "a fault after the first and the last pair of surrogates",
    '["\u{10000}\u{10ffff}" x',
    "1:7 unexpected `x`, expected a comma or `]`",
  ],
  ["a fault after lone surrogates", '["\ude00\ud83d" x', "1:7 unexpected `x`, expected a comma or `]`"],
  ["line breaks of three kinds", "[\n\r\n\r  x", "4:3 unexpected `x`, expected a value"],
])("findJsonProblem finds %s", (_, text, expected) => {
  expect(describeFault(text)).toBe(expected);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON texts with a few characters removed or replaced. */
const damagedJson = fc
  .tuple(
    fc.json(),
    fc.nat(),
    fc.nat(3),
    fc.string({ maxLength: 2, unit: fc.constantFrom(..."{}[],:\"\\'u0-e.\n ") }),
  )
  .map(([json, at, removed, added]) => {
    const start = at % (json.length + 1);
    return json.slice(0, start) + added + json.slice(start + removed);
  });

test("findJsonProblem finds an error in exactly the texts that JSON.parse rejects", () => {
  const texts = fc.oneof(fc.json(), damagedJson, fc.string());
  fc.assert(
    fc.property(texts, (text) => {
      expect(findJsonProblem(text) === null).toBe(isJson(text));
    }),
    { numRuns: 300 },
  );
});

test("findJsonProblem returns the first position at which a text can no longer become JSON", () => {
  fc.assert(
    fc.property(damagedJson, (text) => {
      const fault = findJsonProblem(text);
      if (fault === null) return;
      const lines = text.split("\n");
      const before = [
        ...lines.slice(0, fault.line - 1),
        [...(lines[fault.line - 1] ?? "")].slice(0, fault.column - 1).join(""),
      ].join("\n");
      expect(text.startsWith(before)).toBe(true);
      // The text before the error is the beginning of JSON: its only error is its end.
      expect(findJsonProblem(before)?.message ?? "unexpected end").toMatch(/^unexpected end/);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["an open string", `{"a":"${'\\"'.repeat(500_000)}`],
  ["open arrays", "[".repeat(1_000_000)],
  ["digits", "1".repeat(1_000_000)],
  ["white space", " ".repeat(1_000_000)],
  ["lines", "\n".repeat(1_000_000)],
])("findJsonProblem reads a megabyte of %s once", (_, text) => {
  // A quadratic scan would far exceed the test's timeout.
  expect(findJsonProblem(`${text}x`)?.message).toBeDefined();
});
