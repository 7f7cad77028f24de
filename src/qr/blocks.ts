import { blockLayout, type Level, sideModules } from "./matrix.ts";

/**
 * What may be covered by a logo and still be read (decisions section 4). A symbol's codewords are dealt out to
 * Reed-Solomon blocks, and each block repairs at most half as many codewords as it has for repair. A square in the
 * centre damages every codeword it touches, whatever is drawn there.
 */

/** Share of a block's repair capacity that a logo may use up; the rest is left for dirt, light and the camera. */
export const DAMAGE_MAX = 0.7;

const FINDER_SIDE = 7;
/** A finder with its separator and the format information beside it. */
const CORNER_SIDE = 9;
const TIMING = 6;
const VERSION_INFO_FROM = 7;
const VERSION_INFO_LENGTH = 3;
/** Modules from the centre of an alignment pattern to its edge. */
export const ALIGNMENT_RADIUS = 2;

/** A module that holds no codeword: a pattern, format or version information, or a remainder bit. */
export const NO_CODEWORD = -1;

/** Centres of the alignment patterns, on both axes (ISO/IEC 18004 annex E). */
export function alignmentCentres(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const last = sideModules(version) - FINDER_SIDE;
  // The distances are even and equal, but for the first; version 32 is the standard's own exception.
  const step = version === 32 ? 26 : 2 * Math.ceil((last - TIMING) / (2 * (count - 1)));
  return [TIMING, ...Array.from({ length: count - 1 }, (_, index) => last - (count - 2 - index) * step)];
}

/** Which modules hold no data: 1 for each, row by row. */
export function functionModules(version: number): Uint8Array {
  const side = sideModules(version);
  const taken = new Uint8Array(side * side);
  const take = (left: number, top: number, width: number, height: number) => {
    for (let y = top; y < top + height; y++) taken.fill(1, y * side + left, y * side + left + width);
  };
  const far = side - CORNER_SIDE + 1;
  take(0, 0, CORNER_SIDE, CORNER_SIDE);
  take(far, 0, CORNER_SIDE - 1, CORNER_SIDE);
  take(0, far, CORNER_SIDE, CORNER_SIDE - 1);
  take(TIMING, 0, 1, side);
  take(0, TIMING, side, 1);
  if (version >= VERSION_INFO_FROM) {
    take(far - VERSION_INFO_LENGTH, 0, VERSION_INFO_LENGTH, TIMING);
    take(0, far - VERSION_INFO_LENGTH, TIMING, VERSION_INFO_LENGTH);
  }
  for (const [x, y] of alignmentPatterns(version)) {
    const width = 2 * ALIGNMENT_RADIUS + 1;
    take(x - ALIGNMENT_RADIUS, y - ALIGNMENT_RADIUS, width, width);
  }
  return taken;
}

/** Centres of the alignment patterns of a symbol. */
export function alignmentPatterns(version: number): [x: number, y: number][] {
  const centres = alignmentCentres(version);
  const last = centres.at(-1);
  const isFinder = (x: number, y: number) =>
    (x === TIMING && y === TIMING) || (x === TIMING && y === last) || (x === last && y === TIMING);
  return centres.flatMap((y) => centres.filter((x) => !isFinder(x, y)).map((x): [number, number] => [x, y]));
}

/** The codeword that each module belongs to, or {@link NO_CODEWORD} (ISO/IEC 18004 section 7.7.3). */
export function codewordsOfModules(version: number): Int16Array {
  const side = sideModules(version);
  const taken = functionModules(version);
  const codewords = new Int16Array(side * side).fill(NO_CODEWORD);
  const { codewords: count } = blockLayout(version, "L");
  let bit = 0;
  let isUpward = true;
  // Two columns at a time from the right, up and down in turn; the vertical timing pattern is no column.
  for (let right = side - 1; right > 0; right -= 2) {
    if (right === TIMING) right -= 1;
    for (let step = 0; step < side; step++) {
      const y = isUpward ? side - 1 - step : step;
      for (const x of [right, right - 1]) {
        const module = y * side + x;
        if (taken[module] || bit >= count * 8) continue;
        codewords[module] = bit >> 3;
        bit += 1;
      }
    }
    isUpward = !isUpward;
  }
  return codewords;
}

/** The block that a codeword belongs to, by its place in the interleaved sequence (ISO/IEC 18004 section 7.6). */
export function blockOfCodeword(version: number, level: Level, codeword: number): number {
  const { codewords, blocks, repairWords } = blockLayout(version, level);
  const longBlocks = codewords % blocks;
  const shortDataWords = Math.floor(codewords / blocks) - repairWords;
  const dealtEvenly = shortDataWords * blocks;
  if (codeword < dealtEvenly) return codeword % blocks;
  // The long blocks come last and have one data codeword more.
  if (codeword < dealtEvenly + longBlocks) return blocks - longBlocks + (codeword - dealtEvenly);
  return (codeword - dealtEvenly - longBlocks) % blocks;
}

/**
 * Modules a side of the square that a logo clears: the nearest odd number, as the square is of whole modules and in the
 * centre of a symbol whose side is odd.
 */
export function clearedSide(version: number, logoSize: number): number {
  const wanted = Math.ceil(sideModules(version) * logoSize - 1);
  return wanted % 2 === 1 ? wanted : wanted + 1;
}

/**
 * The codewords that a cleared square in the centre damages. Null where it covers what no error correction repairs and
 * a scanner needs to find its way: everything but codewords and inner alignment patterns.
 */
export function codewordsUnder(version: number, cleared: number): Set<number> | null {
  const side = sideModules(version);
  const start = (side - cleared) / 2;
  const end = start + cleared;
  // Timing and format information of the left and top reach as far in as these columns and rows; the last alignment
  // pattern is the one that scanners look for.
  if (start < CORNER_SIDE || (version > 1 && end > side - FINDER_SIDE - ALIGNMENT_RADIUS)) return null;
  const codewords = codewordsOfModules(version);
  const covered = new Set<number>();
  for (let y = start; y < end; y++) {
    for (const codeword of codewords.subarray(y * side + start, y * side + end)) {
      if (codeword !== NO_CODEWORD) covered.add(codeword);
    }
  }
  return covered;
}

/** How much of its repair capacity the worst hit block loses with these codewords damaged: 1 is all of it. */
export function measureDamage(version: number, level: Level, codewords: Iterable<number>): number {
  const { blocks, repairWords } = blockLayout(version, level);
  const hits = new Array<number>(blocks).fill(0);
  for (const codeword of codewords) {
    const block = blockOfCodeword(version, level, codeword);
    hits[block] = (hits[block] as number) + 1;
  }
  return Math.max(...hits) / Math.floor(repairWords / 2);
}

/** Whether a symbol with these codewords damaged is one that this service returns. */
export function isReadable(version: number, level: Level, codewords: Iterable<number>): boolean {
  return measureDamage(version, level, codewords) <= DAMAGE_MAX;
}
