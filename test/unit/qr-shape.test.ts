import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listWarnings, resolveDesign } from "../../src/qr/design.ts";
import { LEVELS } from "../../src/qr/matrix.ts";
import { crc32 } from "../../src/qr/png-file.ts";
import {
  BOTTOM,
  CORNER_STYLES,
  DOT_STYLES,
  finderRadii,
  LEFT,
  layOutDots,
  NEIGHBOURHOODS,
  RIGHT,
  roundCorners,
  TOP,
} from "../../src/qr/shape.ts";
import { renderSvg } from "../../src/qr/svg.ts";
import { symbolFor } from "../../src/qr/symbol.ts";
import { DARK, dotTiles, finderTile } from "../../src/qr/tiles.ts";

describe("corners of a dot: top left, top right, bottom right, bottom left", () => {
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

  test("no curve is wider than half a module where a module is less than three pixels", () => {
    for (const style of DOT_STYLES) {
      for (let neighbours = 0; neighbours < NEIGHBOURHOODS; neighbours++) {
        expect(Math.max(...roundCorners(style, neighbours, 2))).toBeLessThanOrEqual(0.5);
      }
    }
    for (const style of CORNER_STYLES) expect(finderRadii(style, 2)).toEqual(finderRadii("square", 2));
  });
});

test("finders and the place of a logo have no dots", () => {
  const symbol = symbolFor("https://example.com/", "H", 0.2);
  const { side, cells } = layOutDots(symbol, "square");
  const at = (x: number, y: number) => cells[y * side + x];
  for (const [x, y] of [
    [0, 0],
    [side - 1, 0],
    [0, side - 1],
    [3, 3],
    [(side - 1) / 2, (side - 1) / 2],
  ] as const) {
    expect(at(x, y)).toBe(0);
  }
  // The timing pattern beside a finder is there.
  expect(at(8, 6)).toBe(1);
});

test("a tile is dark in its middle, where scanners look, and never darker or lighter than can be", () => {
  for (const style of DOT_STYLES) {
    for (const size of [1, 2, 3, 10, 17]) {
      for (const tile of dotTiles(style, size)) {
        expect(tile).toHaveLength(size);
        const levels = tile.flatMap((row) => [...row]);
        expect(Math.min(...levels)).toBeGreaterThanOrEqual(0);
        expect(Math.max(...levels)).toBeLessThanOrEqual(DARK);
        // Two pixels a side have no middle of their own: each has a corner of the dot.
        const middle = tile[Math.floor(size / 2)]?.[Math.floor(size / 2)];
        expect(middle).toBeGreaterThanOrEqual(size === 2 ? DARK * 0.75 : DARK);
      }
    }
  }
});

test("a finder tile has a ring, a hole and a centre", () => {
  for (const style of CORNER_STYLES) {
    const size = 10;
    const tile = finderTile(finderRadii(style, size), size);
    const across = [5, 15, 25, 35, 45, 55, 65].map((x) => tile[35]?.[x]);
    expect(across, style).toEqual([DARK, 0, DARK, DARK, DARK, 0, DARK]);
  }
});

test("a dot covers as much of its tile as a circle of its width", () => {
  const size = 40;
  const [circle] = dotTiles("dots", size);
  const dark = (circle ?? []).flatMap((row) => [...row]).reduce((sum, level) => sum + level, 0);
  expect(dark / (DARK * size * size)).toBeCloseTo(Math.PI / 4, 2);
});

test("whatever is encoded and however, the SVG is well-formed and says nothing but numbers and colours", () => {
  const design = fc.record(
    {
      dot_style: fc.constantFrom(...DOT_STYLES),
      corner_style: fc.constantFrom(...CORNER_STYLES),
      error_correction: fc.constantFrom(...LEVELS),
      quiet_zone: fc.integer({ min: 0, max: 20 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 60 }), design, (content, given) => {
      const resolved = resolveDesign(given);
      const svg = renderSvg(symbolFor(content, resolved.level, null), resolved, 10, null);
      expect(svg).toMatch(
        /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="\d+" viewBox="0 0 \d+ \d+"( shape-rendering="crispEdges")?><path fill="#ffffff" d="M0 0h\d+v\d+H0z"\/><path fill="#000000" fill-rule="evenodd" d="[MHVahvz\d. -]+"\/><\/svg>$/,
      );
    }),
  );
});

test.each([
  [{}, []],
  [{ foreground_color: "#767676" }, []],
  [{ foreground_color: "#9a9a9a" }, ["low-contrast"]],
  [{ foreground_color: "#ffffff", background_color: "#000" }, ["light-on-dark"]],
  [{ quiet_zone: 0 }, ["no-quiet-zone"]],
])("%j gives the warnings %j", (design, warnings) => {
  expect(listWarnings(resolveDesign(design))).toEqual(warnings);
});

test("the checksum is that of ISO 3309", () => {
  expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
  expect(crc32(new TextEncoder().encode("12345"), new TextEncoder().encode("6789"))).toBe(0xcbf43926);
});
