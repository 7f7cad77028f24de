import {
  type Corners,
  type DotStyle,
  FINDER,
  type FinderRadii,
  NEIGHBOURHOODS,
  roundCorners,
} from "./shape.ts";

/**
 * Small antialiased pictures that a PNG is laid from, one byte a pixel: how much of it is dark, in steps of
 * 1/{@link DARK}.
 */

/** A pixel that is wholly dark: as many steps as a 4-bit palette has room for. */
export const DARK = 15;

/** A square picture by its rows. */
export type Tile = readonly Uint8Array[];

/** The tile of a dot for each kind of neighbourhood. */
export function dotTiles(style: DotStyle, size: number): Tile[] {
  return Array.from({ length: NEIGHBOURHOODS }, (_, neighbours) => {
    const corners = scaled(roundCorners(style, neighbours, size), size);
    return draw(size, (x, y) => boxCoverage(x, y, size, corners));
  });
}

/** The tile of a finder pattern. */
export function finderTile(radii: FinderRadii, size: number): Tile {
  const boxes = [
    { side: FINDER.ring, radius: radii.ring, sign: 1 },
    { side: FINDER.hole, radius: radii.hole, sign: -1 },
    { side: FINDER.centre, radius: radii.centre, sign: 1 },
  ].map(({ side, radius, sign }) => ({
    sign,
    inset: ((FINDER.ring - side) / 2) * size,
    length: side * size,
    corners: scaled([radius, radius, radius, radius], size),
  }));
  return draw(FINDER.ring * size, (x, y) => {
    let coverage = 0;
    for (const { sign, inset, length, corners } of boxes) {
      coverage += sign * boxCoverage(x - inset, y - inset, length, corners);
    }
    return coverage;
  });
}

function scaled(corners: Corners, size: number): Corners {
  return corners.map((radius) => radius * size) as unknown as Corners;
}

function draw(length: number, coverage: (x: number, y: number) => number): Tile {
  return Array.from({ length }, (_, y) =>
    Uint8Array.from({ length }, (_, x) => Math.round(coverage(x + 0.5, y + 0.5) * DARK)),
  );
}

/**
 * How much of the pixel centred at (x, y) a square of `length` pixels with round corners covers. The straight edges
 * fall between pixels; along an arc the distance of the centre from it says how much, to a percent or two.
 */
function boxCoverage(x: number, y: number, length: number, corners: Corners): number {
  if (x < 0 || y < 0 || x > length || y > length) return 0;
  const [topLeft, topRight, bottomRight, bottomLeft] = corners;
  return Math.min(
    arcCoverage(x, y, topLeft),
    arcCoverage(length - x, y, topRight),
    arcCoverage(length - x, length - y, bottomRight),
    arcCoverage(x, length - y, bottomLeft),
  );
}

/** The same for one corner, `x` and `y` counted from it. */
function arcCoverage(x: number, y: number, radius: number): number {
  if (x >= radius || y >= radius) return 1;
  return Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(radius - x, radius - y)));
}
