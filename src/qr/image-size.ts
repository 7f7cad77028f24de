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
