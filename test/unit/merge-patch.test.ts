import { expect, test } from "vitest";
import { applyMergePatch, isFromPatch } from "../../src/bio/merge-patch.ts";

// RFC 7396, appendix A: original, patch, result.
test.each([
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', "{}"],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', "null", "null"],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ["[1,2]", '{"a":"b","c":null}', '{"a":"b"}'],
  ["{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
])("applyMergePatch merges %s and %s to %s", (target, patch, result) => {
  expect(applyMergePatch(JSON.parse(target), JSON.parse(patch))).toEqual(JSON.parse(result));
});

test("applyMergePatch merges the example of RFC 7396, section 3", () => {
  const document = {
    title: "Goodbye!",
    author: { givenName: "John", familyName: "Doe" },
    tags: ["example", "sample"],
    content: "This will be unchanged",
  };
  const before = structuredClone(document);
  const patch = {
    title: "Hello!",
    phoneNumber: "+01-123-456-7890",
    author: { familyName: null },
    tags: ["example"],
  };
  expect(applyMergePatch(document, patch)).toEqual({
    title: "Hello!",
    author: { givenName: "John" },
    tags: ["example"],
    content: "This will be unchanged",
    phoneNumber: "+01-123-456-7890",
  });
  expect(document).toEqual(before);
});

test("applyMergePatch keeps null in arrays and treats names of prototype members as any other", () => {
  expect(applyMergePatch({ a: 1 }, { a: [null, { b: null }] })).toEqual({ a: [null, { b: null }] });
  const polluting = JSON.parse(
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  );
  const merged = applyMergePatch({}, polluting);
  expect(JSON.stringify(merged)).toBe(JSON.stringify(polluting));
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect(applyMergePatch({ a: 1 }, { toString: null, valueOf: { x: null } })).toEqual({ a: 1, valueOf: {} });
});

test.each<[object, PropertyKey[], boolean]>([
  [{ style: { text: "#777" } }, ["style", "text"], true],
  [{ style: { text: "#777" } }, ["style"], true],
  [{ style: { text: "#777" } }, ["style", "background"], false],
  [{ links: [{ label: "A" }] }, ["links", 0, "url"], true],
  [{ style: null }, ["style", "text"], true],
  [{ theme: "ink" }, ["links", 0, "url"], false],
  [{}, ["constructor"], false],
])("isFromPatch: %j, path %j: %s", (patch, path, expected) => {
  expect(isFromPatch(patch, path)).toBe(expected);
});
