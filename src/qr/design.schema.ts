import * as z from "zod";
import { isHexColour } from "../core/colour.ts";
import type { FieldFault } from "../core/error.ts";
import "../http/validation.ts";
import { DESIGN_DEFAULTS, type DesignInput, resolveDesign } from "./design.ts";
import { LEVELS } from "./matrix.ts";
import { CORNER_STYLES, DOT_STYLES } from "./shape.ts";

const URL_MAX_LENGTH = 8_192;
const LOGO_SIZE_MIN = 0.1;
const LOGO_SIZE_MAX = 0.4;
const QUIET_ZONE_MAX = 20;

const hexColor = z
  .string()
  .refine(isHexColour, { error: "must be a colour as #RGB or #RRGGBB" })
  .meta({ example: "#1a73e8" });

const members = {
  foreground_color: hexColor.describe(`Colour of the dots; ${DESIGN_DEFAULTS.foreground_color} by default.`),
  background_color: hexColor.describe(`${DESIGN_DEFAULTS.background_color} by default.`),
  error_correction: z.enum(LEVELS).describe(`${DESIGN_DEFAULTS.error_correction} by default.`),
  dot_style: z.enum(DOT_STYLES).describe(`${DESIGN_DEFAULTS.dot_style} by default.`),
  corner_style: z.enum(CORNER_STYLES).describe(`${DESIGN_DEFAULTS.corner_style} by default.`),
  logo_url: z
    .string()
    .max(URL_MAX_LENGTH)
    .refine((text) => URL.canParse(text), { error: "must be a URL" })
    .describe("A PNG, JPEG, GIF or WebP of at most 1 MiB and 4,096 pixels a side.")
    // No `format`: what URL.canParse takes is more than RFC 3986 has, and it is answered as it was sent.
    .meta({ example: "https://example.com/logo.png" }),
  logo_size: z
    .number()
    .min(LOGO_SIZE_MIN)
    .max(LOGO_SIZE_MAX)
    .describe(`Share of the symbol's side; ${DESIGN_DEFAULTS.logo_size} by default.`),
  quiet_zone: z
    .int()
    .min(0)
    .max(QUIET_ZONE_MAX)
    .describe(`In modules; ${DESIGN_DEFAULTS.quiet_zone} by default.`),
};

/** A design as it is sent (contract section 2.3): every member optional. */
export const designBody = z
  .strictObject(members)
  .partial()
  .meta({ id: "QrDesign", example: { foreground_color: "#0b5d51", dot_style: "rounded" } });

/** A change of a design: null removes a member. */
export const designPatch = z
  .strictObject({
    foreground_color: members.foreground_color.nullable(),
    background_color: members.background_color.nullable(),
    error_correction: members.error_correction.nullable(),
    dot_style: members.dot_style.nullable(),
    corner_style: members.corner_style.nullable(),
    logo_url: members.logo_url.nullable(),
    logo_size: members.logo_size.nullable(),
    quiet_zone: members.quiet_zone.nullable(),
  })
  .partial();

export type DesignPatch = z.output<typeof designPatch>;

/** The fault of a design whose dots could not be told from its background. */
export function colorFault(design: DesignInput): FieldFault | null {
  const { foreground, background } = resolveDesign(design);
  return foreground === background
    ? { field: "design.foreground_color", message: "must differ from background_color" }
    : null;
}
