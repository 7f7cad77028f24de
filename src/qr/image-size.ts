// Pure: no I/O, clock or randomness.
import type { FieldProblem } from "../core/error.ts";

/** Image formats, and the sizes that a request may set. */

export const FORMATS = ["svg", "png", "pdf"] as const;
export type Format = (typeof FORMATS)[number];

/** Limits of `size`: pixels per module. */
export const SIZE_MIN = 1;
export const SIZE_MAX = 50;
export const SIZE_DEFAULT = 10;

/** Limits of `width`: pixels per side of the image. */
export const WIDTH_MIN = 64;
export const WIDTH_MAX = 4_096;
/** Minimum pixels per module in an image of a given width. */
export const MODULE_MIN_PX = 2;

/** Limits of `width_mm`: millimetres per side of the page. */
export const WIDTH_MM_MIN = 10;
export const WIDTH_MM_MAX = 1_000;
export const WIDTH_MM_DEFAULT = 40;

/**
 * Maximum pixels per side of a logo in a PNG, and of a PNG with a frame in total. With more pixels, a PNG takes more than
 * 100 ms, because logos and frames can't be composed of repeated tiles like the rest.
 */
const LOGO_SIDE_MAX_PX = 512;
const FRAMED_PIXELS_MAX = 6_000_000;

/**
 * Returns the maximum pixels per module of a PNG. `logoSide` is the logo's side in modules, or 0 without a logo.
 * `framed` is the size of the image in modules, or null without a frame.
 */
export function findModuleMaxPx(logoSide: number, framed: { width: number; height: number } | null): number {
  return Math.min(
    logoSide === 0 ? Number.POSITIVE_INFINITY : Math.floor(LOGO_SIDE_MAX_PX / logoSide),
    framed === null
      ? Number.POSITIVE_INFINITY
      : Math.floor(Math.sqrt(FRAMED_PIXELS_MAX / (framed.width * framed.height))),
  );
}

/**
 * Maximum pixels per side to which a logo is decoded, because each pixel takes time to decode and compress.
 * In a PNG with a larger logo, the pixels are scaled up. In a PDF of 70 mm with the largest logo, this gives
 * 300 pixels per inch.
 */
export const LOGO_DECODED_SIDE_MAX = 300;

/** Format and size of an image in a request. */
export interface ImageInput {
  format: Format;
  size?: number | undefined;
  width?: number | undefined;
  width_mm?: number | undefined;
}

/** Returns problems for sizes that don't apply to the format or contradict each other. */
export function findSizeProblems({ format, size, width, width_mm }: ImageInput): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (format === "pdf") {
    const message = "does not apply to format pdf; use width_mm";
    if (size !== undefined) problems.push({ field: "size", message });
    if (width !== undefined) problems.push({ field: "width", message });
  } else {
    if (size !== undefined && width !== undefined)
      problems.push({ field: "width", message: "must not be combined with size" });
    if (width_mm !== undefined)
      problems.push({ field: "width_mm", message: `only applies to format pdf, not to ${format}` });
  }
  return problems;
}
