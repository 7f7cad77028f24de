import { describe, expect, test } from "vitest";
import { splitBySize } from "../../src/core/split.ts";

describe("splitBySize", () => {
  test.each<[number[], number[][]]>([
    [[], []],
    [[10], [[10]]],
    [[4, 6], [[4, 6]]],
    [
      [4, 6, 1],
      [[4, 6], [1]],
    ],
    [
      [5, 6],
      [[5], [6]],
    ],
    [[11], [[11]]],
    [
      [1, 11, 1],
      [[1], [11], [1]],
    ],
    [[0, 10, 0], [[0, 10, 0]]],
  ])("splits %j into %j, of at most 10 each", (sizes, expected) => {
    expect(splitBySize(sizes, (size) => size, 10)).toEqual(expected);
  });

  test.each<[number[], number[][]]>([
    [[1, 1, 1], [[1, 1, 1]]],
    [
      [1, 1, 1, 1],
      [[1, 1, 1], [1]],
    ],
    [
      [9, 1, 1, 1, 1],
      [
        [9, 1],
        [1, 1, 1],
      ],
    ],
  ])("splits %j into %j, at most three items of at most 10 each", (sizes, expected) => {
    expect(splitBySize(sizes, (size) => size, 10, 3)).toEqual(expected);
  });
});
