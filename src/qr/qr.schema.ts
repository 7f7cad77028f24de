import * as z from "zod";
import { queryInteger } from "../http/fields.ts";
import { designBody } from "./design.schema.ts";
import { FORMATS } from "./render.ts";

const SIZE_MIN = 1;
const SIZE_MAX = 50;
const SIZE_DEFAULT = 10;

const format = z.enum(FORMATS).default("svg").describe("Image format.");
const SIZE_DESCRIPTION = "Width of a module in pixels. In an SVG, these are CSS pixels.";

export const linkQrQuery = z.strictObject({
  format,
  size: queryInteger(SIZE_MIN, SIZE_MAX, SIZE_DEFAULT).describe(SIZE_DESCRIPTION),
  template_id: z
    .uuid({ error: "must be a UUID" })
    .optional()
    .describe("Template whose design is used. Default: black squares on white."),
});

export const generateBody = z
  .strictObject({
    content: z.string().min(1).meta({ example: "https://example.com/" }),
    format,
    size: z.int().min(SIZE_MIN).max(SIZE_MAX).default(SIZE_DEFAULT).describe(SIZE_DESCRIPTION),
    design: designBody.optional(),
  })
  .meta({
    example: {
      content: "https://example.com/",
      design: { foreground_color: "#0b5d51", dot_style: "rounded" },
    },
  });
