import {
  type CornerRadii,
  type DotStyle,
  listPatternBoxes,
  NEIGHBOURHOOD_COUNT,
  roundCorners,
  type TargetPattern,
} from "./shape.ts";

/** Small antialiased images that a PNG is composed of. */

/** Darkness of a fully dark pixel. Darkness runs from 0 to this value, which is the last index of a 4-bit palette. */
export const DARK = 15;

/** Rows of a square image, one byte per pixel: its darkness from 0 to {@link DARK}. */
export type Tile = readonly Uint8Array[];

/** Draws the tile of a dot for each neighbourhood, at `size` pixels per module. */
export function drawDotTiles(style: DotStyle, size: number): Tile[] {
  return Array.from({ length: NEIGHBOURHOOD_COUNT }, (_, neighbours) => {
    const corners = scaleCorners(roundCorners(style, neighbours, size), size);
    return drawTile(size, (x, y) => measureBoxCoverage(x, y, size, corners));
  });
}

/** Draws the tile of a finder or alignment pattern, at `size` pixels per module. */
export function drawPatternTile(pattern: TargetPattern, size: number): Tile {
  const boxes = listPatternBoxes(pattern, 0, 0).map(({ left, width, corners }, index) => ({
    // The hole lies between the ring and the centre.
    sign: index === 1 ? -1 : 1,
    inset: left * size,
    length: width * size,
    corners: scaleCorners(corners, size),
  }));
  return drawTile(pattern.sides.ring * size, (x, y) => {
    let coverage = 0;
    for (const { sign, inset, length, corners } of boxes) {
      coverage += sign * measureBoxCoverage(x - inset, y - inset, length, corners);
    }
    return coverage;
  });
}

function scaleCorners(corners: CornerRadii, size: number): CornerRadii {
  return corners.map((radius) => radius * size) as unknown as CornerRadii;
}

function drawTile(length: number, coverage: (x: number, y: number) => number): Tile {
  return Array.from({ length }, (_, y) =>
    Uint8Array.from({ length }, (_, x) => Math.round(coverage(x + 0.5, y + 0.5) * DARK)),
  );
}

/**
 * Returns the share of the pixel centred at (x, y) that a square of `length` pixels with round corners covers. Straight
 * edges lie between pixels. Along an arc, the share follows from the distance of the pixel's centre to the arc, which
 * is exact to one or two percent.
 */
function measureBoxCoverage(x: number, y: number, length: number, corners: CornerRadii): number {
  if (x < 0 || y < 0 || x > length || y > length) return 0;
  const [topLeft, topRight, bottomRight, bottomLeft] = corners;
  return Math.min(
    measureArcCoverage(x, y, topLeft),
    measureArcCoverage(length - x, y, topRight),
    measureArcCoverage(length - x, length - y, bottomRight),
    measureArcCoverage(x, length - y, bottomLeft),
  );
}

/** Returns the share that one round corner covers. `x` and `y` are distances from the corner. */
function measureArcCoverage(x: number, y: number, radius: number): number {
  if (x >= radius || y >= radius) return 1;
  return Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(radius - x, radius - y)));
}
