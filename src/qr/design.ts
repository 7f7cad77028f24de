// Pure: no I/O, clock or randomness.
import { formatHexColour, parseHexColour } from "../core/colour.ts";
import { FRAME_TEXT_DEFAULT, FRAMED_QUIET_ZONE_MIN, type Frame, type FrameInput } from "./frame-style.ts";
import type { Level } from "./matrix.ts";
import type { CornerStyle, DotStyle } from "./shape.ts";

/** Design as stored in a template or sent in a request: only the members that were set. */
export interface DesignInput {
  foreground_color?: string | undefined;
  background_color?: string | undefined;
  corner_color?: string | undefined;
  error_correction?: Level | undefined;
  dot_style?: DotStyle | undefined;
  corner_style?: CornerStyle | undefined;
  logo_url?: string | undefined;
  logo_size?: number | undefined;
  quiet_zone?: number | undefined;
  compact?: boolean | undefined;
  frame?: FrameInput | undefined;
}

/** Design with a value for every member. */
export interface Design {
  /** `#rrggbb` */
  foreground: string;
  /** `#rrggbb` */
  background: string;
  /** Colour of the finder patterns as `#rrggbb`. */
  corner: string;
  level: Level;
  dotStyle: DotStyle;
  cornerStyle: CornerStyle;
  logoUrl: string | null;
  /** Side of the logo as a share of the symbol's side. */
  logoSize: number;
  /** Width of the quiet zone in modules. Inside a frame, at least {@link FRAMED_QUIET_ZONE_MIN}. */
  quietZone: number;
  /** True if codes of links contain the compact form of the short URL. Other content is encoded as it is. */
  isCompact: boolean;
  frame: Frame | null;
}

/** Defaults of members that aren't set. `corner_color` defaults to the value of `foreground_color`. */
export const DESIGN_DEFAULTS = {
  foreground_color: "#000000",
  background_color: "#FFFFFF",
  error_correction: "M",
  dot_style: "square",
  corner_style: "square",
  logo_size: 0.2,
  quiet_zone: 1,
  compact: false,
} as const satisfies DesignInput;

/** Fills in the default of every member that isn't set. */
export function resolveDesign(input: DesignInput): Design {
  const foreground = normalizeColour(input.foreground_color ?? DESIGN_DEFAULTS.foreground_color);
  return {
    foreground,
    background: normalizeColour(input.background_color ?? DESIGN_DEFAULTS.background_color),
    corner: normalizeColour(input.corner_color ?? foreground),
    level: input.error_correction ?? DESIGN_DEFAULTS.error_correction,
    dotStyle: input.dot_style ?? DESIGN_DEFAULTS.dot_style,
    cornerStyle: input.corner_style ?? DESIGN_DEFAULTS.corner_style,
    logoUrl: input.logo_url ?? null,
    logoSize: input.logo_size ?? DESIGN_DEFAULTS.logo_size,
    quietZone: Math.max(
      input.quiet_zone ?? DESIGN_DEFAULTS.quiet_zone,
      input.frame === undefined ? 0 : FRAMED_QUIET_ZONE_MIN,
    ),
    isCompact: input.compact ?? DESIGN_DEFAULTS.compact,
    frame: resolveFrame(input.frame, foreground),
  };
}

function resolveFrame(frame: FrameInput | undefined, foreground: string): Frame | null {
  if (frame === undefined) return null;
  const { style, text = FRAME_TEXT_DEFAULT, color = foreground } = frame;
  return { style, text: text.trim(), color: normalizeColour(color) };
}

/** Parses and formats a colour again, so that no text from a client gets into an image. */
function normalizeColour(hex: string): string {
  return formatHexColour(parseHexColour(hex));
}
