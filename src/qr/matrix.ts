// Pure: no I/O, clock or randomness.
import { _BYTES, _ECC_BLOCKS, _WORDS_PER_BLOCK, type ErrorCorrection, encodeQR } from "qr";

/** Error correction levels, from the lowest to the highest. */
export const LEVELS = ["L", "M", "Q", "H"] as const;
export type Level = (typeof LEVELS)[number];

export const VERSION_MAX = 40;

/** Modules of a QR code symbol (ISO/IEC 18004). */
export interface Matrix {
  version: number;
  level: Level;
  /** Modules per side, without the quiet zone. */
  side: number;
  /** Modules row by row: 1 is dark, 0 is light. */
  modules: Uint8Array;
}

/** Division of a symbol's codewords into Reed-Solomon blocks. Each block repairs only its own codewords. */
export interface BlockLayout {
  codewords: number;
  blocks: number;
  /** Error correction codewords per block. A block can repair half as many damaged codewords. */
  correctionCodewords: number;
}

const LIBRARY_LEVELS: Record<Level, ErrorCorrection> = { L: "low", M: "medium", Q: "quartile", H: "high" };

const MODE_INDICATOR_BITS = 4;
const NUMERIC = /^\d*$/;
const ALPHANUMERIC = /^[0-9A-Z $%*+\-./:]*$/;

/** Bits of the character count indicator in versions 1–9, 10–26 and 27–40 (ISO/IEC 18004 table 3). */
const COUNT_BITS = { numeric: [10, 12, 14], alphanumeric: [9, 11, 13], byte: [8, 16, 16] } as const;

/** Returns the block layout of a version and level (ISO/IEC 18004 table 9). */
export function getBlockLayout(version: number, level: Level): BlockLayout {
  const libraryLevel = LIBRARY_LEVELS[level];
  return {
    codewords: _BYTES[version - 1] as number,
    blocks: _ECC_BLOCKS[libraryLevel][version - 1] as number,
    correctionCodewords: _WORDS_PER_BLOCK[libraryLevel][version - 1] as number,
  };
}

/** Returns the number of modules per side of a version, without the quiet zone. */
export function getSymbolSide(version: number): number {
  return 17 + 4 * version;
}

/** Returns true if a symbol of this version and level holds the content. */
export function canHold({ mode, bits }: ContentSize, version: number, level: Level): boolean {
  return bits <= countDataBits(mode, version, level);
}

/** Returns the bits that a symbol has for data, without the mode and character count indicators. */
export function countDataBits(mode: ContentSize["mode"], version: number, level: Level): number {
  const { codewords, blocks, correctionCodewords } = getBlockLayout(version, level);
  const countBits = COUNT_BITS[mode][version < 10 ? 0 : version < 27 ? 1 : 2];
  return (codewords - blocks * correctionCodewords) * 8 - MODE_INDICATOR_BITS - countBits;
}

/** Encoding mode of a text and the length of its data. */
export interface ContentSize {
  mode: keyof typeof COUNT_BITS;
  /** Data bits, excluding the mode and character count indicators. */
  bits: number;
}

/** Measures a text in the most compact mode that can encode it: numeric, alphanumeric or byte (UTF-8). */
export function measureContent(content: string): ContentSize {
  const { length } = content;
  if (NUMERIC.test(content)) {
    return { mode: "numeric", bits: Math.floor(length / 3) * 10 + ([0, 4, 7][length % 3] as number) };
  }
  if (ALPHANUMERIC.test(content)) {
    return { mode: "alphanumeric", bits: Math.floor(length / 2) * 11 + (length % 2) * 6 };
  }
  return { mode: "byte", bits: new TextEncoder().encode(content).byteLength * 8 };
}

/** Returns the smallest version that holds the content at a level, or null if it is too long. */
export function findSmallestVersion(content: ContentSize, level: Level): number | null {
  for (let version = 1; version <= VERSION_MAX; version++) {
    if (canHold(content, version, level)) return version;
  }
  return null;
}

/** Encodes content that fits into the version and level (see {@link canHold}). */
export function encodeContent(content: string, version: number, level: Level): Matrix {
  // The library requires a border of at least 1. It is removed here because the renderers draw the quiet
  // zone.
  const bordered = encodeQR(content, "raw", { version, ecc: LIBRARY_LEVELS[level], border: 1 });
  const side = getSymbolSide(version);
  const modules = new Uint8Array(side * side);
  for (let y = 0; y < side; y++) {
    const row = bordered[y + 1] as boolean[];
    for (let x = 0; x < side; x++) if (row[x + 1]) modules[y * side + x] = 1;
  }
  return { version, level, side, modules };
}
