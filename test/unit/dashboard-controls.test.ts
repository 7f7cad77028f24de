import { describe, expect, test } from "vitest";
import { filterOptions, offerNew } from "../../src/dashboard/components/combobox-options.ts";
import { judgeSelection, selectRows } from "../../src/dashboard/components/row-selection.ts";
import {
  findDropIndex,
  findKeyTarget,
  listShifts,
  moveItem,
} from "../../src/dashboard/components/sortable-order.ts";
import { pressKey, SEQUENCE_PAUSE_MS, type Shortcut } from "../../src/dashboard/keyboard/key-sequence.ts";

const shortcut = (keys: string): Shortcut => ({ keys, label: keys, run: () => {} });
const SHORTCUTS = ["c", "g l", "g o", "l", "c"].map(shortcut);

describe("keys", () => {
  test("of two shortcuts with the same key, the later one is used", () => {
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

  test("a key that starts a sequence restarts it", () => {
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

  test("with a code are found by it first", () => {
    const coded = [
      { value: "DE", label: "Germany", code: "DE" },
      { value: "BD", label: "Bangladesh", code: "BD" },
      { value: "DK", label: "Denmark", code: "DK" },
    ];
    expect(filterOptions(coded, "de", []).map(({ value }) => value)).toEqual(["DE", "DK", "BD"]);
    expect(filterOptions(coded, "", []).map(({ value }) => value)).toEqual(["DE", "BD", "DK"]);
    expect(filterOptions(coded, "de", ["DE"]).map(({ value }) => value)).toEqual(["DK", "BD"]);
  });

  test("are at most 50", () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ value: `${index}`, label: `n${index}` }));
    expect(filterOptions(many, "n", [])).toHaveLength(50);
  });

  test.each([
    ["new", [], { value: "new", label: "new" }],
    [" new ", [], { value: "new", label: "new" }],
    ["", [], null],
    ["France", [], null],
    ["new", ["new"], null],
  ])("%o is offered as new next to %o: %o", (typed, chosen, offered) => {
    expect(offerNew(OPTIONS, typed, chosen)).toEqual(offered);
  });
});

describe("order of a list", () => {
  test.each([
    [0, 0, "abcd"],
    [0, 2, "bcad"],
    [3, 0, "dabc"],
    [1, 3, "acdb"],
  ])("item %i moves to %i", (from, to, expected) => {
    expect(moveItem([..."abcd"], from, to).join("")).toBe(expected);
  });

  // Three items of 40, 60 and 20 pixels with gaps of 10.
  const SLOTS = [
    { top: 0, height: 40 },
    { top: 50, height: 60 },
    { top: 120, height: 20 },
  ];
  test.each([
    [0, 0, 0],
    [0, 40, 0],
    [0, 41, 1],
    [0, 90, 1],
    [0, 91, 2],
    [2, -40, 2],
    [2, -41, 1],
    [2, -100, 1],
    [2, -101, 0],
    [1, -31, 0],
    [1, 21, 2],
    [7, 100, 7],
  ])("item %i dragged by %i pixels drops at %i", (from, movedPx, to) => {
    expect(findDropIndex(SLOTS, from, movedPx)).toBe(to);
  });

  test.each([
    [0, 0, [0, 0, 0]],
    [0, 2, [0, -50, -50]],
    [0, 1, [0, -50, 0]],
    [2, 0, [30, 30, 0]],
    [2, 1, [0, 30, 0]],
    [1, 0, [70, 0, 0]],
    [7, 0, [0, 0, 0]],
  ])("from %i to %i, the others move by %o", (from, to, shifts) => {
    expect(listShifts(SLOTS, from, to)).toEqual(shifts);
  });

  test("a list of one item has no other position", () => {
    expect(listShifts([{ top: 5, height: 40 }], 0, 0)).toEqual([0]);
  });

  test.each([
    ["ArrowUp", 1, 0],
    ["ArrowUp", 0, 0],
    ["ArrowDown", 1, 2],
    ["ArrowDown", 2, 2],
    ["Home", 2, 0],
    ["End", 0, 2],
    ["Enter", 1, null],
  ])("%s moves item %i of three to %o", (key, index, target) => {
    expect(findKeyTarget(key, index, 3)).toBe(target);
  });
});
