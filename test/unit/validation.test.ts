import { expect, test } from "vitest";
import * as z from "zod";
import { cursorQuery, queryBoolean, queryInteger } from "../../src/http/fields.ts";
import { formatFieldPath, listProblems } from "../../src/http/validation.ts";
import { destinationUrl } from "../../src/links/destination.schema.ts";
import { bulkStatusBody, createLinkBody, updateLinkBody } from "../../src/links/links.schema.ts";

test.each([
  [[], "body"],
  [["url"], "url"],
  [["links", 3, "url"], "links[3].url"],
  [["routing_rules", 0, "when", "country", 1], "routing_rules[0].when.country[1]"],
  [[0], "[0]"],
  [["a", 1, 2], "a[1][2]"],
])("formatFieldPath(%j) returns %s", (path, expected) => {
  expect(formatFieldPath(path)).toBe(expected);
});

/** Validates `input` and returns its errors as `field: message`. */
function findFaults(schema: z.ZodType, input: unknown): string[] {
  const { error } = schema.safeParse(input);
  return error === undefined
    ? []
    : listProblems(error.issues).map(({ field, message }) => `${field}: ${message}`);
}

/** Validates a field named `f`. */
const findFieldFaults = (schema: z.ZodType, value?: unknown) =>
  findFaults(z.strictObject({ f: schema }), value === undefined ? {} : { f: value });

test.each<[string, z.ZodType, unknown, string]>([
  ["a missing field", z.string(), undefined, "is required"],
  ["null for a string", z.string(), null, "must be a string"],
  ["a number for a string", z.string(), 1, "must be a string"],
  ["a string for a number", z.number(), "1", "must be a number"],
  ["a string for a boolean", z.boolean(), "true", "must be a boolean"],
  ["an object for an array", z.array(z.string()), {}, "must be an array"],
  ["an array for an object", z.strictObject({}), [], "must be an object"],
  ["a string for a record", z.record(z.string(), z.string()), "x", "must be an object"],
  ["a fraction for a whole number", z.number().int(), 1.5, "must be a whole number"],
  ["a number too large", z.number().max(50), 51, "must be at most 50"],
  ["a number too small", z.number().min(1), 0, "must be at least 1"],
  ["a string too short by one", z.string().min(1), "", "must have at least 1 character"],
  ["a string too long", z.string().max(2), "abc", "must have at most 2 characters"],
  ["an array too short", z.array(z.string()).min(2), [], "must have at least 2 items"],
  ["an array too long", z.array(z.string()).max(1), ["a", "b"], "must have at most 1 item"],
  ["a value outside an enum", z.enum(["svg", "png"]), "gif", "must be one of svg, png"],
  ["a value other than a literal", z.literal(true), false, "must be true"],
  [
    "a value of no form of a union",
    z.union([z.string(), z.number()]),
    {},
    "must match one of the allowed formats",
  ],
])("the message for %s", (_, schema, value, message) => {
  expect(findFieldFaults(schema, value)).toEqual([`f: ${message}`]);
});

test("the message for an invalid key of a record", () => {
  const schema = z.record(z.string().min(1), z.string());
  expect(findFieldFaults(schema, { "": "x" })).toEqual(['f[""]: must have a name']);
  const short = z.record(z.string().max(2), z.string());
  expect(findFieldFaults(short, { abc: "x" })).toEqual([
    "f.abc: has a name that must have at most 2 characters",
  ]);
});

test("createLinkBody rejects every unknown field by name", () => {
  expect(findFaults(createLinkBody, { url: "https://example.com", expire_at: 1, Url: 2 })).toEqual([
    "expire_at: is not a known field; did you mean `expires_at`?",
    "Url: is not a known field; did you mean `url`?",
  ]);
  const polluting = JSON.parse('{"url":"https://example.com","__proto__":{"labels":["x"]}}');
  expect(findFaults(createLinkBody, polluting)).toEqual(["__proto__: is not a known field"]);
});

test("listProblems returns at most 100 errors and cuts a path after 256 characters", () => {
  const unknown = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`f${index}`, 0]));
  const faults = findFaults(createLinkBody, { url: "https://example.com", ...unknown });
  expect(faults).toHaveLength(100);
  expect(faults[99]).toBe("f99: is not a known field");
  const [long] = findFaults(createLinkBody, { url: "https://example.com", ["a".repeat(10_000)]: 1 });
  expect(long).toBe(`${"a".repeat(256)}…: is not a known field`);
  const [exact] = findFaults(createLinkBody, { url: "https://example.com", ["a".repeat(256)]: 1 });
  expect(exact).toBe(`${"a".repeat(256)}: is not a known field`);
  const many = bulkStatusBody.safeParse({ ids: Array.from({ length: 150 }, () => 1), enabled: true });
  expect(listProblems(many.error?.issues ?? [])).toHaveLength(100);
});

test.each([null, 1, "x", [], true])("createLinkBody rejects the body %j", (body) => {
  expect(findFaults(createLinkBody, body)).toEqual(["body: must be an object"]);
});

test("listProblems returns all errors in the order of the schema", () => {
  expect(findFaults(createLinkBody, { url: 1, labels: ["", 2], custom_slug: "ab" })).toEqual([
    "url: must be a string",
    "custom_slug: must have at least 3 characters",
    "labels[0]: must have at least 1 character",
    "labels[1]: must be a string",
  ]);
});

const WEB = "must be an http or https URL";
const SPACE = "must not contain white space or control characters";
const CREDENTIALS = "must not contain a user name or password";

