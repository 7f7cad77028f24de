import { contrast, formatHexColour, luminance, parseHexColour } from "../core/colour.ts";
import type { Level } from "./matrix.ts";
import type { CornerStyle, DotStyle } from "./shape.ts";

/** A design as it is given: just the members that were set (contract section 2.3). */
export interface DesignInput {
  foreground_color?: string | undefined;
  background_color?: string | undefined;
  error_correction?: Level | undefined;
  dot_style?: DotStyle | undefined;
  corner_style?: CornerStyle | undefined;
  logo_url?: string | undefined;
  logo_size?: number | undefined;
  quiet_zone?: number | undefined;
}

/** A design with every member decided. */
export interface Design {
  /** `#rrggbb`, as the background. */
  foreground: string;
  background: string;
  level: Level;
  dotStyle: DotStyle;
  cornerStyle: CornerStyle;
  logoUrl: string | null;
  /** Share of the symbol's side. */
  logoSize: number;
  /** In modules. */
  quietZone: number;
}

/** The defaults of contract section 2.3. */
export const DESIGN_DEFAULTS = {
  foreground_color: "#000000",
  background_color: "#FFFFFF",
  error_correction: "M",
  dot_style: "square",
  corner_style: "square",
  logo_size: 0.2,
  quiet_zone: 1,
} as const satisfies DesignInput;

/** The design with the defaults where it says nothing. */
export function resolveDesign(input: DesignInput): Design {
  return {
    foreground: normalColour(input.foreground_color ?? DESIGN_DEFAULTS.foreground_color),
    background: normalColour(input.background_color ?? DESIGN_DEFAULTS.background_color),
    level: input.error_correction ?? DESIGN_DEFAULTS.error_correction,
    dotStyle: input.dot_style ?? DESIGN_DEFAULTS.dot_style,
    cornerStyle: input.corner_style ?? DESIGN_DEFAULTS.corner_style,
    logoUrl: input.logo_url ?? null,
    logoSize: input.logo_size ?? DESIGN_DEFAULTS.logo_size,
    quietZone: input.quiet_zone ?? DESIGN_DEFAULTS.quiet_zone,
  };
}

/** Written anew, so that nothing a client sent goes into a picture. */
function normalColour(hex: string): string {
  return formatHexColour(parseHexColour(hex));
}

const CONTRAST_MIN = 3;

/** What a scanner may dislike about a design (decisions section 4): the words of `X-QR-Warning`. */
export function listWarnings({ foreground, background, quietZone }: Design): string[] {
  return [
    ...(contrast(foreground, background) < CONTRAST_MIN ? ["low-contrast"] : []),
    ...(luminance(foreground) > luminance(background) ? ["light-on-dark"] : []),
    ...(quietZone === 0 ? ["no-quiet-zone"] : []),
  ];
}
