import * as z from "zod";
import { queryInteger } from "../http/fields.ts";
import { designBody } from "./design.schema.ts";
import { FORMATS } from "./render.ts";

const SIZE_MIN = 1;
const SIZE_MAX = 50;
const SIZE_DEFAULT = 10;

const format = z.enum(FORMATS).default("svg");

export const linkQrQuery = z.strictObject({
  format,
  size: queryInteger(SIZE_MIN, SIZE_MAX, SIZE_DEFAULT),
  template_id: z.uuid({ error: "must be a UUID" }).optional(),
});

export const generateBody = z
  .strictObject({
    content: z.string().min(1).meta({ example: "https://example.com/" }),
    format,
    size: z.int().min(SIZE_MIN).max(SIZE_MAX).default(SIZE_DEFAULT),
    design: designBody.optional(),
  })
  .meta({
    example: {
      content: "https://example.com/",
      design: { foreground_color: "#0b5d51", dot_style: "rounded" },
    },
  });
