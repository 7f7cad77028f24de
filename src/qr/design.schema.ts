import * as z from "zod";
import { isHexColour } from "../core/colour.ts";
import "../http/validation.ts";
import { DESIGN_DEFAULTS } from "./design.ts";
import { CONTRAST_MIN } from "./design-problems.ts";
import {
  FRAME_STYLES,
  FRAME_TEXT_DEFAULT,
  FRAME_TEXT_MAX_LENGTH,
  FRAMED_QUIET_ZONE_MIN,
} from "./frame-style.ts";
import { LEVELS } from "./matrix.ts";
import { CORNER_STYLES, DOT_STYLES } from "./shape.ts";

const URL_MAX_LENGTH = 8_192;
const LOGO_SIZE_MIN = 0.1;
const LOGO_SIZE_MAX = 0.4;
const QUIET_ZONE_MAX = 20;

const hexColor = z
  .string()
  .refine(isHexColour, { error: "must be a colour such as #RGB or #RRGGBB" })
  .meta({ example: "#1a73e8" });

export const frameStyle = z
  .enum(FRAME_STYLES)
  .describe(
    "Shape of the frame: text below the code, a label below or above it, a border with a tab below, or a border with a speech balloon below.",
  );

export const frameText = z
  .string()
  .refine((text) => text.trim() !== "", { error: "must not be empty" })
  .max(FRAME_TEXT_MAX_LENGTH)
  .describe(
    `Call to action in Latin, Greek or Cyrillic letters, digits and punctuation. Long texts are drawn smaller. Default: ${FRAME_TEXT_DEFAULT}.`,
  )
  .meta({ example: "Scan me" });

export const frameColor = hexColor.describe(
  "Colour of the frame. Text on a label has `background_color`, or black or white if that is not readable. Default: `foreground_color`.",
);

const members = {
  foreground_color: hexColor.describe(
    `Colour of the dark modules. Its contrast ratio (WCAG 2.2) to the background must be at least ${CONTRAST_MIN}. ` +
      `Default: ${DESIGN_DEFAULTS.foreground_color}.`,
  ),
  background_color: hexColor.describe(
    `Colour of the light modules and the quiet zone. Default: ${DESIGN_DEFAULTS.background_color}.`,
  ),
  corner_color: hexColor.describe(
    "Colour of the finder patterns. It must have the same contrast as `foreground_color` and must not be much lighter or darker. " +
      "Default: `foreground_color`.",
  ),
  error_correction: z
    .enum(LEVELS)
    .describe(`Minimum error correction level. Default: ${DESIGN_DEFAULTS.error_correction}.`),
  dot_style: z.enum(DOT_STYLES).describe(`Shape of the dots. Default: ${DESIGN_DEFAULTS.dot_style}.`),
  corner_style: z
    .enum(CORNER_STYLES)
    .describe(`Shape of the finder patterns. Default: ${DESIGN_DEFAULTS.corner_style}.`),
  logo_url: z
    .string()
    .max(URL_MAX_LENGTH)
    .refine((text) => URL.canParse(text), { error: "must be a URL" })
    .describe(
      "URL of a PNG, JPEG, GIF or WebP image of at most 1 MiB and 4,096 pixels per side: " +
        "a public https URL, or the `public_url` of an asset, which is read from storage. A WebP image can have at most 360,000 pixels in total. In a PNG or PDF, other images can have at most 1,048,576 pixels, except a JPEG in a PDF, which can have more.",
    )
    // Sets no `format`, because URL.canParse accepts more than RFC 3986 allows, and responses return the
    // value as it was sent.
    .meta({ example: "https://example.com/logo.png" }),
  logo_size: z
    .number()
    .min(LOGO_SIZE_MIN)
    .max(LOGO_SIZE_MAX)
    .describe(
      `Width of the logo relative to the width of the symbol. Default: ${DESIGN_DEFAULTS.logo_size}.`,
    ),
  quiet_zone: z
    .int()
    .min(0)
    .max(QUIET_ZONE_MAX)
    .describe(
      `Width of the quiet zone in modules. Default: ${DESIGN_DEFAULTS.quiet_zone}. With a frame, it is at least ${FRAMED_QUIET_ZONE_MIN}.`,
    ),
  compact: z
    .boolean()
    .describe(
      "Makes QR codes of links smaller: they contain the short URL in upper case, which takes fewer modules. Has no effect on other content. " +
        `Default: ${DESIGN_DEFAULTS.compact}.`,
    ),
  frame: z
    .strictObject({
      style: frameStyle,
      text: frameText.optional(),
      color: frameColor.optional(),
    })
    .describe("Frame around the code with a call to action. The text is drawn as outlines.")
    .meta({ id: "QrFrame", example: { style: "label-below", text: "Scan me", color: "#0b5d51" } }),
};

/** Schema of a design in a request. Every member is optional. */
export const designBody = z
  .strictObject(members)
  .partial()
  .meta({ id: "QrDesign", example: { foreground_color: "#0b5d51", dot_style: "rounded" } });

/** Schema of a change to a design. A null removes the member. */
export const designPatch = z
  .strictObject({
    foreground_color: members.foreground_color.nullable(),
    background_color: members.background_color.nullable(),
    corner_color: members.corner_color.nullable(),
    error_correction: members.error_correction.nullable(),
    dot_style: members.dot_style.nullable(),
    corner_style: members.corner_style.nullable(),
    logo_url: members.logo_url.nullable(),
    logo_size: members.logo_size.nullable(),
    quiet_zone: members.quiet_zone.nullable(),
    compact: members.compact.nullable(),
    frame: members.frame.nullable(),
  })
  .partial();

export type DesignPatch = z.output<typeof designPatch>;
