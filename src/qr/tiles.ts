// Pure: no I/O, clock or randomness.
import {
  type CornerRadii,
  type DotStyle,
  listPatternBoxes,
  NEIGHBOURHOOD_COUNT,
  roundCorners,
  type TargetPattern,
} from "./shape.ts";

/** Draws the small antialiased images (tiles) that a PNG is composed of. */

/** Darkness of a fully dark pixel, on a scale from 0. Also the last index of a 4-bit palette. */
export const DARK = 15;

/** Rows of a square image. Each byte is the darkness of a pixel, from 0 to {@link DARK}. */
export type Tile = readonly Uint8Array[];

/** Draws the tile of a dot for each combination of neighbours, at `size` pixels per module. */
export function drawDotTiles(style: DotStyle, size: number): Tile[] {
  return Array.from({ length: NEIGHBOURHOOD_COUNT }, (_, neighbours) => {
    const corners = scaleCorners(roundCorners(style, neighbours, size), size);
    return roundLevels(measureBox(size, corners), size);
  });
}

/** Draws the tile of a finder or alignment pattern, at `size` pixels per module. */
export function drawPatternTile(pattern: TargetPattern, size: number): Tile {
  const side = pattern.sides.ring * size;
  const coverage = new Float64Array(side * side);
  for (const [index, { left, width, corners }] of listPatternBoxes(pattern, 0, 0).entries()) {
    // The second box is the hole between ring and centre, so it is subtracted.
    const sign = index === 1 ? -1 : 1;
    const [inset, length] = [left * size, width * size];
    const box = measureBox(length, scaleCorners(corners, size));
    for (let y = 0, i = 0; y < length; y++) {
      for (let pixel = (inset + y) * side + inset, end = pixel + length; pixel < end; pixel++, i++) {
        coverage[pixel] = (coverage[pixel] as number) + sign * (box[i] as number);
      }
    }
  }
  return roundLevels(coverage, side);
}

function scaleCorners(corners: CornerRadii, size: number): CornerRadii {
  return corners.map((radius) => radius * size) as unknown as CornerRadii;
}

/** Converts the covered share of each pixel to its darkness. */
function roundLevels(coverage: Float64Array, side: number): Tile {
  return Array.from({ length: side }, (_, y) => {
    const row = new Uint8Array(side);
    for (let x = 0; x < side; x++) row[x] = Math.round((coverage[y * side + x] as number) * DARK);
    return row;
  });
}

/** Returns the share of each pixel that a rounded square of `length` pixels covers, row by row. */
function measureBox(length: number, corners: CornerRadii): Float64Array {
  const coverage = new Float64Array(length * length).fill(1);
  for (const [corner, radius] of corners.entries()) {
    const [isRight, isBottom] = [corner === 1 || corner === 2, corner >= 2];
    forEachArcPixel(radius, length, (x, y, share) => {
      const pixel = (isBottom ? length - 1 - y : y) * length + (isRight ? length - 1 - x : x);
      if (share < (coverage[pixel] as number)) coverage[pixel] = share;
    });
  }
  return coverage;
}

/**
 * Calls `visit` with each pixel that a corner of this radius covers only partly, and the covered share.
 * Coordinates are counted from the corner. The share is derived from the distance of the pixel's centre to
 * the arc, which is exact to one or two percent. Straight edges lie between pixels, so they never cover a
 * pixel partly.
 */
function forEachArcPixel(
  radius: number,
  length: number,
  visit: (x: number, y: number, share: number) => void,
): void {
  for (let y = 0; y < Math.min(radius - 0.5, length); y++) {
    const dy = radius - y - 0.5;
    for (let x = 0; x < Math.min(radius - 0.5, length); x++) {
      const share = radius + 0.5 - Math.hypot(radius - x - 0.5, dy);
      // The rest of the row is nearer to the arc's centre.
      if (share >= 1) break;
      visit(x, y, Math.max(0, share));
    }
  }
}
