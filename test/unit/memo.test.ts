import { expect, test } from "vitest";
import { memoize } from "../../src/core/memo.ts";

/** Returns a memoized function and the texts it was computed for. */
function memoizeLength() {
  const computed: string[] = [];
  const getLength = memoize((text: string) => {
    computed.push(text);
    return text.length === 0 ? null : text.length;
  });
  return { computed, getLength };
}

test("memoize computes a text once, even if the result is null", () => {
  const { computed, getLength } = memoizeLength();
  for (const text of ["one", "", "three", "one", "", "three"]) {
    expect(getLength(text)).toBe(text.length || null);
  }
  expect(computed).toEqual(["one", "", "three"]);
});

test("memoize keeps the last 1,000 texts, and no text of more than 1,000 characters", () => {
  const { computed, getLength } = memoizeLength();
  for (let i = 0; i <= 1_000; i++) getLength(`text ${i}`);
  computed.length = 0;
  getLength("text 1000");
  getLength("text 1");
  expect(computed).toEqual([]);
  getLength("text 0");
  expect(computed).toEqual(["text 0"]);
  computed.length = 0;
  for (const _ of [1, 2]) expect(getLength("a".repeat(1_001))).toBe(1_001);
  expect(computed).toHaveLength(2);
  for (const _ of [1, 2]) expect(getLength("a".repeat(1_000))).toBe(1_000);
  expect(computed).toHaveLength(3);
});
