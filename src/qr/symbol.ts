// Pure: no I/O, clock or randomness.
import { type ApiError, createValidationError } from "../core/error.ts";
import { computeClearedSide, findCoveredCodewords, isReadable } from "./blocks.ts";
import {
  type ContentSize,
  canHold,
  countDataBits,
  encodeContent,
  findSmallestVersion,
  LEVELS,
  type Level,
  type Matrix,
  measureContent,
  VERSION_MAX,
} from "./matrix.ts";

/** QR code symbol and the central square that is cleared for a logo. Without a logo, both sides are 0. */
export interface QrSymbol {
  /** Text that the symbol contains. */
  content: string;
  matrix: Matrix;
  /** Modules per side of the cleared square. A whole number. */
  clearedSide: number;
  /** Modules per side of the square into which the logo is fitted. At most `clearedSide`. */
  logoSide: number;
}

/**
 * Returns the smallest symbol that holds the content. `logoSize` is the logo's share of the symbol's side, or
 * null without a logo. With a logo, raises the error correction level first and then the version, until every
 * Reed-Solomon block can repair the codewords that the logo covers. Throws `VALIDATION_ERROR` for `content`,
 * or for `design.logo_size` if the content fits but the logo doesn't.
 */
export function buildSymbol(content: string, level: Level, logoSize: number | null): QrSymbol {
  const size = measureContent(content);
  const version = findSmallestVersion(size, level);
  if (version === null) throw createContentTooLongError(size, level);
  if (logoSize === null) {
    return { content, matrix: encodeContent(content, version, level), clearedSide: 0, logoSide: 0 };
  }
  const choice = findReadableSymbol(size, version, level, logoSize);
  if (choice === null) {
    throw createValidationError({
      field: "design.logo_size",
      message: "must be smaller for content of this length; alternatively, omit the logo",
    });
  }
  const clearedSide = computeClearedSide(choice.version, logoSize);
  const matrix = encodeContent(content, choice.version, choice.level);
  return { content, matrix, clearedSide, logoSide: Math.min(matrix.side * logoSize, clearedSide) };
}

function findReadableSymbol(
  size: ContentSize,
  fromVersion: number,
  fromLevel: Level,
  logoSize: number,
): { version: number; level: Level } | null {
  const levels = LEVELS.slice(LEVELS.indexOf(fromLevel));
  for (let version = fromVersion; version <= VERSION_MAX; version++) {
    const covered = findCoveredCodewords(version, computeClearedSide(version, logoSize));
    if (covered === null) continue;
    const level = levels.find(
      (candidate) => canHold(size, version, candidate) && isReadable(version, candidate, covered),
    );
    if (level !== undefined) return { version, level };
  }
  return null;
}

const BITS_PER_CHARACTER = { numeric: 10 / 3, alphanumeric: 11 / 2, byte: 8 };

function createContentTooLongError(size: ContentSize, level: Level): ApiError {
  const capacity = Math.floor(countDataBits(size.mode, VERSION_MAX, level) / BITS_PER_CHARACTER[size.mode]);
  const unit = size.mode === "byte" ? "bytes of UTF-8" : `${size.mode} characters`;
  return createValidationError({
    field: "content",
    message: `must have at most ${capacity} ${unit} at error correction level ${level}`,
  });
}
