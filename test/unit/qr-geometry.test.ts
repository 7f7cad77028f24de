import { describe, expect, test } from "vitest";
import { resolveDesign } from "../../src/qr/design.ts";
import {
  BOTTOM,
  clearLogoModules,
  type Dots,
  findNeighbours,
  getAlignmentPattern,
  getFinderPattern,
  isDot,
  LEFT,
  layOutDots,
  RIGHT,
  TOP,
} from "../../src/qr/shape.ts";
import { renderSvg } from "../../src/qr/svg.ts";
import { buildSymbol, type QrSymbol } from "../../src/qr/symbol.ts";

/** Returns a symbol whose modules are all dark. */
function buildDarkSymbol(version: number, clearedSide: number): QrSymbol {
  const side = 17 + 4 * version;
  const modules = new Uint8Array(side * side).fill(1);
  return { content: "x", matrix: { version, level: "M", side, modules }, clearedSide, logoSide: clearedSide };
}

test.each([
  [1, [0.5, 0.5, 0.5, 0.5], true],
  [3, [0.5, 0.5, 0.5, 0.5], false],
  [1, [0.5, 0.5, 0.5, 0], false],
] as const)("a box %i modules wide with corners %j is a dot: %s", (width, corners, expected) => {
  expect(isDot({ left: 0, top: 0, width, height: 1, corners })).toBe(expected);
});

describe("patterns have curves from three pixels for each module", () => {
  test.each([
    [2, { ring: 0, hole: 0, centre: 0 }, { ring: 0, hole: 0, centre: 0 }],
    [3, { ring: 3.5, hole: 2.5, centre: 1.5 }, { ring: 2.5, hole: 1.5, centre: 0.5 }],
  ])("%i pixels", (size, finder, alignment) => {
    expect(getFinderPattern("dot", size).radii).toEqual(finder);
    expect(getAlignmentPattern("dots", size).radii).toEqual(alignment);
    expect(getAlignmentPattern("square", size).radii).toEqual({ ring: 0, hole: 0, centre: 0 });
  });
});

test("clearLogoModules clears exactly the square in the centre, in a copy", () => {
  const symbol = buildDarkSymbol(1, 3);
  const { side, modules } = symbol.matrix;
  const cells = clearLogoModules(symbol);
  const light = [...cells.keys()].filter((index) => cells[index] === 0);
  const expected = [9, 10, 11].flatMap((y) => [9, 10, 11].map((x) => y * side + x));
  expect(light).toEqual(expected);
  expect(modules.includes(0)).toBe(false);
});

describe("layOutDots leaves out an alignment pattern that the square of a logo touches", () => {
  // Version 14 has patterns that begin at 4, 24, 44 and 64 of its 73 modules.
  test.each([
    // From 29 to 44: next to the patterns that end at 28 and begin at 44.
    [15, 13],
    // From 28 to 45: over the edges of the four patterns in the middle.
    [17, 9],
  ])("a square of %i modules leaves %i patterns", (clearedSide, count) => {
    for (const style of ["square", "dots"] as const) {
      expect(layOutDots(buildDarkSymbol(14, clearedSide), style).alignmentPatterns).toHaveLength(count);
    }
  });
});

describe("findNeighbours", () => {
  const dots: Dots = {
    side: 3,
    cells: Uint8Array.from([0, 1, 1, 1, 0, 1, 0, 1, 1]),
    isJoined: true,
    alignmentPatterns: [],
  };
  test.each([
    [0, 0, RIGHT | BOTTOM],
    [1, 0, RIGHT],
    [2, 0, LEFT | BOTTOM],
    [0, 1, 0],
    [1, 1, LEFT | TOP | RIGHT | BOTTOM],
    [2, 1, TOP | BOTTOM],
    [0, 2, TOP | RIGHT],
    [1, 2, RIGHT],
    [2, 2, LEFT | TOP],
  ])("of (%i, %i) are %i: modules at the other end of a row do not count", (x, y, expected) => {
    expect(findNeighbours(dots, x, y)).toBe(expected);
    expect(findNeighbours({ ...dots, isJoined: false }, x, y)).toBe(0);
  });
});

describe("renderSvg", () => {
  const symbol = buildSymbol("x", "M", null);

  test("writes the total width of its modules, although they are fractions", () => {
    // 49 modules of 1/49 pixel add up to slightly less than a pixel.
    const design = resolveDesign({ quiet_zone: 14 });
    expect((1 / 49) * 49).toBeLessThan(1);
    expect(renderSvg(symbol, design, 1 / 49, null)).toContain('width="1" height="1" viewBox="0 0 49 49"');
    expect(renderSvg(symbol, design, 2.5, null)).toContain('width="122.5" height="122.5"');
  });

  test("draws a dot as two arcs", () => {
    const svg = renderSvg(symbol, resolveDesign({ dot_style: "dots", quiet_zone: 1 }), 10, null);
    expect(svg).toMatch(/M\d+ \d+\.5a\.5 \.5 0 0 1 1 0a\.5 \.5 0 0 1-1 0z/);
  });

  test("draws a logo in the middle", () => {
    const logo = { dataUri: "data:,", side: 4.2 };
    const svg = renderSvg(symbol, resolveDesign({ quiet_zone: 1 }), 10, logo);
    expect(svg).toContain('<image x="9.4" y="9.4" width="4.2" height="4.2" href="data:,"/>');
  });
});
