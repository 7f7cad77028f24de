import { ALIGNMENT_RADIUS, alignmentPatterns } from "./blocks.ts";
import { sideModules } from "./matrix.ts";
import type { QrSymbol } from "./symbol.ts";

/** Pure geometry of a QR code, in modules: what SVG and PNG draw alike. */

export const DOT_STYLES = ["square", "rounded", "dots", "classy", "classy-rounded", "extra-rounded"] as const;
export type DotStyle = (typeof DOT_STYLES)[number];

export const CORNER_STYLES = ["square", "rounded", "dot", "extra-rounded"] as const;
export type CornerStyle = (typeof CORNER_STYLES)[number];

/** Radius of each corner of a module: top left, top right, bottom right, bottom left. */
export type Corners = readonly [number, number, number, number];

/** Radii of a finder pattern: of its ring, of the hole in the ring, and of the centre. */
export interface FinderRadii {
  ring: number;
  hole: number;
  centre: number;
}

/** Sides of the three squares of a finder pattern. */
export const FINDER = { ring: 7, hole: 5, centre: 3 } as const;

/** Finder patterns are never drawn as dots: scanners find them by their solid lines. */
const FINDER_RADII: Record<CornerStyle, FinderRadii> = {
  square: { ring: 0, hole: 0, centre: 0 },
  rounded: { ring: 1.5, hole: 0.75, centre: 0.75 },
  "extra-rounded": { ring: 2.5, hole: 1.5, centre: 1 },
  dot: { ring: 3.5, hole: 2.5, centre: 1.5 },
};

/** Below this many pixels a module there is no room for wide curves: scanners no longer find what has them. */
const CURVES_MIN_PIXELS = 3;

/** How round the finder patterns are. */
export function finderRadii(style: CornerStyle, size: number): FinderRadii {
  return FINDER_RADII[size < CURVES_MIN_PIXELS ? "square" : style];
}

/** Dark neighbours of a module as bits. */
export const LEFT = 1;
export const TOP = 2;
export const RIGHT = 4;
export const BOTTOM = 8;
/** Of a dot that is a square whatever its neighbours. */
const SOLID = 16;
/** Kinds of neighbourhood. */
export const NEIGHBOURHOODS = 17;

/** What is drawn as dots. Finder patterns and the place of a logo count as light. */
export interface Dots {
  side: number;
  /** 1 where a dot is; row by row. */
  cells: Uint8Array;
  /** Where dots stand each for itself: 1 for those that are squares all the same. Null where dots join. */
  solid: Uint8Array | null;
}

/** The dots of a symbol. */
export function layOutDots({ matrix, cleared }: QrSymbol, style: DotStyle): Dots {
  const { side, version } = matrix;
  const cells = matrix.modules.slice();
  const clear = (left: number, top: number, width: number) => {
    for (let y = top; y < top + width; y++) cells.fill(0, y * side + left, y * side + left + width);
  };
  for (const [x, y] of finderPlaces(side)) clear(x, y, FINDER.ring);
  clear((side - cleared) / 2, (side - cleared) / 2, cleared);
  return { side, cells, solid: style === "dots" ? alignmentCells(version, cells) : null };
}

/** Alignment patterns stay solid among dots: drawn as dots themselves, a good decoder misses one in five. */
function alignmentCells(version: number, cells: Uint8Array): Uint8Array {
  const side = sideModules(version);
  const kept = new Uint8Array(cells.length);
  for (const [x, y] of alignmentPatterns(version)) {
    for (let row = y - ALIGNMENT_RADIUS; row <= y + ALIGNMENT_RADIUS; row++) {
      const start = row * side + x - ALIGNMENT_RADIUS;
      const end = start + 2 * ALIGNMENT_RADIUS + 1;
      kept.set(cells.subarray(start, end), start);
    }
  }
  return kept;
}

/** Top left modules of the three finder patterns. */
export function finderPlaces(side: number): [x: number, y: number][] {
  const far = side - FINDER.ring;
  return [
    [0, 0],
    [far, 0],
    [0, far],
  ];
}

/** Whether a dot and the one to its right are drawn as one. */
export function isJoined({ solid }: Dots, index: number): boolean {
  return solid === null || (solid[index] === 1 && solid[index + 1] === 1);
}

/** Which neighbours a dot touches, as bits, or {@link SOLID}. */
export function neighbourhood({ side, cells, solid }: Dots, x: number, y: number): number {
  const index = y * side + x;
  if (solid !== null) return solid[index] ? SOLID : 0;
  return (
    (x > 0 && cells[index - 1] ? LEFT : 0) |
    (y > 0 && cells[index - side] ? TOP : 0) |
    (x < side - 1 && cells[index + 1] ? RIGHT : 0) |
    (y < side - 1 && cells[index + side] ? BOTTOM : 0)
  );
}

const SQUARE: Corners = [0, 0, 0, 0];

/** The corners of a dot by its neighbourhood: where it touches no neighbour it may be round. */
export function roundCorners(style: DotStyle, neighbours: number, size: number): Corners {
  if (style === "square" || neighbours === SOLID) return SQUARE;
  const isFree = (sides: number) => (neighbours & sides) === 0;
  const isClassy = style === "classy" || style === "classy-rounded";
  const radius = size < CURVES_MIN_PIXELS ? 0.5 : freeRadius(style, neighbours);
  return [
    isFree(LEFT | TOP) ? radius : 0,
    isFree(TOP | RIGHT) && !isClassy ? radius : 0,
    isFree(RIGHT | BOTTOM) ? radius : 0,
    isFree(BOTTOM | LEFT) && !isClassy ? radius : 0,
  ];
}

function freeRadius(style: DotStyle, neighbours: number): number {
  if (style === "extra-rounded") return countBits(neighbours) === 2 ? 1 : 0.5;
  if (style === "classy-rounded") return neighbours === 0 ? 0.5 : 1;
  return 0.5;
}

function countBits(bits: number): number {
  return (bits & 1) + ((bits >> 1) & 1) + ((bits >> 2) & 1) + ((bits >> 3) & 1);
}
