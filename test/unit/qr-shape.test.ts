import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resolveDesign } from "../../src/qr/design.ts";
import { LEVELS } from "../../src/qr/matrix.ts";
import { crc32 } from "../../src/qr/png-file.ts";
import {
  BOTTOM,
  CORNER_STYLES,
  DOT_STYLES,
  type DotStyle,
  getAlignmentPattern,
  getFinderPattern,
  LEFT,
  layOutDots,
  NEIGHBOURHOOD_COUNT,
  RIGHT,
  roundCorners,
  TOP,
} from "../../src/qr/shape.ts";
import { renderSvg } from "../../src/qr/svg.ts";
import { buildSymbol } from "../../src/qr/symbol.ts";
import { DARK, drawDotTiles, drawPatternTile } from "../../src/qr/tiles.ts";

describe("roundCorners: radii of top left, top right, bottom right, bottom left", () => {
  test.each([
    ["square", 0, [0, 0, 0, 0]],
    ["rounded", 0, [0.5, 0.5, 0.5, 0.5]],
    ["rounded", LEFT, [0, 0.5, 0.5, 0]],
    ["rounded", LEFT | TOP, [0, 0, 0.5, 0]],
    ["rounded", LEFT | TOP | RIGHT | BOTTOM, [0, 0, 0, 0]],
    ["extra-rounded", 0, [0.5, 0.5, 0.5, 0.5]],
    ["extra-rounded", LEFT | TOP, [0, 0, 1, 0]],
    ["extra-rounded", LEFT | RIGHT, [0, 0, 0, 0]],
    ["extra-rounded", BOTTOM, [0.5, 0.5, 0, 0]],
    ["classy", 0, [0.5, 0, 0.5, 0]],
    ["classy", TOP, [0, 0, 0.5, 0]],
    ["classy-rounded", 0, [0.5, 0, 0.5, 0]],
    ["classy-rounded", RIGHT, [1, 0, 0, 0]],
    ["dots", 0, [0.5, 0.5, 0.5, 0.5]],
  ] as const)("%s with neighbours %i", (style, neighbours, corners) => {
    expect(roundCorners(style, neighbours, 10)).toEqual(corners);
  });

  test("curves are at most half a module wide if a module has fewer than three pixels", () => {
    for (const style of DOT_STYLES) {
      for (let neighbours = 0; neighbours < NEIGHBOURHOOD_COUNT; neighbours++) {
        expect(Math.max(...roundCorners(style, neighbours, 2))).toBeLessThanOrEqual(0.5);
      }
    }
    for (const style of CORNER_STYLES) {
      expect(getFinderPattern(style, 2)).toEqual(getFinderPattern("square", 2));
    }
    expect(getAlignmentPattern("dots", 2).radii).toEqual({ ring: 0, hole: 0, centre: 0 });
  });
});

test("layOutDots leaves out the finder patterns and the square of a logo", () => {
  const symbol = buildSymbol("https://example.com/", "H", 0.2);
  const { side, cells } = layOutDots(symbol, "square");
  const getCell = (x: number, y: number) => cells[y * side + x];
  for (const [x, y] of [
    [0, 0],
    [side - 1, 0],
    [0, side - 1],
    [3, 3],
    [(side - 1) / 2, (side - 1) / 2],
  ] as const) {
    expect(getCell(x, y)).toBe(0);
  }
  // The timing pattern next to the finder pattern stays.
  expect(getCell(8, 6)).toBe(1);
});

test("layOutDots leaves whole alignment patterns out of separate dots, except where a logo covers a part", () => {
  const findPatterns = (length: number, logoSize: number | null, style: DotStyle) => {
    const symbol = buildSymbol("a".repeat(length), "M", logoSize);
    const { side, cells, alignmentPatterns } = layOutDots(symbol, style);
    return { side, cells, alignmentPatterns };
  };
  expect(findPatterns(200, null, "rounded").alignmentPatterns).toEqual([]);
  expect(findPatterns(14, null, "dots").alignmentPatterns).toEqual([]);
  const { side, cells, alignmentPatterns } = findPatterns(140, null, "dots");
  expect(side).toBe(49);
  expect(alignmentPatterns).toEqual([
    [22, 4],
    [4, 22],
    [22, 22],
    [40, 22],
    [22, 40],
    [40, 40],
  ]);
  for (const [x, y] of alignmentPatterns) {
    for (let i = 0; i < 25; i++) expect(cells[(y + Math.floor(i / 5)) * side + x + (i % 5)]).toBe(0);
  }
  const withLogo = findPatterns(140, 0.1, "dots");
  expect(withLogo.side).toBe(49);
  expect(withLogo.alignmentPatterns).toHaveLength(5);
  expect(withLogo.alignmentPatterns).not.toContainEqual([22, 22]);
});

