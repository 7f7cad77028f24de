// Pure: no I/O, clock or randomness.
import { ALIGNMENT_RADIUS, FINDER_SIDE, locateAlignmentPatterns } from "./blocks.ts";
import type { QrSymbol } from "./symbol.ts";

/** Defines the geometry of a QR code in modules, shared by all renderers. */

export const DOT_STYLES = ["square", "rounded", "dots", "classy", "classy-rounded", "extra-rounded"] as const;
export type DotStyle = (typeof DOT_STYLES)[number];

export const CORNER_STYLES = ["square", "rounded", "dot", "extra-rounded"] as const;
export type CornerStyle = (typeof CORNER_STYLES)[number];

/** Radii of a shape's corners, in modules: top left, top right, bottom right, bottom left. */
export type CornerRadii = readonly [number, number, number, number];

/** Box with rounded corners, in modules from the symbol's top left module. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
  corners: CornerRadii;
}

/** Returns true if a box is a circle with a diameter of one module. */
export function isDot({ width, corners }: Box): boolean {
  return width === 1 && corners.every((radius) => radius === 0.5);
}

/**
 * Concentric squares by which scanners find a symbol: a dark ring, a light hole and a dark centre. All sizes
 * are in modules.
 */
export interface TargetPattern {
  sides: { ring: number; hole: number; centre: number };
  /** Corner radius of each square. */
  radii: { ring: number; hole: number; centre: number };
}

const FINDER_SIDES = { ring: FINDER_SIDE, hole: 5, centre: 3 } as const;

/** Modules per side of an alignment pattern. */
const ALIGNMENT_SIDE = 2 * ALIGNMENT_RADIUS + 1;
const ALIGNMENT_SIDES = { ring: ALIGNMENT_SIDE, hole: 3, centre: 1 } as const;

/**
 * Corner radii of finder patterns. These patterns are never drawn as separate dots, because scanners look for
 * their solid lines.
 */
const FINDER_RADII: Record<CornerStyle, TargetPattern["radii"]> = {
  square: { ring: 0, hole: 0, centre: 0 },
  rounded: { ring: 1.5, hole: 0.75, centre: 0.75 },
  "extra-rounded": { ring: 2.5, hole: 1.5, centre: 1 },
  dot: { ring: 3.5, hole: 2.5, centre: 1.5 },
};

/**
 * Minimum pixels per module for wide curves. With fewer pixels, scanners don't find codes with wide curves.
 */
const CURVES_MIN_PIXELS = 3;

/** Returns the shape of the finder patterns for a style at `size` pixels per module. */
export function getFinderPattern(style: CornerStyle, size: number): TargetPattern {
  return { sides: FINDER_SIDES, radii: FINDER_RADII[size < CURVES_MIN_PIXELS ? "square" : style] };
}

/**
 * Styles whose alignment patterns are drawn as a whole. In other styles, their modules are drawn like all
 * others.
 */
const WHOLE_ALIGNMENT_STYLES: readonly DotStyle[] = ["square", "dots"];

/** Returns the shape of alignment patterns that are drawn as a whole: circles for the "dots" style. */
export function getAlignmentPattern(style: DotStyle, size: number): TargetPattern {
  const { ring, hole, centre } = ALIGNMENT_SIDES;
  const roundness = style === "square" || size < CURVES_MIN_PIXELS ? 0 : 0.5;
  return {
    sides: ALIGNMENT_SIDES,
    radii: { ring: ring * roundness, hole: hole * roundness, centre: centre * roundness },
  };
}

/** Lists the three squares of a pattern at a top left module. The hole is light, the others are dark. */
export function listPatternBoxes({ sides, radii }: TargetPattern, left: number, top: number): Box[] {
  return (["ring", "hole", "centre"] as const).map((part) => {
    const inset = (sides.ring - sides[part]) / 2;
    const [width, radius] = [sides[part], radii[part]];
    return {
      left: left + inset,
      top: top + inset,
      width,
      height: width,
      corners: [radius, radius, radius, radius],
    };
  });
}

/** Bits for the dark neighbours of a module. */
export const LEFT = 1;
export const TOP = 2;
export const RIGHT = 4;
export const BOTTOM = 8;
/** Number of combinations of dark neighbours. */
export const NEIGHBOURHOOD_COUNT = 16;

/** Modules that are drawn as dots, without the finder patterns and the cleared square. */
export interface Dots {
  side: number;
  /** Modules row by row: 1 is a dot. */
  cells: Uint8Array;
  /** True in styles that join neighbouring dots. */
  isJoined: boolean;
  /**
   * Top left modules of alignment patterns that are drawn as a whole and therefore aren't in `cells`. If
   * these patterns were drawn as separate dots, decoders would miss one code in five. In an SVG, a ring and a
   * centre also take fewer characters than dots.
   */
  alignmentPatterns: [x: number, y: number][];
}

