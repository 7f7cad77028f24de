/** A colour as red, green and blue, 0 to 255 each. */
export type Color = readonly [number, number, number];

/** `#RGB` or `#RRGGBB`. */
export const HEX_COLOR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/** The colour that a text of the form {@link HEX_COLOR} names. */
export function parseColor(hex: string): Color {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join("") : hex.slice(1);
  const value = Number.parseInt(digits, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** `#rrggbb`: nothing that a client sent is in it. */
export function formatColor(color: Color): string {
  return `#${color.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

export function isSameColor(a: Color, b: Color): boolean {
  return a.every((part, index) => part === b[index]);
}

/** Relative luminance, 0 to 1 (WCAG 2.2). */
export function luminance(color: Color): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio, 1 to 21 (WCAG 2.2). */
export function contrast(a: Color, b: Color): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((one, other) => one - other) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}
