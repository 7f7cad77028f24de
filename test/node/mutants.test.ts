import { existsSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { expect, test } from "vitest";
import { findText, readTables } from "../mutants/by-hand.ts";

test.each([...(await readTables())])("each mutant of %s matches the source exactly once", (_, mutants) => {
  const seen = new Set<string>();
  for (const mutant of mutants) {
    const source = readFileSync(mutant.file, "utf8");
    const start = findText(source, mutant);
    const mutated = source.slice(0, start) + mutant.replacement + source.slice(start + mutant.search.length);
    expect(mutated, mutant.search).not.toBe(source);
    expect(seen, "mutants that are there twice").not.toContain(mutated);
    seen.add(mutated);
    // Every test would fail for a mutant that cannot be parsed.
    expect(() => stripTypeScriptTypes(mutated), mutant.search).not.toThrow();
    for (const file of mutant.tests) expect(existsSync(file), file).toBe(true);
    expect(mutant.tests.length, mutant.search).toBeGreaterThan(0);
  }
});

test("a text that does not occur exactly once is rejected", () => {
  const mutant = { file: "a.ts", search: "1", replacement: "2", tests: [] };
  expect(findText("const a = 1;", mutant)).toBe(10);
  expect(() => findText("const a = 1 + 1;", mutant)).toThrow("occurs 2 times, not once");
  expect(() => findText("const a = 3;", mutant)).toThrow("occurs 0 times, not once");
});
