/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [number, number, number];

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/** Minimum contrast of text (WCAG 2.2, success criterion 1.4.3). */
export const TEXT_CONTRAST_MIN = 4.5;
/** Minimum contrast of the edge of a control (WCAG 2.2, success criterion 1.4.11). */
export const EDGE_CONTRAST_MIN = 3;

/** Returns true for colours in the format that the API accepts: `#RGB` or `#RRGGBB`. */
export function isHexColour(text: string): boolean {
  return HEX.test(text);
}

/** Parses `#RGB` or `#RRGGBB`. */
export function parseHexColour(hex: string): Rgb {
  const digits = hex.length === 4 ? hex.slice(1).replace(/./g, "$&$&") : hex.slice(1);
  const value = Number.parseInt(digits, 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

/** Formats a colour as `#rrggbb`. */
export function formatHexColour(colour: Rgb): string {
  return `#${colour.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** Returns the relative luminance as WCAG 2.2 defines it, from 0 (black) to 1 (white). */
export function getLuminance(hex: string): number {
  const [red, green, blue] = parseHexColour(hex).map(linearizeChannel) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the luma (ITU-R BT.601) from 0 (black) to 1 (white). Cameras convert colours to grey like this. */
export function getLuma(hex: string): number {
  const [red, green, blue] = parseHexColour(hex);
  return (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
}

/** Converts an sRGB channel (0 to 255) to linear light (0 to 1). */
function linearizeChannel(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** Returns the contrast ratio as WCAG 2.2 defines it, from 1 to 21. */
export function getContrastRatio(a: string, b: string): number {
  const [darker, lighter] = [getLuminance(a), getLuminance(b)].sort((one, other) => one - other) as [
    number,
    number,
  ];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Mixes two colours. `share` is the share of `to`, from 0 to 1. Returns `#rrggbb`. */
export function mixColours(from: string, to: string, share: number): string {
  const [start, end] = [parseHexColour(from), parseHexColour(to)];
  const channels = start.map((channel, i) => Math.round(channel + ((end[i] as number) - channel) * share));
  return formatHexColour(channels as unknown as Rgb);
}

/**
 * Returns the first candidate that is readable as text on all backgrounds. If none is, returns black or
 * white, whichever has the higher contrast on its worst background.
 */
export function pickReadableColour(backgrounds: readonly string[], ...candidates: readonly string[]): string {
  const getWorstContrast = (colour: string) =>
    Math.min(...backgrounds.map((background) => getContrastRatio(colour, background)));
  const readable = candidates.find((colour) => getWorstContrast(colour) >= TEXT_CONTRAST_MIN);
  return readable ?? (getWorstContrast("#ffffff") >= getWorstContrast("#000000") ? "#ffffff" : "#000000");
}

/**
 * Mixes `background` with `to` like {@link mixColours}, but reduces the share until all texts are readable on
 * the result. Returns `background` unchanged if even a tiny share is too much.
 */
export function tintBackground(background: string, to: string, share: number, ...texts: string[]): string {
  for (let portion = share; portion > 0.01; portion /= 1.5) {
    const tinted = mixColours(background, to, portion);
    if (texts.every((text) => getContrastRatio(tinted, text) >= TEXT_CONTRAST_MIN)) return tinted;
  }
  return background;
}