test("drawDotTiles draws tiles that are dark in the middle, with darkness from 0 to DARK", () => {
  for (const style of DOT_STYLES) {
    // One tile for each combination of four neighbours.
    expect(drawDotTiles(style, 1)).toHaveLength(16);
    for (const size of [1, 2, 3, 10, 17]) {
      for (const tile of drawDotTiles(style, size)) {
        expect(tile).toHaveLength(size);
        const levels = tile.flatMap((row) => [...row]);
        expect(Math.min(...levels)).toBeGreaterThanOrEqual(0);
        expect(Math.max(...levels)).toBeLessThanOrEqual(DARK);
        // Scanners sample the middle of a module. With two pixels per side, each pixel has a corner of the dot.
        const middle = tile[Math.floor(size / 2)]?.[Math.floor(size / 2)];
        expect(middle).toBeGreaterThanOrEqual(size === 2 ? DARK * 0.75 : DARK);
      }
    }
  }
});

test("drawPatternTile draws a ring, a hole and a centre", () => {
  for (const style of CORNER_STYLES) {
    const size = 10;
    const tile = drawPatternTile(getFinderPattern(style, size), size);
    const across = [5, 15, 25, 35, 45, 55, 65].map((x) => tile[35]?.[x]);
    expect(across, style).toEqual([DARK, 0, DARK, DARK, DARK, 0, DARK]);
  }
  const alignment = drawPatternTile(getAlignmentPattern("dots", 10), 10);
  expect([5, 15, 25, 35, 45].map((x) => alignment[25]?.[x])).toEqual([DARK, 0, DARK, 0, DARK]);
  expect(alignment[2]?.[2]).toBe(0);
});

test("drawDotTiles draws a dot with the area of a circle", () => {
  const size = 40;
  const [circle] = drawDotTiles("dots", size);
  const dark = (circle ?? []).flatMap((row) => [...row]).reduce((sum, level) => sum + level, 0);
  expect(dark / (DARK * size * size)).toBeCloseTo(Math.PI / 4, 2);
});

test("renderSvg writes well-formed SVG of only numbers and colours for any content and design", () => {
  const design = fc.record(
    {
      dot_style: fc.constantFrom(...DOT_STYLES),
      corner_style: fc.constantFrom(...CORNER_STYLES),
      error_correction: fc.constantFrom(...LEVELS),
      quiet_zone: fc.integer({ min: 0, max: 20 }),
      corner_color: fc.constantFrom("#000", "#0b5d51"),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 60 }), design, (content, input) => {
      const resolved = resolveDesign(input);
      const svg = renderSvg(buildSymbol(content, resolved.level, null), resolved, 10, null);
      expect(svg).toMatch(SVG);
    }),
  );
});

const COLOUR = "#(?:000000|0b5d51)";
const SVG = new RegExp(
  '^<svg xmlns="http://www\\.w3\\.org/2000/svg" width="\\d+" height="\\d+" viewBox="0 0 \\d+ \\d+"( shape-rendering="crispEdges")?><title>QR code</title>' +
    '<path fill="#ffffff" d="M0 0h\\d+v\\d+H0"/>' +
    `(<path stroke="${COLOUR}" fill="none" d="[Mmhvz\\d. -]+"/>){0,2}` +
    `(<path fill="${COLOUR}" fill-rule="evenodd"( shape-rendering="auto")? d="[MHVahvz\\d. -]+"/>){0,2}</svg>$`,
);

test.each([
  ["square", "square", "#000", 1],
  ["square", "square", "#0b5d51", 2],
  ["square", "dot", "#000", 2],
  ["rounded", "square", "#000", 1],
  ["dots", "rounded", "#0b5d51", 2],
] as const)(
  "renderSvg draws %s dots and %s corners in %s with %i dark paths",
  (dot_style, corner_style, corner_color, count) => {
    const design = resolveDesign({ dot_style, corner_style, corner_color });
    const svg = renderSvg(buildSymbol("x", "M", null), design, 10, null);
    expect(svg.match(/<path /g)).toHaveLength(1 + count);
  },
);

test("crc32 computes the CRC-32 of ISO 3309", () => {
  expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
  expect(crc32(new TextEncoder().encode("12345"), new TextEncoder().encode("6789"))).toBe(0xcbf43926);
});
