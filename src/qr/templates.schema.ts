import * as z from "zod";
import { boundedText, EXAMPLE_CREATED_AT, id, laterTimestamp, timestamp } from "../http/fields.ts";
import { trashedFields } from "../trash/trash.schema.ts";
import { designBody, designPatch } from "./design.schema.ts";

const NAME_MAX_LENGTH = 200;
const DESCRIPTION_MAX_LENGTH = 1_000;

const name = boundedText(1, NAME_MAX_LENGTH).meta({ example: "Brand" });
const description = boundedText(0, DESCRIPTION_MAX_LENGTH);

export const createTemplateBody = z
  .strictObject({
    name,
    description: description.optional(),
    design: designBody.optional(),
  })
  .meta({
    example: {
      name: "Brand",
      description: "Codes on menus",
      design: { foreground_color: "#0b5d51", dot_style: "rounded" },
    },
  });

export type NewTemplate = z.output<typeof createTemplateBody>;

export const updateTemplateBody = z
  .strictObject({ name, description, design: designPatch })
  .partial()
  .meta({ example: { design: { dot_style: "dots", logo_url: null } } });

export type TemplatePatch = z.output<typeof updateTemplateBody>;

/** Schema of a template in responses. */
export const templateResponse = z
  .object({
    id,
    name: z.string().meta({ example: "Brand" }),
    description: z.string().meta({ example: "Codes on menus" }),
    design: designBody,
    created_at: timestamp,
    updated_at: laterTimestamp,
    ...trashedFields,
  })
  .meta({ id: "QrTemplate" });

export type TemplateResponse = z.output<typeof templateResponse>;

/** Example fields that differ for a newly created template. */
export const NEW_TEMPLATE_EXAMPLE: Partial<TemplateResponse> = { updated_at: EXAMPLE_CREATED_AT };
