import { ALIGNMENT_RADIUS, locateAlignmentPatterns } from "./blocks.ts";
import { getSymbolSide } from "./matrix.ts";
import type { QrSymbol } from "./symbol.ts";

/** Geometry of a QR code in modules, shared by the SVG and PNG renderers. */

export const DOT_STYLES = ["square", "rounded", "dots", "classy", "classy-rounded", "extra-rounded"] as const;
export type DotStyle = (typeof DOT_STYLES)[number];

export const CORNER_STYLES = ["square", "rounded", "dot", "extra-rounded"] as const;
export type CornerStyle = (typeof CORNER_STYLES)[number];

/** Radii of a shape's corners, in modules: top left, top right, bottom right, bottom left. */
export type CornerRadii = readonly [number, number, number, number];

/** Corner radii of a finder pattern's ring, of the hole in the ring, and of the centre, in modules. */
export interface FinderRadii {
  ring: number;
  hole: number;
  centre: number;
}

/** Sides of the three squares of a finder pattern, in modules. */
export const FINDER_SIDES = { ring: 7, hole: 5, centre: 3 } as const;

/** Finder patterns are never drawn as separate dots, because scanners look for their solid lines. */
const FINDER_RADII: Record<CornerStyle, FinderRadii> = {
  square: { ring: 0, hole: 0, centre: 0 },
  rounded: { ring: 1.5, hole: 0.75, centre: 0.75 },
  "extra-rounded": { ring: 2.5, hole: 1.5, centre: 1 },
  dot: { ring: 3.5, hole: 2.5, centre: 1.5 },
};

/** Minimum pixels per module for wide curves. Scanners do not find codes with wide curves on smaller modules. */
const CURVES_MIN_PIXELS = 3;

/** Returns the radii of the finder patterns for a style at `size` pixels per module. */
export function getFinderRadii(style: CornerStyle, size: number): FinderRadii {
  return FINDER_RADII[size < CURVES_MIN_PIXELS ? "square" : style];
}

/** Bits for the dark neighbours of a module. */
export const LEFT = 1;
export const TOP = 2;
export const RIGHT = 4;
export const BOTTOM = 8;
/** Value for a dot that is a square regardless of its neighbours. */
const SOLID = 16;
/** Number of neighbourhoods: 16 combinations of neighbours, and {@link SOLID}. */
export const NEIGHBOURHOOD_COUNT = 17;

/** Modules that are drawn as dots. Finder patterns and the cleared square are drawn separately and count as light. */
export interface Dots {
  side: number;
  /** Modules row by row: 1 is a dot. */
  cells: Uint8Array;
  /** Null in styles whose dots join. Otherwise 1 for the dots that are squares all the same, row by row. */
  solid: Uint8Array | null;
}

/** Selects the modules of a symbol that are drawn as dots. */
export function layOutDots({ matrix, clearedSide }: QrSymbol, style: DotStyle): Dots {
  const { side, version } = matrix;
  const cells = matrix.modules.slice();
  const clear = (left: number, top: number, width: number) => {
    for (let y = top; y < top + width; y++) cells.fill(0, y * side + left, y * side + left + width);
  };
  for (const [x, y] of locateFinderPatterns(side)) clear(x, y, FINDER_SIDES.ring);
  clear((side - clearedSide) / 2, (side - clearedSide) / 2, clearedSide);
  return { side, cells, solid: style === "dots" ? selectAlignmentCells(version, cells) : null };
}

/** Selects the dots of alignment patterns. They stay solid: drawn as dots, they make decoders miss one code in five. */
function selectAlignmentCells(version: number, cells: Uint8Array): Uint8Array {
  const side = getSymbolSide(version);
  const selected = new Uint8Array(cells.length);
  for (const [x, y] of locateAlignmentPatterns(version)) {
    for (let row = y - ALIGNMENT_RADIUS; row <= y + ALIGNMENT_RADIUS; row++) {
      const start = row * side + x - ALIGNMENT_RADIUS;
      const end = start + 2 * ALIGNMENT_RADIUS + 1;
      selected.set(cells.subarray(start, end), start);
    }
  }
  return selected;
}

/** Returns the top left modules of the three finder patterns. */
export function locateFinderPatterns(side: number): [x: number, y: number][] {
  const far = side - FINDER_SIDES.ring;
  return [
    [0, 0],
    [far, 0],
    [0, far],
  ];
}

/** Returns true if a dot and its right neighbour are drawn as one shape. */
export function isJoinedToRight({ solid }: Dots, index: number): boolean {
  return solid === null || (solid[index] === 1 && solid[index + 1] === 1);
}

/** Returns the neighbours that a dot joins, as bits, or {@link SOLID}. */
export function findNeighbours({ side, cells, solid }: Dots, x: number, y: number): number {
  const index = y * side + x;
  if (solid !== null) return solid[index] ? SOLID : 0;
  return (
    (x > 0 && cells[index - 1] ? LEFT : 0) |
    (y > 0 && cells[index - side] ? TOP : 0) |
    (x < side - 1 && cells[index + 1] ? RIGHT : 0) |
    (y < side - 1 && cells[index + side] ? BOTTOM : 0)
  );
}

const SQUARE: CornerRadii = [0, 0, 0, 0];

/** Returns the corner radii of a dot. A corner is round only if the dot joins no neighbour there. */
export function roundCorners(style: DotStyle, neighbours: number, size: number): CornerRadii {
  if (style === "square" || neighbours === SOLID) return SQUARE;
  const isFree = (sides: number) => (neighbours & sides) === 0;
  const isClassy = style === "classy" || style === "classy-rounded";
  const radius = size < CURVES_MIN_PIXELS ? 0.5 : chooseRadius(style, neighbours);
  return [
    isFree(LEFT | TOP) ? radius : 0,
    isFree(TOP | RIGHT) && !isClassy ? radius : 0,
    isFree(RIGHT | BOTTOM) ? radius : 0,
    isFree(BOTTOM | LEFT) && !isClassy ? radius : 0,
  ];
}

function chooseRadius(style: DotStyle, neighbours: number): number {
  if (style === "extra-rounded") return countBits(neighbours) === 2 ? 1 : 0.5;
  if (style === "classy-rounded") return neighbours === 0 ? 0.5 : 1;
  return 0.5;
}

function countBits(bits: number): number {
  return (bits & 1) + ((bits >> 1) & 1) + ((bits >> 2) & 1) + ((bits >> 3) & 1);
}