test.each([
  ["", WEB],
  ["example.com", WEB],
  ["//example.com", WEB],
  ["https:example.com", WEB],
  ["https://", WEB],
  ["http://[::1", WEB],
  ["https://exa mple.com", SPACE],
  [" https://example.com", SPACE],
  ["https://example.com/\t", SPACE],
  ["ht\ntps://example.com", SPACE],
  ["https://example.com/a\u0007", SPACE],
  ["https://example.com/a\u0085b", SPACE],
  ["https://example.com/a\u00a0b", SPACE],
  ["https://example.com/?q=a b", SPACE],
  ["ftp://example.com", WEB],
  ["javascript:alert(1)", WEB],
  ["data:text/html,x", WEB],
  ["https://user@example.com", CREDENTIALS],
  ["https://:secret@example.com", CREDENTIALS],
  ["https://example.com@evil.example", CREDENTIALS],
])("destinationUrl rejects %j: %s", (url, message) => {
  expect(findFieldFaults(destinationUrl, url)).toEqual([`f: ${message}`]);
});

test.each([
  "https://example.com",
  "HTTP://EXAMPLE.COM:8080/a%20b?q=ü#x",
  "https://bücher.example/",
  "https://[2001:db8::1]/",
  "https://example.com/user@host",
])("destinationUrl accepts %s", (url) => {
  expect(findFieldFaults(destinationUrl, url)).toEqual([]);
});

test("destinationUrl accepts at most 8,192 characters, before and after encoding", () => {
  const longest = `https://example.com/${"a".repeat(8_192 - 20)}`;
  expect(findFieldFaults(destinationUrl, longest)).toEqual([]);
  expect(findFieldFaults(destinationUrl, `${longest}a`)).toEqual(["f: must have at most 8192 characters"]);
  expect(findFieldFaults(destinationUrl, `https://example.com/${"é".repeat(1_400)}`)).toEqual([
    "f: must have at most 8192 characters once encoded",
  ]);
});

test.each<[unknown, string | undefined]>([
  ["abc", undefined],
  ["x".repeat(64), undefined],
  ["Sum-mer-26", undefined],
  ["ab", "must have at least 3 characters"],
  ["x".repeat(65), "must have at most 64 characters"],
  ["a_b", "must only contain letters, digits and hyphens"],
  ["été", "must only contain letters, digits and hyphens"],
  ["abc\n", "must only contain letters, digits and hyphens"],
  ["Admin", '"Admin" is reserved'],
  ["v1-", undefined],
])("custom_slug %j: %s", (slug, message) => {
  const faults = findFaults(createLinkBody, { url: "https://example.com", custom_slug: slug });
  expect(faults).toEqual(message === undefined ? [] : [`custom_slug: ${message}`]);
});

test("updateLinkBody trims labels and removes duplicates", () => {
  expect(updateLinkBody.parse({ labels: [" b ", "a", "b", "A"] })).toEqual({ labels: ["b", "a", "A"] });
  expect(findFaults(updateLinkBody, { labels: ["   "] })).toEqual([
    "labels[0]: must have at least 1 character",
  ]);
  expect(findFaults(updateLinkBody, { labels: ["x".repeat(65)] })).toEqual([
    "labels[0]: must have at most 64 characters",
  ]);
  expect(findFaults(updateLinkBody, { labels: Array(11).fill("a") })).toEqual([
    "labels: must have at most 10 items",
  ]);
});

test("bulkStatusBody accepts 1 to 200 ids, each a UUID", () => {
  const id = "019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f";
  expect(findFaults(bulkStatusBody, { ids: [], enabled: true })).toEqual(["ids: must have at least 1 item"]);
  expect(findFaults(bulkStatusBody, { ids: Array(200).fill(id), enabled: false })).toEqual([]);
  expect(findFaults(bulkStatusBody, { ids: Array(201).fill(id), enabled: true })).toEqual([
    "ids: must have at most 200 items",
  ]);
  expect(findFaults(bulkStatusBody, { ids: [id, "x"], enabled: "yes" })).toEqual([
    "ids[1]: must be a UUID",
    "enabled: must be a boolean",
  ]);
});

test.each<[string | undefined, number | string]>([
  [undefined, 10],
  ["1", 1],
  ["50", 50],
  ["007", 7],
  ["0", "must be at least 1"],
  ["-1", "must be at least 1"],
  ["51", "must be at most 50"],
  ["999999999999999", "must be at most 50"],
  ["9999999999999999", "must be at most 50"],
  ["9".repeat(300), "must be at most 50"],
  [`-${"9".repeat(300)}`, "must be at least 1"],
  ["9".repeat(301), "must be a whole number"],
  ["1.5", "must be a whole number"],
  ["1e1", "must be a whole number"],
  ["0x10", "must be a whole number"],
  [" 1", "must be a whole number"],
  ["", "must be a whole number"],
  ["abc", "must be a whole number"],
])("queryInteger(1, 50, 10) of %j: %j", (value, expected) => {
  const schema = z.strictObject({ f: queryInteger(1, 50, 10) });
  const result = schema.safeParse(value === undefined ? {} : { f: value });
  if (typeof expected === "number") expect(result.data).toEqual({ f: expected });
  else expect(findFieldFaults(queryInteger(1, 50, 10), value)).toEqual([`f: ${expected}`]);
});

test("cursorQuery defaults to the first 50 items", () => {
  expect(z.strictObject(cursorQuery).parse({})).toEqual({ limit: 50, offset: 0 });
  expect(z.strictObject(cursorQuery).parse({ limit: "200", offset: "1000" })).toEqual({
    limit: 200,
    offset: 1_000,
  });
});

test("queryBoolean accepts only true and false", () => {
  expect(queryBoolean.parse("true")).toBe(true);
  expect(queryBoolean.parse("false")).toBe(false);
  for (const other of ["1", "TRUE", "", "yes"]) {
    expect(findFieldFaults(queryBoolean, other)).toEqual(["f: must be one of true, false"]);
  }
});
