import { describe, expect, test } from "vitest";
import { parseTextAnswer } from "../../src/domains/text-answer.ts";

const failed = (reason: string) => ({ status: "failed", reason });
const found = (...texts: string[]) => ({ status: "found", texts });
const txt = (data: string, name = "a.test") => ({ name, type: 16, TTL: 300, data });
const alias = (name: string, data: string) => ({ name, type: 5, TTL: 300, data });
const write = (...records: object[]) => JSON.stringify({ Status: 0, TC: false, Answer: records });

describe("parseTextAnswer", () => {
  test.each([
    ["no record", '{"Status":0}', found()],
    ["a name that does not exist", '{"Status":3,"Authority":[{"name":"test","type":6}]}', found()],
    ["a quoted text, as Cloudflare writes it", write(txt('"hi"')), found("hi")],
    ["a bare text, as Google writes it", write(txt("hi")), found("hi")],
    ["the strings of a record, joined", write(txt('"hi" "!"')), found("hi!")],
    ["strings without a space between them", write(txt('"hi""!"')), found("hi!")],
    ["an empty string", write(txt('""')), found("")],
    ["two records", write(txt('"a"'), txt('"b"')), found("a", "b")],
    ["a name in capitals with a final dot", write(txt('"a"', "A.TEST.")), found("a")],
    [
      "a record behind an alias, in any order",
      write(txt('"x"', "b.test"), alias("a.test.", "B.test.")),
      found("x"),
    ],
    ["a record of a different name", write(txt('"x"', "b.test")), found()],
    ["a record of a different type", write({ ...txt('"x"'), type: 99 }), found()],
    ["an alias of itself", write(alias("a.test", "a.test.")), failed("the name has too many aliases")],
    ["SERVFAIL", '{"Status":2}', failed("SERVFAIL")],
    ["REFUSED", '{"Status":5}', failed("REFUSED")],
    ["an unknown code", '{"Status":10}', failed("RCODE 10")],
    ["a truncated response", '{"Status":0,"TC":true}', failed("the response is truncated")],
  ])("returns the result for %s", (_, body, expected) => {
    expect(parseTextAnswer(body, "a.test")).toEqual(expected);
  });

  test.each([
    "",
    "null",
    "[]",
    "{}",
    '{"Status":"0"}',
    '{"Status":0,"Answer":{}}',
    '{"Status":0,"Answer":[null]}',
    '{"Status":0,"Answer":[{"name":"a.test","type":16}]}',
  ])("fails for the body %j", (body) => {
    expect(parseTextAnswer(body, "a.test")).toEqual(failed("the response is not valid DNS JSON"));
  });

  test("fails for deeply nested JSON", () => {
    expect(parseTextAnswer("[".repeat(60_000), "a.test").status).toBe("failed");
    expect(parseTextAnswer(`${"[".repeat(30_000)}${"]".repeat(30_000)}`, "a.test").status).toBe("failed");
  });

  test("follows eight aliases, and not one more", () => {
    const parse = (count: number) => {
      // Aliases lead from a.test to 0.test, then to 1.test, and so on.
      const names = ["a.test", ...Array.from({ length: count }, (_, index) => `${index}.test`)];
      const aliases = names.slice(1).map((target, index) => alias(names[index] ?? "", target));
      return parseTextAnswer(write(...aliases, txt('"x"', names.at(-1))), "a.test");
    };
    expect([parse(8), parse(9)]).toEqual([found("x"), failed("the name has too many aliases")]);
  });
});
