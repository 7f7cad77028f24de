import * as z from "zod";
import { optionalQueryInteger, optionalQueryNumber, queryBoolean } from "../http/fields.ts";
import { structuredContent } from "./content.schema.ts";
import { designBody, frameColor, frameStyle, frameText } from "./design.schema.ts";
import {
  FORMATS,
  findSizeProblems,
  type ImageInput,
  SIZE_DEFAULT,
  SIZE_MAX,
  SIZE_MIN,
  WIDTH_MAX,
  WIDTH_MIN,
  WIDTH_MM_DEFAULT,
  WIDTH_MM_MAX,
  WIDTH_MM_MIN,
} from "./image-size.ts";

const format = z.enum(FORMATS).default("svg").describe("Image format.");

// Mentions the defaults only in the descriptions. As `default` keywords they would make generated clients
// send all three.
const SIZE_DESCRIPTION = `Width of a module in pixels, for SVG and PNG. In an SVG, these are CSS pixels. Default: ${SIZE_DEFAULT}, unless \`width\` is set. In a PNG, the logo can be at most 512 pixels wide, which lowers the maximum.`;
const WIDTH_DESCRIPTION =
  "Width of the whole image in pixels, for SVG and PNG, instead of `size`. In a PNG, each module has the largest whole number of pixels possible, at least 2, and the remaining pixels widen the quiet zone. In a PNG, the logo can be at most 512 pixels wide, which limits `width` to about 2,500 with `logo_size` 0.2, and to about 1,300 with 0.4.";
const WIDTH_MM_DESCRIPTION = `Width of the page in millimetres, for PDF. Default: ${WIDTH_MM_DEFAULT}.`;

/** Adds issues for sizes that don't apply to the format or contradict each other. */
function checkSize(input: ImageInput, context: z.RefinementCtx): void {
  for (const { field, message } of findSizeProblems(input)) {
    context.addIssue({ code: "custom", path: [field], message });
  }
}

export const linkQrQuery = z
  .strictObject({
    format,
    size: optionalQueryInteger(SIZE_MIN, SIZE_MAX).describe(SIZE_DESCRIPTION),
    width: optionalQueryInteger(WIDTH_MIN, WIDTH_MAX).describe(WIDTH_DESCRIPTION),
    width_mm: optionalQueryNumber(WIDTH_MM_MIN, WIDTH_MM_MAX).describe(WIDTH_MM_DESCRIPTION),
    template_id: z
      .uuid({ error: "must be a UUID" })
      .optional()
      .describe(
        "Template with the design to use. Default: the link's `qr_template_id`, or black squares on white if it is null or deleted.",
      ),
    compact: queryBoolean
      .optional()
      .describe(
        "Encodes the short URL in upper case, which takes fewer modules and opens the same link: `HTTPS://GO.EXAMPLE.COM/AB12CD3`. If the short code has no lower-case letter, the path gets a trailing slash. Default: `compact` of the template's design, or false.",
      ),
    frame_style: frameStyle
      .optional()
      .describe("Style of a frame around the code, in place of the template's frame."),
    frame_text: frameText.optional(),
    frame_color: frameColor.optional(),
  })
  .superRefine(checkSize)
  .superRefine(({ frame_style, frame_text, frame_color }, context) => {
    if (frame_style !== undefined) return;
    for (const [field, value] of Object.entries({ frame_text, frame_color })) {
      if (value !== undefined)
        context.addIssue({ code: "custom", path: [field], message: "needs frame_style" });
    }
  });

export const generateBody = z
  .strictObject({
    content: z
      .union([z.string().min(1), structuredContent], {
        error: ({ input }) =>
          input === undefined ? "is required" : "must be a string, or an object with a type",
      })
      .describe(
        "Text, or an object for a Wi-Fi login, contact, email, phone number, text message, place or event.",
      )
      .meta({ example: "https://example.com/" }),
    format,
    size: z.int().min(SIZE_MIN).max(SIZE_MAX).optional().describe(SIZE_DESCRIPTION),
    width: z.int().min(WIDTH_MIN).max(WIDTH_MAX).optional().describe(WIDTH_DESCRIPTION),
    width_mm: z.number().min(WIDTH_MM_MIN).max(WIDTH_MM_MAX).optional().describe(WIDTH_MM_DESCRIPTION),
    template_id: z
      .uuid({ error: "must be a UUID" })
      .optional()
      .describe("Template with the design to use. Members of `design` replace its members."),
    design: designBody.optional(),
  })
  .superRefine(checkSize)
  .meta({
    example: {
      content: "https://example.com/",
      width: 512,
      design: { foreground_color: "#0b5d51", dot_style: "rounded" },
    },
  });
