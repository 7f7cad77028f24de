import * as z from "zod";
import { boundedText, dateTime, pageQuery, queryBoolean } from "../http/fields.ts";
import { isReservedSlug, SLUG_MAX_LENGTH, SLUG_MIN_LENGTH, SLUG_PATTERN } from "../routing/short-code.ts";
import { inputShape, label } from "./link-input.ts";
import { linkResponse } from "./link-response.ts";

const BULK_LINKS_MAX = 100;
const BULK_IDS_MAX = 200;
const SEARCH_MAX_LENGTH = 256;

const customSlug = z
  .string()
  .min(SLUG_MIN_LENGTH)
  .max(SLUG_MAX_LENGTH)
  .regex(SLUG_PATTERN, { error: "must have only letters, digits and hyphens" })
  .refine((slug) => !isReservedSlug(slug), { error: "is reserved" })
  .meta({ example: "summer-sale" });

const { url, enabled: _, ...optionalShape } = inputShape;

/** Body of a creation, and item of a bulk creation. */
export const createLinkBody = z
  .strictObject({
    url,
    custom_slug: customSlug
      .optional()
      .describe("Short code of the link. If absent, a code of 7 characters is generated."),
    ...z.object(optionalShape).partial().shape,
    expires_at: dateTime
      .optional()
      .describe("Time from which the short address returns 410. A past time is accepted."),
  })
  .meta({
    id: "NewLink",
    example: { url: "https://example.com/sale", custom_slug: "summer-sale", labels: ["print"] },
  });

export type NewLink = z.output<typeof createLinkBody>;

export const updateLinkBody = z
  .strictObject(inputShape)
  .partial()
  .meta({ example: { labels: ["print", "2027"], expires_at: "2027-09-01T00:00:00Z" } });

export type LinkPatch = z.output<typeof updateLinkBody>;

/** Body of a bulk creation. Its items are validated one by one, since a faulty item does not stop the others. */
export const bulkCreateBody = z
  .strictObject({
    links: z
      .array(z.unknown().meta({ $ref: "#/components/schemas/NewLink" }))
      .min(1)
      .max(BULK_LINKS_MAX),
  })
  .meta({ example: { links: [{ url: "https://example.com/a" }, { url: "https://example.com/b" }] } });

export const bulkStatusBody = z.strictObject({
  ids: z
    .array(z.uuid({ error: "must be a UUID" }).toLowerCase())
    .min(1)
    .max(BULK_IDS_MAX),
  enabled: z.boolean(),
});

export const listLinksQuery = z.strictObject({
  ...pageQuery,
  label: label.optional().describe("Returns only links with this label."),
  enabled: queryBoolean.optional().describe("Returns only enabled links, or only disabled ones."),
  search: boundedText(1, SEARCH_MAX_LENGTH)
    .optional()
    .describe("Returns only links whose short code or destination contains this text."),
});

export type LinkFilter = Omit<z.output<typeof listLinksQuery>, "limit" | "offset">;

const bulkErrorCodes = [
  "conflict",
  "validation_error",
  "plan_limit_exceeded",
  "feature_not_available",
] as const;

export const bulkCreateResponse = z.object({
  created: z.array(linkResponse),
  errors: z.array(
    z
      .object({
        index: z.int().describe("Index of the faulty item, from 0."),
        error: z.enum(bulkErrorCodes),
        message: z.string().meta({ example: "The slug summer-sale is taken." }),
      })
      .meta({ id: "BulkError" }),
  ),
});

export type BulkError = z.output<typeof bulkCreateResponse>["errors"][number];

export const bulkStatusResponse = z.object({ updated: z.int() });
