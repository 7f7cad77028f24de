// Pure: no I/O, clock or randomness.
import { parseHexColour, type Rgb } from "../core/colour.ts";

/** Shares of cyan, magenta, yellow and black ink, 0 to 1. */
export type Cmyk = readonly [cyan: number, magenta: number, yellow: number, black: number];

/**
 * Converts a colour to process inks without a colour profile: K = 1 − max(R, G, B), and C = (1 − R − K) / (1 − K),
 * likewise M and Y, with channels from 0 to 1. So black and greys are black ink only, which printers print sharp:
 * three other inks below it would have to match exactly.
 */
export function convertToInks([red, green, blue]: Rgb): Cmyk {
  const brightest = Math.max(red, green, blue);
  if (brightest === 0) return [0, 0, 0, 1];
  return [1 - red / brightest, 1 - green / brightest, 1 - blue / brightest, 1 - brightest / 255];
}

/** Converts `#RGB` or `#RRGGBB` with {@link convertToInks}. */
export function parseInks(hex: string): Cmyk {
  return convertToInks(parseHexColour(hex));
}
