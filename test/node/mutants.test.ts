import { existsSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { applyMutant, type Mutant, mutate, readRooms } from "../mutants/tool/mutant.ts";
import { judge, type Outcome } from "../mutants/tool/score.ts";
import { chooseMutants } from "../mutants/tool/selection.ts";
import { ROOT } from "../mutants/tool/tree-copy.ts";

const rooms = await readRooms();
const source = (file: string) => readFileSync(join(ROOT, file), "utf8");

test.each([...rooms])("each mutant of %s fits the source, and is there once", (_, mutants) => {
  const seen = new Set<string>();
  for (const mutant of mutants) {
    const mutated = applyMutant(source(mutant.file), mutant);
    expect(mutant.replacement, mutant.file).not.toBe(mutant.search);
    expect(seen, "mutants that are there twice").not.toContain(mutated);
    seen.add(mutated);
    // A mutant that cannot be parsed would be noticed by every test.
    if (mutant.file.endsWith(".ts")) expect(() => stripTypeScriptTypes(mutated), mutant.search).not.toThrow();
    for (const file of mutant.tests) expect(existsSync(join(ROOT, file)), file).toBe(true);
    expect(mutant.tests.length, mutant.search).toBeGreaterThan(0);
  }
});

const [mutant] = mutate("a.ts", "test/unit/a.test.ts", ["1", "2"]) as [Mutant];

test("a text that does not occur exactly once is refused", () => {
  expect(applyMutant("const a = 1;", mutant)).toBe("const a = 2;");
  expect(() => applyMutant("const a = 1 + 1;", mutant)).toThrow("occurs 2 times, not once");
  expect(() => applyMutant("const a = 3;", mutant)).toThrow("occurs 0 times, not once");
});

test("arguments choose rooms and mutants", () => {
  const some = new Map([
    ["links", [mutant, mutant, mutant]],
    ["qr", [mutant, mutant]],
  ]);
  const choose = (...words: string[]) =>
    chooseMutants(some, words).map(({ room, number }) => `${room} ${number}`);
  expect(choose("links", "1", "3", "qr")).toEqual(["links 1", "links 3", "qr 1", "qr 2"]);
  expect(choose()).toHaveLength(5);
  expect(() => choose("qr", "3")).toThrow("qr has 2 mutants");
  expect(() => choose("3")).toThrow("name the room first");
  expect(() => choose("bio")).toThrow("rooms are links, qr");
});

test.each<[Partial<Mutant>, "passed" | "failed" | "broken", Outcome]>([
  [{}, "failed", "killed"],
  [{}, "passed", "survived"],
  [{}, "broken", "wrong"],
  [{ unseen: "no test waits so long" }, "passed", "survived"],
  [{ unseen: "no test waits so long" }, "failed", "wrong"],
  [{ equivalent: "the caller checks it too" }, "passed", "equivalent"],
  [{ equivalent: "the caller checks it too" }, "failed", "wrong"],
])("a mutant with %o whose tests %s is %s", (reason, outcome, expected) => {
  const numbered = { room: "links", number: 1, mutant: { ...mutant, ...reason } };
  expect(judge({ ...numbered, verdict: { outcome, failures: [] } })).toBe(expected);
});
