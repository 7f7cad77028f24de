import * as z from "zod";
import { boundedText, dateTime, id, pageQuery, queryBoolean, timestamp } from "../http/fields.ts";
import { isReservedSlug, SLUG_MAX_LENGTH, SLUG_MIN_LENGTH, SLUG_PATTERN } from "../routing/short-code.ts";
import { destinationUrl } from "./destination.schema.ts";
import { routingRules } from "./rules.schema.ts";

const LABELS_MAX = 10;
const LABEL_MAX_LENGTH = 64;
const BULK_LINKS_MAX = 100;
const BULK_IDS_MAX = 200;
const SEARCH_MAX_LENGTH = 256;

const label = z.string().trim().min(1).max(LABEL_MAX_LENGTH);

const labels = z
  .array(label)
  .max(LABELS_MAX)
  .transform((given) => [...new Set(given)]);

const customSlug = z
  .string()
  .min(SLUG_MIN_LENGTH)
  .max(SLUG_MAX_LENGTH)
  .regex(SLUG_PATTERN, { error: "must have only letters, digits and hyphens" })
  .refine((slug) => !isReservedSlug(slug), { error: "is reserved" })
  .meta({ example: "summer-sale" });

/** Body of create link, and an item of bulk create. */
export const createLinkBody = z
  .strictObject({
    url: destinationUrl,
    custom_slug: customSlug
      .optional()
      .describe("The short code; 7 characters are generated where it is absent."),
    labels: labels.optional(),
    routing_rules: routingRules.optional(),
    expires_at: dateTime.optional().describe("From then on the link answers 410."),
  })
  .meta({
    id: "NewLink",
    example: { url: "https://example.com/sale", custom_slug: "summer-sale", labels: ["print"] },
  });

export type NewLink = z.output<typeof createLinkBody>;

export const updateLinkBody = z
  .strictObject({
    url: destinationUrl,
    labels,
    enabled: z.boolean(),
    routing_rules: routingRules,
    expires_at: dateTime.nullable(),
  })
  .partial()
  .meta({ example: { labels: ["print", "2027"], expires_at: "2027-09-01T00:00:00Z" } });

export type LinkPatch = z.output<typeof updateLinkBody>;

/** The items are validated one by one, since a faulty one does not stop the others. */
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
  label: label.optional().describe("Only links with this label."),
  enabled: queryBoolean.optional().describe("Only links that are enabled, or only those that are not."),
  search: boundedText(1, SEARCH_MAX_LENGTH).optional().describe("Part of the code or of the destination."),
});

export type LinkFilter = Omit<z.output<typeof listLinksQuery>, "limit" | "offset">;

const routingRule = z
  .object({
    name: z.string().optional(),
    when: z.record(z.string(), z.unknown()),
    destination: z.string(),
  })
  .meta({
    id: "RoutingRule",
    description: "As it was sent, with codes and times in one spelling.",
    example: { when: { country: ["CA"] }, destination: "https://example.ca/" },
  });

/** A link as it is answered (contract section 2.2). */
export const linkResponse = z
  .object({
    id,
    short_url: z.url().meta({ example: "https://go.example.com/summer-sale" }),
    short_code: z.string().meta({ example: "summer-sale" }),
    destination: z.string().meta({ example: "https://example.com/sale" }),
    enabled: z.boolean(),
    labels: z.array(z.string()).meta({ example: ["print"] }),
    routing_rules: z.array(routingRule).meta({ example: [] }),
    scan_count: z.int(),
    last_scan_at: timestamp.nullable(),
    expires_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Link" });

export type LinkResponse = z.output<typeof linkResponse>;

const bulkErrors = ["conflict", "validation_error", "plan_limit_exceeded", "feature_not_available"] as const;

export const bulkCreateResponse = z.object({
  created: z.array(linkResponse),
  errors: z.array(
    z
      .object({
        index: z.int().describe("Place of the faulty item, from 0."),
        error: z.enum(bulkErrors),
        message: z.string().meta({ example: "The slug summer-sale is taken." }),
      })
      .meta({ id: "BulkError" }),
  ),
});

export type BulkError = z.output<typeof bulkCreateResponse>["errors"][number];

export const bulkStatusResponse = z.object({ updated: z.int() });
