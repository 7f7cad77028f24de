import fc from "fast-check";
import { expect, test } from "vitest";
import { ScimError } from "../../src/scim/scim-error.ts";
import { type Filter, parseFilter } from "../../src/scim/scim-filter.ts";

const compare = (path: string, comparison: string, value: unknown) => ({
  kind: "comparison",
  path,
  comparison,
  value,
});

test.each<[string, unknown]>([
  ['userName eq "bjensen"', compare("username", "eq", "bjensen")],
  // The case of attributes and operators does not matter (RFC 7644 section 3.4.2.2).
  ['USERNAME Eq "x"', compare("username", "eq", "x")],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"', compare("username", "sw", "J")],
  ["title pr", { kind: "present", path: "title" }],
  ["active eq true", compare("active", "eq", true)],
  ['active eq "False"', compare("active", "eq", "False")],
  ["externalId eq null", compare("externalid", "eq", null)],
  // Microsoft Entra's documentation shows a value without quotes.
  ["externalId eq jyoung", compare("externalid", "eq", "jyoung")],
  ["externalId eq 007", compare("externalid", "eq", "007")],
  ['name.familyName co "O\'Malley"', compare("name.familyname", "co", "O'Malley")],
  ['userName eq "a\\"b\\\\c\\u00e9"', compare("username", "eq", 'a"b\\cé')],
  [
    'a eq "1" and b eq "2" or c eq "3"',
    {
      kind: "or",
      filters: [
        { kind: "and", filters: [compare("a", "eq", "1"), compare("b", "eq", "2")] },
        compare("c", "eq", "3"),
      ],
    },
  ],
  [
    'not (a eq "1") and (b eq "2" or c pr)',
    {
      kind: "and",
      filters: [
        { kind: "not", filter: compare("a", "eq", "1") },
        { kind: "or", filters: [compare("b", "eq", "2"), { kind: "present", path: "c" }] },
      ],
    },
  ],
  [
    'emails[type eq "work" and value co "@example.com"]',
    {
      kind: "element",
      path: "emails",
      filter: {
        kind: "and",
        filters: [compare("emails.type", "eq", "work"), compare("emails.value", "co", "@example.com")],
      },
    },
  ],
  [
    'emails[type eq "work"].value eq "a@example.com"',
    {
      kind: "element",
      path: "emails",
      filter: {
        kind: "and",
        filters: [compare("emails.type", "eq", "work"), compare("emails.value", "eq", "a@example.com")],
      },
    },
  ],
])("the filter %s is parsed", (text, filter) => {
  expect(parseFilter(text)).toEqual(filter as Filter);
});

test.each([
  ["", "character 1: expected an attribute"],
  ["userName", "expected an operator"],
  ["userName is x", "expected an operator"],
  ["userName eq", "expected a value"],
  ['userName eq "x', "expected a value"],
  ['userName eq "x" userName', "expected the end"],
  ['(userName eq "x"', "expected `)`"],
  ['emails[type eq "x"', "expected `]`"],
  ['emails[type eq "x"].', "expected a sub-attribute"],
  ['userName eq "\\q"', "an invalid JSON string"],
  ['userName eq "\\ud800"', "an invalid JSON string"],
  ['userName eq "\\u0000"', "an invalid JSON string"],
  ["userName eq \0", "must be a string"],
  [`${"(".repeat(11)}a pr${")".repeat(11)}`, "at most 10 levels"],
  [Array(31).fill("a pr").join(" or "), "at most 30 conditions"],
  ["a".repeat(2_001), "at most 2000 characters"],
])("the filter %j is rejected", (text, fault) => {
  expect(() => parseFilter(text)).toThrow(ScimError);
  expect(() => parseFilter(text)).toThrow(fault);
});

test("the limits themselves are accepted", () => {
  parseFilter(`${"(".repeat(10)}a pr${")".repeat(10)}`);
  parseFilter(Array(30).fill("a pr").join(" or "));
  parseFilter(`a eq "${"x".repeat(1_993)}"`);
  // Closed brackets do not add to the depth.
  parseFilter(Array(20).fill("(a pr)").join(" or "));
});

test("any text is parsed or rejected as invalidFilter", () => {
  const token = fc.constantFrom(
    ...'( ) [ ] . and or not eq co pr " \\ userName emails \'x\' "x" true null 1 -'.split(" "),
  );
  const texts = fc.oneof(
    fc.string(),
    fc.array(token, { maxLength: 60 }).map((tokens) => tokens.join(" ")),
  );
  fc.assert(
    fc.property(texts, (text) => {
      try {
        parseFilter(text);
      } catch (error) {
        expect(error).toMatchObject({ status: 400, scimType: "invalidFilter" });
      }
    }),
  );
});

test.each([
  ["line breaks in a text that does not end", `a eq "${"\n".repeat(1_900)}`],
  ["backslashes in a text that does not end", `a eq "${"\\".repeat(1_901)}`],
  ["alternatives in a conjunction", Array(15).fill("(a pr or b pr)").join(" and ")],
])("%s take no exponential time", (_, text) => {
  // An exponential parser would never return.
  expect(() => {
    try {
      parseFilter(text);
    } catch (error) {
      if (!(error instanceof ScimError)) throw error;
    }
  }).not.toThrow();
});
