// Pure: no I/O, clock or randomness.
import { getBlockLayout, getSymbolSide, type Level } from "./matrix.ts";

/**
 * Computes how much damage a logo does to a QR code. The codewords of a symbol are interleaved over
 * Reed-Solomon blocks, and each block can repair at most half as many codewords as it has error correction
 * codewords. Every codeword that the cleared square in the centre touches counts as damaged, whatever is
 * drawn there.
 */

/**
 * Maximum share of a block's repair capacity that a logo may use. The rest is left for dirt, poor light and
 * blurry cameras.
 */
export const DAMAGE_MAX = 0.7;

/** Modules per side of a finder pattern. */
export const FINDER_SIDE = 7;
/** Modules per side of a corner: finder pattern, separator and format information. */
const CORNER_SIDE = 9;
/** Row and column of the timing patterns. */
const TIMING_INDEX = 6;
const VERSION_INFO_FROM = 7;
const VERSION_INFO_LENGTH = 3;
/** Modules from the centre of an alignment pattern to its edge. */
export const ALIGNMENT_RADIUS = 2;

/** Marks a module without a codeword: function pattern, format or version information, remainder bit. */
export const NO_CODEWORD = -1;

/** Returns the row and column coordinates of the alignment pattern centres (ISO/IEC 18004 annex E). */
export function computeAlignmentCentres(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const last = getSymbolSide(version) - FINDER_SIDE;
  // All distances between centres are even, and all except the first are equal. The standard makes an
  // exception for version 32.
  const step = version === 32 ? 26 : 2 * Math.ceil((last - TIMING_INDEX) / (2 * (count - 1)));
  return [
    TIMING_INDEX,
    ...Array.from({ length: count - 1 }, (_, index) => last - (count - 2 - index) * step),
  ];
}

/** Marks the modules without data, row by row: 1 for function patterns, format and version information. */
export function markFunctionModules(version: number): Uint8Array {
  const side = getSymbolSide(version);
  const marked = new Uint8Array(side * side);
  const mark = (left: number, top: number, width: number, height: number) => {
    for (let y = top; y < top + height; y++) marked.fill(1, y * side + left, y * side + left + width);
  };
  const far = side - CORNER_SIDE + 1;
  mark(0, 0, CORNER_SIDE, CORNER_SIDE);
  mark(far, 0, CORNER_SIDE - 1, CORNER_SIDE);
  mark(0, far, CORNER_SIDE, CORNER_SIDE - 1);
  mark(TIMING_INDEX, 0, 1, side);
  mark(0, TIMING_INDEX, side, 1);
  if (version >= VERSION_INFO_FROM) {
    mark(far - VERSION_INFO_LENGTH, 0, VERSION_INFO_LENGTH, TIMING_INDEX);
    mark(0, far - VERSION_INFO_LENGTH, TIMING_INDEX, VERSION_INFO_LENGTH);
  }
  for (const [x, y] of locateAlignmentPatterns(version)) {
    const width = 2 * ALIGNMENT_RADIUS + 1;
    mark(x - ALIGNMENT_RADIUS, y - ALIGNMENT_RADIUS, width, width);
  }
  return marked;
}

/** Returns the centres of a symbol's alignment patterns. */
export function locateAlignmentPatterns(version: number): [x: number, y: number][] {
  const centres = computeAlignmentCentres(version);
  const last = centres.at(-1);
  const isInFinder = (x: number, y: number) =>
    (x === TIMING_INDEX && y === TIMING_INDEX) ||
    (x === TIMING_INDEX && y === last) ||
    (x === last && y === TIMING_INDEX);
  return centres.flatMap((y) =>
    centres.filter((x) => !isInFinder(x, y)).map((x): [number, number] => [x, y]),
  );
}

