/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [number, number, number];

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/** Contrast that text needs to be read (WCAG 2.2, success criterion 1.4.3). */
export const TEXT_CONTRAST_MIN = 4.5;
/** Contrast that the edge of a control needs to be seen (WCAG 2.2, success criterion 1.4.11). */
export const EDGE_CONTRAST_MIN = 3;

/** Whether a text is a colour as this API takes them: `#RGB` or `#RRGGBB`. */
export function isHexColour(text: string): boolean {
  return HEX.test(text);
}

/** The colour that `#RGB` or `#RRGGBB` names. */
export function parseHexColour(hex: string): Rgb {
  const digits = hex.length === 4 ? hex.slice(1).replace(/./g, "$&$&") : hex.slice(1);
  const value = Number.parseInt(digits, 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

/** `#rrggbb`, the one form in which a colour goes out. */
export function formatHexColour(colour: Rgb): string {
  return `#${colour.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** Relative luminance, 0 (black) to 1 (white), as WCAG 2.2 defines it. */
export function luminance(hex: string): number {
  const [red, green, blue] = parseHexColour(hex).map(linear) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** Contrast ratio of two colours, 1 to 21, as WCAG 2.2 defines it. */
export function contrast(a: string, b: string): number {
  const [darker, lighter] = [luminance(a), luminance(b)].sort((one, other) => one - other) as [
    number,
    number,
  ];
  return (lighter + 0.05) / (darker + 0.05);
}

/** The colour that lies `share` (0 to 1) of the way from one to the other, as `#rrggbb`. */
export function mix(from: string, to: string, share: number): string {
  const [start, end] = [parseHexColour(from), parseHexColour(to)];
  const channels = start.map((channel, i) => Math.round(channel + ((end[i] as number) - channel) * share));
  return formatHexColour(channels as unknown as Rgb);
}

/** The first of `wishes` that can be read on all `grounds`; failing that, black or white, whichever reads better. */
export function readableOn(grounds: readonly string[], ...wishes: readonly string[]): string {
  const worst = (colour: string) => Math.min(...grounds.map((ground) => contrast(colour, ground)));
  const wished = wishes.find((colour) => worst(colour) >= TEXT_CONTRAST_MIN);
  return wished ?? (worst("#ffffff") >= worst("#000000") ? "#ffffff" : "#000000");
}

/** {@link mix}, but never so far that `text` could no longer be read on the result. */
export function tint(ground: string, to: string, share: number, text: string): string {
  for (let portion = share; portion > 0.01; portion /= 1.5) {
    const tinted = mix(ground, to, portion);
    if (contrast(tinted, text) >= TEXT_CONTRAST_MIN) return tinted;
  }
  return ground;
}
