import { invalid } from "../core/error.ts";
import { clearedSide, codewordsUnder, isReadable } from "./blocks.ts";
import {
  blockLayout,
  type ContentSize,
  encode,
  holds,
  LEVELS,
  type Level,
  type Matrix,
  measure,
  smallestVersion,
  VERSION_MAX,
} from "./matrix.ts";

/** A symbol, and the place in its centre that is left to a logo: 0 modules a side without one. */
export interface QrSymbol {
  matrix: Matrix;
  /** Whole modules a side that are left out. */
  cleared: number;
  /** Modules a side of the square a logo is fitted into, no larger than what is left out. */
  logoSide: number;
}

/**
 * The smallest symbol for a content. With a logo of `logoSize` (share of the symbol's side) it is one that the logo
 * leaves readable: the level is raised, then the version, until every block repairs what is covered. Throws
 * `VALIDATION_ERROR` naming `content`, or `design.logo_size` if only the logo is too much.
 */
export function symbolFor(content: string, level: Level, logoSize: number | null): QrSymbol {
  const size = measure(content);
  const version = smallestVersion(size, level);
  if (version === null) throw tooLong(size, level);
  if (logoSize === null) return { matrix: encode(content, version, level), cleared: 0, logoSide: 0 };
  const choice = readableUnderLogo(size, version, level, logoSize);
  if (choice === null) {
    throw invalid({
      field: "design.logo_size",
      message: "must be smaller, or absent, for a content this long",
    });
  }
  const cleared = clearedSide(choice.version, logoSize);
  const matrix = encode(content, choice.version, choice.level);
  return { matrix, cleared, logoSide: Math.min(matrix.side * logoSize, cleared) };
}

function readableUnderLogo(
  size: ContentSize,
  fromVersion: number,
  fromLevel: Level,
  logoSize: number,
): { version: number; level: Level } | null {
  const levels = LEVELS.slice(LEVELS.indexOf(fromLevel));
  for (let version = fromVersion; version <= VERSION_MAX; version++) {
    const covered = codewordsUnder(version, clearedSide(version, logoSize));
    if (covered === null) continue;
    const level = levels.find((one) => holds(size, version, one) && isReadable(version, one, covered));
    if (level !== undefined) return { version, level };
  }
  return null;
}

const BITS_PER_CHARACTER = { numeric: 10 / 3, alphanumeric: 11 / 2, byte: 8 };

function tooLong(size: ContentSize, level: Level) {
  const { codewords, blocks, repairWords } = blockLayout(VERSION_MAX, level);
  const headerBits = 18;
  const capacityBits = (codewords - blocks * repairWords) * 8 - headerBits;
  const capacity = Math.floor(capacityBits / BITS_PER_CHARACTER[size.mode]);
  const unit = size.mode === "byte" ? "bytes of UTF-8" : `${size.mode} characters`;
  return invalid({
    field: "content",
    message: `must have at most ${capacity} ${unit} at error correction level ${level}`,
  });
}
