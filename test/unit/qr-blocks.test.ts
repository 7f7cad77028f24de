import { expect, test } from "vitest";
import {
  computeAlignmentCentres,
  computeClearedSide,
  DAMAGE_MAX,
  findCodewordBlock,
  findCoveredCodewords,
  isReadable,
  locateAlignmentPatterns,
  mapModulesToCodewords,
  markFunctionModules,
  measureDamage,
} from "../../src/qr/blocks.ts";
import {
  canHold,
  getBlockLayout,
  getSymbolSide,
  LEVELS,
  type Level,
  measureContent,
} from "../../src/qr/matrix.ts";
import { buildSymbol } from "../../src/qr/symbol.ts";

/** Rule that keeps codes with a logo readable. test/node/qr-logos tests them with decoders. */

// ISO/IEC 18004 annex E.
test.each([
  [1, []],
  [2, [6, 18]],
  [6, [6, 34]],
  [7, [6, 22, 38]],
  [13, [6, 34, 62]],
  [14, [6, 26, 46, 66]],
  [32, [6, 34, 60, 86, 112, 138]],
  [40, [6, 30, 58, 86, 114, 142, 170]],
])("the alignment patterns of version %i are at %j", (version, centres) => {
  expect(computeAlignmentCentres(version)).toEqual(centres);
  const patterns = centres.length === 0 ? 0 : centres.length ** 2 - 3;
  expect(locateAlignmentPatterns(version)).toHaveLength(patterns);
});

/**
 * Number of modules without data from ISO/IEC 18004 table 1, which counts function patterns, format and
 * version information.
 */
test.each([
  [1, 233],
  [2, 266],
  [6, 298],
  [7, 457],
  [14, 678],
  [40, 1_681],
])("version %i has %i modules without data", (version, count) => {
  expect(markFunctionModules(version).reduce((sum, mark) => sum + mark, 0)).toBe(count);
});

test("codewords run upwards and downwards in pairs of columns from the lower right, around the patterns", () => {
  const side = getSymbolSide(1);
  const codewords = mapModulesToCodewords(1);
  const at = (x: number, y: number) => codewords[y * side + x];
  expect([at(20, 20), at(19, 20), at(20, 17), at(19, 17), at(20, 16)]).toEqual([0, 0, 0, 0, 1]);
  // The first pair of columns ends below the finder pattern, and the next one goes down.
  expect([at(20, 9), at(18, 9), at(18, 12), at(18, 13)]).toEqual([2, 3, 3, 4]);
  // The column of the timing pattern is skipped.
  expect([at(6, 10), at(7, 12), at(5, 12)]).toEqual([-1, 22, 23]);
  expect([at(0, 9), at(0, 12)]).toEqual([25, 25]);
  // The last modules of version 2 are remainder bits.
  expect(Math.max(...mapModulesToCodewords(2))).toBe(getBlockLayout(2, "L").codewords - 1);
});

// Version 5-Q has two blocks of 15 data codewords and two of 16 (ISO/IEC 18004 table 9).
test.each([
  [0, 0],
  [3, 3],
  [4, 0],
  [59, 3],
  [60, 2],
  [61, 3],
  [62, 0],
  [133, 3],
])("codeword %i of version 5-Q belongs to block %i", (codeword, block) => {
  expect(findCodewordBlock(5, "Q", codeword)).toBe(block);
});

test.each([
  [1, [3, 5, 7, 9]],
  [3, [3, 5, 9, 11]],
  [7, [5, 9, 13, 17]],
  [40, [17, 35, 53, 71]],
])("logos of 0.1 to 0.4 clear %j modules of version %i: odd numbers", (version, sides) => {
  expect([0.1, 0.2, 0.3, 0.4].map((size) => computeClearedSide(version, size))).toEqual(sides);
});

test("a block may use 70 % of its repair capacity, and not a codeword more", () => {
  // Version 4-L has one block, which repairs ten codewords.
  const damage = (count: number) => Array.from({ length: count }, (_, codeword) => codeword);
  expect(getBlockLayout(4, "L")).toMatchObject({ blocks: 1, correctionCodewords: 20 });
  expect(measureDamage(4, "L", damage(7))).toBe(0.7);
  expect([7, 8].map((count) => isReadable(4, "L", damage(count)))).toEqual([true, false]);
  expect(DAMAGE_MAX).toBe(0.7);
  // The more damaged of two blocks counts: codewords of version 4-M alternate, and each block repairs nine.
  const everySecond = (count: number) => damage(count).map((index) => 2 * index);
  expect([6, 7].map((count) => isReadable(4, "M", everySecond(count)))).toEqual([true, false]);
  expect(isReadable(4, "M", damage(12))).toBe(true);
  // With 15 codewords for error correction, a block repairs 7, because half a codeword repairs nothing.
  expect(getBlockLayout(3, "L")).toMatchObject({ blocks: 1, correctionCodewords: 15 });
  expect([4, 5].map((count) => isReadable(3, "L", damage(count)))).toEqual([true, false]);
});

