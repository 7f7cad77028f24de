import { expect, test } from "vitest";
import { memoized } from "../../src/core/memo.ts";

/** A function that tells how often it was called, and a memory of it. */
function counted() {
  const asked: string[] = [];
  const remembering = memoized((text: string) => {
    asked.push(text);
    return text.length === 0 ? null : text.length;
  });
  return { asked, remembering };
}

test("a text is read once, whatever was made of it", () => {
  const { asked, remembering } = counted();
  for (const text of ["one", "", "three", "one", "", "three"]) {
    expect(remembering(text)).toBe(text.length || null);
  }
  expect(asked).toEqual(["one", "", "three"]);
});

test("the memory forgets what it was given first, and never keeps what is very long", () => {
  const { asked, remembering } = counted();
  for (let i = 0; i <= 1_000; i++) remembering(`text ${i}`);
  asked.length = 0;
  remembering("text 1000");
  remembering("text 1");
  expect(asked).toEqual([]);
  remembering("text 0");
  expect(asked).toEqual(["text 0"]);
  asked.length = 0;
  for (const _ of [1, 2]) expect(remembering("a".repeat(1_001))).toBe(1_001);
  expect(asked).toHaveLength(2);
});
