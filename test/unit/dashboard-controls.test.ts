import { describe, expect, test } from "vitest";
import { filterOptions, offerNew } from "../../src/dashboard/components/combobox-options.ts";
import { judgeSelection, selectRows } from "../../src/dashboard/components/row-selection.ts";
import { pressKey, SEQUENCE_PAUSE_MS, type Shortcut } from "../../src/dashboard/keyboard/key-sequence.ts";

const shortcut = (keys: string): Shortcut => ({ keys, label: keys, run: () => {} });
const SHORTCUTS = ["c", "g l", "g o", "l", "c"].map(shortcut);

describe("keys", () => {
  test("of two shortcuts with the same key, the later one counts", () => {
    expect(pressKey(SHORTCUTS, null, "c", 0)).toEqual({ shortcut: SHORTCUTS[4], pending: null });
  });

  test("the first key of a sequence is remembered", () => {
    expect(pressKey(SHORTCUTS, null, "g", 5)).toEqual({ shortcut: null, pending: { key: "g", atMs: 5 } });
  });

  test.each([
    ["l", SEQUENCE_PAUSE_MS, "g l"],
    ["l", SEQUENCE_PAUSE_MS + 1, "l"],
    ["o", 1, "g o"],
    ["c", 1, "c"],
    ["x", 1, undefined],
  ])("%s after g and %i ms is %s", (key, pauseMs, keys) => {
    const step = pressKey(SHORTCUTS, { key: "g", atMs: 0 }, key, pauseMs);
    expect(step.shortcut?.keys).toBe(keys);
    expect(step.pending).toBeNull();
  });

  test("a key that begins a sequence begins it again", () => {
    expect(pressKey(SHORTCUTS, { key: "g", atMs: 0 }, "g", 9).pending).toEqual({ key: "g", atMs: 9 });
  });
});

describe("selection of rows", () => {
  const KEYS = ["a", "b", "c", "d"];

  test.each([
    [[], 1, true, null, ["b"]],
    [["a"], 1, true, null, ["a", "b"]],
    [["a", "b"], 1, false, null, ["a"]],
    [["a"], 2, true, 0, ["a", "b", "c"]],
    [["d"], 1, true, 3, ["b", "c", "d"]],
    [["a", "b", "c"], 2, false, 1, ["a"]],
  ] as const)("%o and row %i as %s from %s is %o", (chosen, index, isChosen, from, expected) => {
    expect([...selectRows(KEYS, new Set(chosen), index, isChosen, from)].sort()).toEqual(expected);
  });

  test.each([
    [[], "none"],
    [["z"], "none"],
    [["a", "z"], "some"],
    [["a", "b", "c", "d"], "all"],
  ])("%o is %s", (chosen, state) => {
    expect(judgeSelection(KEYS, new Set(chosen))).toBe(state);
  });

  test("no rows are no selection", () => {
    expect(judgeSelection([], new Set(["a"]))).toBe("none");
  });
});

describe("options of a combobox", () => {
  const OPTIONS = ["America", "Canada", "Cambodia", "France"].map((label) => ({ value: label, label }));

  test.each([
    ["", [], ["America", "Canada", "Cambodia", "France"]],
    ["ca", [], ["Canada", "Cambodia", "America"]],
    [" CAM ", [], ["Cambodia"]],
    ["ca", ["Canada"], ["Cambodia", "America"]],
    ["x", [], []],
  ])("%o without %o are %o", (typed, chosen, labels) => {
    expect(filterOptions(OPTIONS, typed, chosen).map(({ label }) => label)).toEqual(labels);
  });

  test("are 50 at most", () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ value: `${index}`, label: `n${index}` }));
    expect(filterOptions(many, "n", [])).toHaveLength(50);
  });

  test.each([
    ["new", [], { value: "new", label: "new" }],
    [" new ", [], { value: "new", label: "new" }],
    ["", [], null],
    ["France", [], null],
    ["new", ["new"], null],
  ])("%o is offered as new beside %o: %o", (typed, chosen, offered) => {
    expect(offerNew(OPTIONS, typed, chosen)).toEqual(offered);
  });
});
