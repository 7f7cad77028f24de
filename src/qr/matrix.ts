import { _BYTES, _ECC_BLOCKS, _WORDS_PER_BLOCK, type ErrorCorrection, encodeQR } from "qr";

/** Levels of error correction, from the one that repairs least to the one that repairs most. */
export const LEVELS = ["L", "M", "Q", "H"] as const;
export type Level = (typeof LEVELS)[number];

export const VERSION_MAX = 40;

/** A QR code symbol (ISO/IEC 18004). */
export interface Matrix {
  version: number;
  level: Level;
  /** Modules a side, without quiet zone. */
  side: number;
  /** 1 where a module is dark; row by row. */
  modules: Uint8Array;
}

/** How the codewords of a symbol are divided: every block repairs its own. */
export interface BlockLayout {
  codewords: number;
  blocks: number;
  /** Codewords of each block that repair; half as many damaged ones can be put right. */
  repairWords: number;
}

const NAMES: Record<Level, ErrorCorrection> = { L: "low", M: "medium", Q: "quartile", H: "high" };

const MODE_INDICATOR_BITS = 4;
const NUMERIC = /^\d*$/;
const ALPHANUMERIC = /^[0-9A-Z $%*+\-./:]*$/;

/** Bits of the character count in versions 1 to 9, 10 to 26 and 27 to 40 (ISO/IEC 18004 table 3). */
const COUNT_BITS = { numeric: [10, 12, 14], alphanumeric: [9, 11, 13], byte: [8, 16, 16] } as const;

/** The blocks of a symbol (ISO/IEC 18004 table 9). */
export function blockLayout(version: number, level: Level): BlockLayout {
  const name = NAMES[level];
  return {
    codewords: _BYTES[version - 1] as number,
    blocks: _ECC_BLOCKS[name][version - 1] as number,
    repairWords: _WORDS_PER_BLOCK[name][version - 1] as number,
  };
}

/** Modules a side of a version. */
export function sideModules(version: number): number {
  return 17 + 4 * version;
}

/** Whether a symbol holds the content, in the shortest of the numeric, alphanumeric and byte (UTF-8) modes. */
export function holds(content: ContentSize, version: number, level: Level): boolean {
  const { codewords, blocks, repairWords } = blockLayout(version, level);
  const countBits = COUNT_BITS[content.mode][version < 10 ? 0 : version < 27 ? 1 : 2];
  return MODE_INDICATOR_BITS + countBits + content.bits <= (codewords - blocks * repairWords) * 8;
}

/** What a content needs in a symbol. */
export interface ContentSize {
  mode: keyof typeof COUNT_BITS;
  bits: number;
}

/** Mode and length of a content, in bits without mode indicator and count. */
export function measure(content: string): ContentSize {
  const { length } = content;
  if (NUMERIC.test(content)) {
    return { mode: "numeric", bits: Math.floor(length / 3) * 10 + ([0, 4, 7][length % 3] as number) };
  }
  if (ALPHANUMERIC.test(content)) {
    return { mode: "alphanumeric", bits: Math.floor(length / 2) * 11 + (length % 2) * 6 };
  }
  return { mode: "byte", bits: new TextEncoder().encode(content).byteLength * 8 };
}

/** The smallest version that holds the content at a level, or null if none does. */
export function smallestVersion(content: ContentSize, level: Level): number | null {
  for (let version = 1; version <= VERSION_MAX; version++) {
    if (holds(content, version, level)) return version;
  }
  return null;
}

/** The symbol of a content that it {@link holds}. */
export function encode(content: string, version: number, level: Level): Matrix {
  // A border is demanded, but not wanted here: the quiet zone is drawn, not encoded.
  const bordered = encodeQR(content, "raw", { version, ecc: NAMES[level], border: 1 });
  const side = sideModules(version);
  const modules = new Uint8Array(side * side);
  for (let y = 0; y < side; y++) {
    const row = bordered[y + 1] as boolean[];
    for (let x = 0; x < side; x++) if (row[x + 1]) modules[y * side + x] = 1;
  }
  return { version, level, side, modules };
}