/** Selects the modules of a symbol that are drawn as dots. */
export function layOutDots(symbol: QrSymbol, style: DotStyle): Dots {
  const { side } = symbol.matrix;
  const cells = clearLogoModules(symbol);
  const isWhole = WHOLE_ALIGNMENT_STYLES.includes(style);
  const alignmentPatterns = isWhole ? locateFreeAlignmentPatterns(symbol) : [];
  for (const [x, y] of locateFinderPatterns(side)) clearSquare(cells, side, x, y, FINDER_SIDE);
  for (const [x, y] of alignmentPatterns) clearSquare(cells, side, x, y, ALIGNMENT_SIDE);
  return { side, cells, isJoined: style !== "dots", alignmentPatterns };
}

/** Returns a copy of a symbol's modules with the square for the logo made light. */
export function clearLogoModules({ matrix: { modules, side }, clearedSide }: QrSymbol): Uint8Array {
  const cells = modules.slice();
  const start = (side - clearedSide) / 2;
  clearSquare(cells, side, start, start, clearedSide);
  return cells;
}

function clearSquare(cells: Uint8Array, side: number, left: number, top: number, width: number): void {
  for (let y = top; y < top + width; y++) cells.fill(0, y * side + left, y * side + left + width);
}

/** Returns the top left modules of the alignment patterns that don't touch the square for the logo. */
function locateFreeAlignmentPatterns({ matrix, clearedSide }: QrSymbol): [x: number, y: number][] {
  const start = (matrix.side - clearedSide) / 2;
  const end = start + clearedSide;
  const isCleared = (from: number) => clearedSide > 0 && from < end && from + ALIGNMENT_SIDE > start;
  return locateAlignmentPatterns(matrix.version)
    .map(([x, y]): [number, number] => [x - ALIGNMENT_RADIUS, y - ALIGNMENT_RADIUS])
    .filter(([x, y]) => !(isCleared(x) && isCleared(y)));
}

/** Returns the top left modules of the three finder patterns. */
export function locateFinderPatterns(side: number): [x: number, y: number][] {
  const far = side - FINDER_SIDE;
  return [
    [0, 0],
    [far, 0],
    [0, far],
  ];
}

/** Lists the squares of the three finder patterns for a style at `size` pixels per module. */
export function listFinderBoxes(side: number, style: CornerStyle, size: number): Box[] {
  const pattern = getFinderPattern(style, size);
  return locateFinderPatterns(side).flatMap(([x, y]) => listPatternBoxes(pattern, x, y));
}

/**
 * Calls `visit` with the boxes that draw the dots, at `size` pixels per module: one box for each run of
 * joined dots in a row, and the squares of alignment patterns that are drawn as a whole. A point covered by
 * an even number of boxes is light.
 */
export function forEachDotBox(dots: Dots, style: DotStyle, size: number, visit: (box: Box) => void): void {
  const { side, cells, isJoined, alignmentPatterns } = dots;
  for (let top = 0; top < side; top++) {
    for (let x = 0; x < side; x++) {
      if (!cells[top * side + x]) continue;
      const left = x;
      while (isJoined && x + 1 < side && cells[top * side + x + 1]) x++;
      // The dots at both ends of a run determine its corners.
      const [topLeft, , , bottomLeft] = roundCorners(style, findNeighbours(dots, left, top), size);
      const [, topRight, bottomRight] = roundCorners(style, findNeighbours(dots, x, top), size);
      const corners = [topLeft, topRight, bottomRight, bottomLeft] as const;
      visit({ left, top, width: x - left + 1, height: 1, corners });
    }
  }
  const pattern = getAlignmentPattern(style, size);
  for (const [x, y] of alignmentPatterns) for (const box of listPatternBoxes(pattern, x, y)) visit(box);
}

/** Returns the neighbours that a dot is joined to, as bits. */
export function findNeighbours({ side, cells, isJoined }: Dots, x: number, y: number): number {
  if (!isJoined) return 0;
  const index = y * side + x;
  return (
    (x > 0 && cells[index - 1] ? LEFT : 0) |
    (y > 0 && cells[index - side] ? TOP : 0) |
    (x < side - 1 && cells[index + 1] ? RIGHT : 0) |
    (y < side - 1 && cells[index + side] ? BOTTOM : 0)
  );
}

const SQUARE: CornerRadii = [0, 0, 0, 0];

/** Returns the corner radii of a dot. A corner is only rounded if no neighbour is joined there. */
export function roundCorners(style: DotStyle, neighbours: number, size: number): CornerRadii {
  if (style === "square") return SQUARE;
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
