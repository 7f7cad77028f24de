// Pure: no I/O, clock or randomness.
import { MODULE_MIN_PX } from "../../../qr/image-size.ts";

/** Sizes of printed codes. */

/** Default width of the print preview, the same as the API's default for PDF files. */
export const PRINT_DEFAULT_MM = 40;
export const PRINT_MIN_MM = 10;
export const PRINT_MAX_MM = 200;
/** Smallest width that phones scan reliably. */
export const PRINT_RECOMMENDED_MM = 20;
/** Smallest module that office printers and phone cameras resolve. */
const MODULE_RECOMMENDED_MM = 0.4;
/** Maximum scanning distance, as a multiple of the code's width. */
const DISTANCE_FACTOR = 10;

/** Properties of a code printed at some width. */
export interface PrintFacts {
  moduleMm: number;
  /** Maximum distance from which phones scan the code. */
  distanceCm: number;
  /** Smallest recommended width for a code with this many modules. */
  recommendedMm: number;
  isSmall: boolean;
}

/**
 * Returns the properties of a code printed at `widthMm`. `modules` is the number of modules per side,
 * including the margin.
 */
export function judgePrint(widthMm: number, modules: number): PrintFacts {
  const recommendedMm = Math.max(PRINT_RECOMMENDED_MM, Math.ceil(modules * MODULE_RECOMMENDED_MM));
  return {
    moduleMm: Math.round((widthMm / modules) * 100) / 100,
    distanceCm: Math.round((widthMm * DISTANCE_FACTOR) / 10),
    recommendedMm,
    isSmall: widthMm < recommendedMm,
  };
}

/** Reads the width from the page's URL. Returns the default if it is missing or out of range. */
export function readPrintWidth(query: string): number {
  const value = Number(new URLSearchParams(query).get("mm") ?? Number.NaN);
  return value >= PRINT_MIN_MM && value <= PRINT_MAX_MM ? value : PRINT_DEFAULT_MM;
}

/** Widths of PNG files in pixels. */
export const PNG_WIDTHS = [512, 1_024, 2_048, 4_096] as const;

/**
 * Returns the widths in which the API renders a PNG, which depend on the logo, the frame and the number of modules.
 * `modules` is the width of the image.
 */
export function listPngWidths(modules: number, moduleMaxPx: number): number[] {
  const largest = (moduleMaxPx + 1) * modules - 1;
  const fitting = PNG_WIDTHS.filter((width) => width >= modules * MODULE_MIN_PX && width <= largest);
  const cut = PNG_WIDTHS.some((width) => width > largest) ? [Math.min(largest, PNG_WIDTHS[3])] : [];
  return [...new Set([...fitting, ...cut])];
}