/** Returns the codeword that each module belongs to, or {@link NO_CODEWORD} (ISO/IEC 18004 section 7.7.3). */
export function mapModulesToCodewords(version: number): Int16Array {
  const side = getSymbolSide(version);
  const functionModules = markFunctionModules(version);
  const codewords = new Int16Array(side * side).fill(NO_CODEWORD);
  const { codewords: count } = getBlockLayout(version, "L");
  let bit = 0;
  let isUpward = true;
  // Goes through pairs of columns from the right, alternately upwards and downwards, and skips the column of
  // the timing pattern.
  for (let right = side - 1; right > 0; right -= 2) {
    if (right === TIMING_INDEX) right -= 1;
    for (let step = 0; step < side; step++) {
      const y = isUpward ? side - 1 - step : step;
      for (const x of [right, right - 1]) {
        const module = y * side + x;
        if (functionModules[module] || bit >= count * 8) continue;
        codewords[module] = bit >> 3;
        bit += 1;
      }
    }
    isUpward = !isUpward;
  }
  return codewords;
}

/** Returns the block of a codeword at an index in the interleaved sequence (ISO/IEC 18004 section 7.6). */
export function findCodewordBlock(version: number, level: Level, codeword: number): number {
  const { codewords, blocks, correctionCodewords } = getBlockLayout(version, level);
  const longBlocks = codewords % blocks;
  const shortDataCodewords = Math.floor(codewords / blocks) - correctionCodewords;
  const evenlyInterleaved = shortDataCodewords * blocks;
  if (codeword < evenlyInterleaved) return codeword % blocks;
  // The long blocks come last. Each has one more data codeword.
  if (codeword < evenlyInterleaved + longBlocks) return blocks - longBlocks + (codeword - evenlyInterleaved);
  return (codeword - evenlyInterleaved - longBlocks) % blocks;
}

/**
 * Returns the modules per side of the square that is cleared for a logo: the odd number nearest to the logo's
 * side. It is odd because a symbol's side is odd and the square is centred on whole modules.
 */
export function computeClearedSide(version: number, logoSize: number): number {
  const side = Math.ceil(getSymbolSide(version) * logoSize - 1);
  return side % 2 === 1 ? side : side + 1;
}

/**
 * Returns the codewords that a cleared square in the centre damages. Returns null if the square covers a
 * function pattern other than an inner alignment pattern, because scanners need function patterns and error
 * correction doesn't repair them.
 */
export function findCoveredCodewords(version: number, clearedSide: number): Set<number> | null {
  const side = getSymbolSide(version);
  const start = (side - clearedSide) / 2;
  const end = start + clearedSide;
  // The first rows and columns hold timing patterns and format information. At the lower right is the
  // alignment pattern that scanners look for. Version 1 has no alignment pattern, and no room for a logo.
  if (start < CORNER_SIDE || end > side - FINDER_SIDE - ALIGNMENT_RADIUS) return null;
  const codewords = mapModulesToCodewords(version);
  const covered = new Set<number>();
  for (let y = start; y < end; y++) {
    for (const codeword of codewords.subarray(y * side + start, y * side + end)) {
      if (codeword !== NO_CODEWORD) covered.add(codeword);
    }
  }
  return covered;
}

/**
 * Finds the block that these damaged codewords harm most, and returns the used share of that block's repair
 * capacity. A symbol can be decoded if the share is at most 1.
 */
export function measureDamage(version: number, level: Level, codewords: Iterable<number>): number {
  const { blocks, correctionCodewords } = getBlockLayout(version, level);
  const damaged = new Array<number>(blocks).fill(0);
  for (const codeword of codewords) {
    const block = findCodewordBlock(version, level, codeword);
    damaged[block] = (damaged[block] as number) + 1;
  }
  return Math.max(...damaged) / Math.floor(correctionCodewords / 2);
}

/** Returns true if a symbol stays readable, with some reserve, when these codewords are damaged. */
export function isReadable(version: number, level: Level, codewords: Iterable<number>): boolean {
  return measureDamage(version, level, codewords) <= DAMAGE_MAX;
}