test("a logo covers no finder, timing or lower right alignment pattern", () => {
  // In versions 1 and 2, corners take rows 0 to 8; version 2 has an alignment pattern from row 16 on.
  const canCover = (version: number, side: number) => findCoveredCodewords(version, side) !== null;
  expect([canCover(1, 3), canCover(1, 5)]).toEqual([true, false]);
  expect([canCover(2, 7), canCover(2, 9)]).toEqual([true, false]);
  expect([canCover(7, 27), canCover(7, 29)]).toEqual([true, false]);
});

/** Version, level and modules per side of the logo, by logo size, length of the content and requested level. */
const CHOICES: [number, number, string][] = [
  [0.1, 20, "2M/3 2M/3 2Q/3 3H/3"],
  [0.1, 60, "4L/3 4M/3 5Q/3 7H/5"],
  [0.1, 150, "7L/5 8M/5 10Q/5 12H/7"],
  [0.2, 20, "2Q/5 2Q/5 2Q/5 3H/5"],
  [0.2, 60, "4M/7 4M/7 5Q/7 7H/9"],
  [0.2, 150, "7L/9 8M/9 10Q/11 12H/13"],
  [0.25, 400, "15M/19 15M/19 19Q/23 21H/25"],
  [0.3, 20, "4H/9 4H/9 4H/9 4H/9"],
  [0.3, 60, "5Q/11 5Q/11 5Q/11 7H/13"],
  [0.3, 150, "9M/15 9M/15 10Q/17 12H/19"],
  [0.3, 400, "18M/27 18M/27 19Q/27 21H/31"],
  [0.4, 20, "7H/17 7H/17 7H/17 7H/17"],
  [0.4, 150, "12H/25 12H/25 12H/25 12H/25"],
  [0.4, 400, "27H/49 27H/49 27H/49 27H/49"],
];

test.each(CHOICES)("a logo of %d on %i characters gets %s", (logoSize, length, expected) => {
  const content = "x".repeat(length);
  const chosen = LEVELS.map((level) => {
    const { matrix, clearedSide } = buildSymbol(content, level, logoSize);
    return `${matrix.version}${matrix.level}/${clearedSide}`;
  });
  expect(chosen.join(" ")).toBe(expected);
});

test.each([0.1, 0.2, 0.3, 0.4])(
  "with a logo of %d, the smallest symbol that stays readable is chosen",
  (logoSize) => {
    for (const length of [10, 90, 300]) {
      const content = "x".repeat(length);
      const size = measureContent(content);
      const fits = (version: number, level: Level) => {
        const covered = findCoveredCodewords(version, computeClearedSide(version, logoSize));
        return (
          covered !== null && canHold(size, version, level) && measureDamage(version, level, covered) <= 0.7
        );
      };
      const { version, level } = buildSymbol(content, "L", logoSize).matrix;
      expect(fits(version, level)).toBe(true);
      const smaller = Array.from({ length: version - 1 }, (_, index) => index + 1);
      for (const other of smaller)
        for (const tried of LEVELS) expect(fits(other, tried), `${other}${tried}`).toBe(false);
      for (const lower of LEVELS.slice(0, LEVELS.indexOf(level))) expect(fits(version, lower)).toBe(false);
    }
  },
);

test("without a logo no modules are cleared, and content that fits no symbol is rejected", () => {
  expect(buildSymbol("x", "M", null)).toMatchObject({
    matrix: { version: 1, level: "M" },
    clearedSide: 0,
    logoSide: 0,
  });
  expect(buildSymbol("x".repeat(2_953), "L", null).matrix.version).toBe(40);
  expect(() => buildSymbol("x".repeat(2_954), "L", null)).toThrow(
    "content: must have at most 2953 bytes of UTF-8 at error correction level L",
  );
  expect(() => buildSymbol("1".repeat(7_090), "L", 0.2)).toThrow(
    "content: must have at most 7089 numeric characters",
  );
});

test.each([
  [45, 0.1, 4.5],
  [33, 0.3, 9],
])(
  "in a symbol of %i modules, a logo of %d has %d: never more than the cleared area",
  (side, logoSize, logoSide) => {
    const length = side === 45 ? 150 : 20;
    const symbol = buildSymbol("x".repeat(length), "L", logoSize);
    expect([symbol.matrix.side, symbol.logoSide]).toEqual([side, logoSide]);
  },
);

// ISO/IEC 18004 table 7. The digits fill version 1-Q to the bit, and one more digit in 3-L would lack a
// single bit. From versions 10 and 27 on, the character count takes more bits.
test.each([
  [1, "Q", "1", 27],
  [3, "L", "1", 127],
  [9, "L", "x", 230],
  [10, "L", "x", 271],
  [26, "L", "1", 3_283],
  [27, "L", "1", 3_517],
] as const)("version %i-%s holds, of %j, %i characters", (version, level, character, length) => {
  const holds = (count: number) => canHold(measureContent(character.repeat(count)), version, level);
  expect([holds(length), holds(length + 1)]).toEqual([true, false]);
});

test("a logo may raise the symbol to version 40", () => {
  expect(buildSymbol("x".repeat(2_900), "L", 0.1).matrix.version).toBe(40);
});

test("a logo that leaves no symbol readable is rejected", () => {
  expect(() => buildSymbol("x".repeat(2_900), "L", 0.3)).toThrow("design.logo_size: must be smaller");
});
