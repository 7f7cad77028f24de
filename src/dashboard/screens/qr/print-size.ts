/** Sizes of a code on paper. */

/** Width of the preview for print that is offered first, as the service prints a page unless told otherwise. */
export const PRINT_DEFAULT_MM = 40;
export const PRINT_MIN_MM = 10;
export const PRINT_MAX_MM = 200;
/** Smallest width of a code that phones read without trouble. */
export const PRINT_RECOMMENDED_MM = 20;
/** Smallest module that office printers and cameras tell apart. */
const MODULE_RECOMMENDED_MM = 0.4;
/** Distance from which a code can be read, as a multiple of its width. */
const DISTANCE_FACTOR = 10;

/** Meaning of a printed width. */
export interface PrintFacts {
  moduleMm: number;
  /** Distance up to which phones read the code. */
  distanceCm: number;
  /** Smallest width that is large enough for a code with so many modules. */
  recommendedMm: number;
  isSmall: boolean;
}

/** Returns what a width in millimetres means for a code with `modules` per side, the margin included. */
export function judgePrint(widthMm: number, modules: number): PrintFacts {
  const recommendedMm = Math.max(PRINT_RECOMMENDED_MM, Math.ceil(modules * MODULE_RECOMMENDED_MM));
  return {
    moduleMm: Math.round((widthMm / modules) * 100) / 100,
    distanceCm: Math.round((widthMm * DISTANCE_FACTOR) / 10),
    recommendedMm,
    isSmall: widthMm < recommendedMm,
  };
}

/** Reads the width of the address. A width out of range, or none, is the default. */
export function readPrintWidth(query: string): number {
  const value = Number(new URLSearchParams(query).get("mm") ?? Number.NaN);
  return value >= PRINT_MIN_MM && value <= PRINT_MAX_MM ? value : PRINT_DEFAULT_MM;
}

/** Widths of PNG files in pixels. */
export const PNG_WIDTHS = [512, 1_024, 2_048, 4_096] as const;
/** Pixels per side of the logo in a PNG, and per module of the code, at most and at least. */
const LOGO_MAX_PX = 512;
const MODULE_MIN_PX = 2;

/** Returns the widths in which the service renders a PNG: a logo limits the largest, many modules the smallest. */
export function listPngWidths(modules: number, logoSide: number): number[] {
  const largest =
    logoSide === 0 ? Number.POSITIVE_INFINITY : (Math.floor(LOGO_MAX_PX / logoSide) + 1) * modules - 1;
  const fitting = PNG_WIDTHS.filter((width) => width >= modules * MODULE_MIN_PX && width <= largest);
  const cut = PNG_WIDTHS.some((width) => width > largest) ? [Math.min(largest, PNG_WIDTHS[3])] : [];
  return [...new Set([...fitting, ...cut])];
}
