import * as z from "zod";
import { isJsonObject } from "../core/json-object.ts";
import { boundedText, cursorQuery, dateTime, EXAMPLE_ID, queryBoolean } from "../http/fields.ts";
import { ALIAS_MAX_LENGTH } from "../routing/alias.ts";
import { parseCodeList } from "../routing/code-list.ts";
import { isReservedSlug, SLUG_MAX_LENGTH, SLUG_MIN_LENGTH, SLUG_PATTERN } from "../routing/short-code.ts";
import { deletedQuery } from "../trash/trash.schema.ts";
import { EXAMPLE_EXTERNAL_ID, inputShape, label } from "./link-input.ts";
import { EXTERNAL_ID_MAX_LENGTH } from "./link-limits.ts";
import { linkResponse } from "./link-response.ts";

const BULK_LINKS_MAX = 100;
const BULK_IDS_MAX = 200;
const SEARCH_MAX_LENGTH = 256;
const DOMAIN_MAX_LENGTH = 253;
const CODES_MAX = 100;
const CODES_MAX_LENGTH = CODES_MAX * (ALIAS_MAX_LENGTH + 1);

const customSlug = z
  .string()
  .min(SLUG_MIN_LENGTH)
  .max(SLUG_MAX_LENGTH)
  .regex(SLUG_PATTERN, { error: "must only contain letters, digits and hyphens" })
  .refine((slug) => !isReservedSlug(slug), { error: ({ input }) => `"${input}" is reserved` })
  .meta({ example: "summer-sale" });

export const createdAt = dateTime
  .refine((timeMs) => timeMs >= 0, { error: "must not be before 1970" })
  .describe(
    "Time at which an imported link was created. Lists are ordered by this time. A time up to 5 minutes in the future, from a clock that is ahead, becomes the current time. A later time is rejected.",
  )
  .meta({ example: "2024-05-01T12:00:00Z" });

/** Destination of a link. Both names mean the same field. */
interface Destination {
  url?: string | undefined;
  destination?: string | undefined;
}

const { url, destination, enabled: _, ...optionalShape } = inputShape;

function isUnambiguous({ url, destination }: Destination): boolean {
  return url === undefined || destination === undefined || url === destination;
}

const UNAMBIGUOUS = {
  path: ["destination"],
  error: "must equal url, because both set the destination",
};

function hasDestination({ url, destination }: Destination): boolean {
  return url !== undefined || destination !== undefined;
}

function hasOnePassword({
  password,
  password_hash,
}: {
  password?: unknown;
  password_hash?: unknown;
}): boolean {
  return password == null || password_hash === undefined;
}

const ONE_PASSWORD = { path: ["password_hash"], error: "must not be combined with password" };

const DESTINATION_REQUIRED = {
  path: ["url"],
  error: "is required",
  // The error is reported even if other fields are invalid, but not if the body isn't an object.
  when: ({ value }: z.core.ParsePayload) => isJsonObject(value),
};

/** Body of a creation, and item of a bulk creation. */
export const createLinkBody = z
  .strictObject({
    url: url.optional(),
    destination: destination.optional(),
    custom_slug: customSlug
      .optional()
      .describe("Short code of the link. Default: a generated code of 7 characters."),
    ...z.object(optionalShape).partial().shape,
    expires_at: dateTime
      .optional()
      .describe("Time from which the short URL returns 410. It may be in the past."),
    created_at: createdAt.optional(),
  })
  .refine(hasDestination, DESTINATION_REQUIRED)
  .refine(isUnambiguous, UNAMBIGUOUS)
  .refine(hasOnePassword, ONE_PASSWORD)
  .meta({
    id: "NewLink",
    anyOf: [{ required: ["url"] }, { required: ["destination"] }],
    example: { url: "https://example.com/sale", custom_slug: "summer-sale", labels: ["print"] },
  });

export type NewLink = z.output<typeof createLinkBody>;

const { password_hash: _hash, ...changeableShape } = inputShape;

export const updateLinkBody = z
  .strictObject({
    ...changeableShape,
    custom_slug: customSlug.describe(
      "New short code. The old one becomes an alias, so that what is printed keeps working.",
    ),
    keep_old_code: z
      .boolean()
      .describe("False if the old short code should stop working. Only with `custom_slug`."),
  })
  .partial()
  .refine(isUnambiguous, UNAMBIGUOUS)
  .refine(({ keep_old_code, custom_slug }) => keep_old_code === undefined || custom_slug !== undefined, {
    path: ["keep_old_code"],
    error: "requires custom_slug",
  })
  .meta({ example: { labels: ["print", "2027"], expires_at: "2027-09-01T00:00:00Z" } });

export type LinkPatch = z.output<typeof updateLinkBody>;

/** Body of a restoration. Its values replace those that other links have taken. */
export const restoreLinkBody = z
  .strictObject({
    custom_slug: customSlug.describe("Short code in place of the deleted link's code."),
    aliases: changeableShape.aliases.describe("Aliases in place of the deleted link's aliases."),
    external_id: changeableShape.external_id.describe("ID in place of the deleted link's `external_id`."),
  })
  .partial()
  .meta({ example: { custom_slug: "summer-sale" } });

export type LinkRestoration = z.output<typeof restoreLinkBody>;

/** Path parameters of operations on a link with an id of the caller. */
export const externalIdParams = z.object({
  external_id: boundedText(1, EXTERNAL_ID_MAX_LENGTH)
    .refine((text) => text.isWellFormed() && !text.includes("\0"), {
      error: "must not contain lone surrogates or null characters",
    })
    .describe("ID of the link in your own system.")
    .meta({ example: EXAMPLE_EXTERNAL_ID }),
});

/**
 * Body of a bulk creation. Items are validated one by one later, so that an invalid item doesn't stop the
 * others.
 */
export const bulkCreateBody = z
  .strictObject({
    links: z
      .array(z.unknown().meta({ $ref: "#/components/schemas/NewLink" }))
      .min(1)
      .max(BULK_LINKS_MAX),
  })
  .meta({
    example: {
      links: [
        { url: "https://example.com/sale", custom_slug: "summer-sale", labels: ["print"] },
        { url: "https://example.com/menu.pdf", custom_slug: "menu" },
      ],
    },
  });

/** Item of a bulk update. */
export const linkUpdate = updateLinkBody
  .safeExtend({ id: z.uuid({ error: "must be a UUID" }).toLowerCase() })
  .meta({ id: "LinkUpdate", example: { id: EXAMPLE_ID, labels: ["print", "2027"] } });

/** Body of a bulk update. Items are validated one by one later, like the items of a bulk creation. */
export const bulkUpdateBody = z
  .strictObject({
    links: z
      .array(z.unknown().meta({ $ref: "#/components/schemas/LinkUpdate" }))
      .min(1)
      .max(BULK_LINKS_MAX),
  })
  .meta({ example: { links: [{ id: EXAMPLE_ID, labels: ["print", "2027"] }] } });

export const bulkStatusBody = z.strictObject({
  ids: z
    .array(z.uuid({ error: "must be a UUID" }).toLowerCase())
    .min(1)
    .max(BULK_IDS_MAX),
  enabled: z.boolean(),
});

/** Sort orders of lists of links. */
export const LINK_SORTS = ["created_at", "scan_count", "last_scan_at"] as const;

export type LinkSort = (typeof LINK_SORTS)[number];

const codes = z
  .string()
  .max(CODES_MAX_LENGTH)
  .normalize("NFC")
  .transform(parseCodeList)
  .refine((codes) => codes.length <= CODES_MAX, {
    error: `must have at most ${CODES_MAX} short codes`,
  })
  .refine((codes) => codes.every((code) => code !== "" && code.length <= ALIAS_MAX_LENGTH), {
    error: `must contain short codes or aliases of 1 to ${ALIAS_MAX_LENGTH} characters, separated by commas`,
  })
  .optional()
  .describe(
    "Returns only links with one of these short codes or aliases. Separate them with commas, at most 100. In an alias, write a comma as `\\,` and a backslash as `\\\\`. Short codes are not case-sensitive, aliases are. Cannot be combined with `sort`. Use `archived=all` to include archived links.",
  )
  .meta({ example: "summer-sale,menu" });

const moment = (text: string) => dateTime.optional().describe(text);

/** Digits of the rank at the start of a sorted list's cursor. Enough for counts and times. */
export const RANK_DIGITS = 15;
/** Cursor of a list: a link id, or `next_before` of a sorted list, which starts with a rank. */
const CURSOR = new RegExp(`^(?:\\d{${RANK_DIGITS}}\\.)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`, "i");

export const listLinksQuery = z.strictObject({
  ...cursorQuery,
  ...deletedQuery,
  before: z
    .string()
    .regex(CURSOR, { error: "must be a UUID, or the `next_before` of a sorted list" })
    .toLowerCase()
    .optional()
    .describe(
      "Returns only links older than the link with this ID, which may be deleted. With `sort`, use the `next_before` of the previous page.",
    )
    .meta({ example: EXAMPLE_ID }),
  codes,
  external_id: boundedText(1, EXTERNAL_ID_MAX_LENGTH)
    .optional()
    .describe("Returns only the link with this `external_id`. Cannot be combined with `sort`."),
  label: label.optional().describe("Returns only links with this label."),
  enabled: queryBoolean.optional().describe("Returns only enabled or only disabled links."),
  archived: z
    .enum(["false", "true", "all"])
    .default("false")
    .describe("`true` returns only archived links, `all` returns archived links together with the others."),
  domain: boundedText(1, DOMAIN_MAX_LENGTH)
    .toLowerCase()
    .optional()
    .describe(
      "Returns only links whose destination is on this host or one of its subdomains. Destinations of routing rules are not considered. There is no filter by short domain, because every domain of a workspace serves all its links.",
    )
    .meta({ example: "example.com" }),
  destination_status: z
    .enum(["ok", "broken"])
    .optional()
    .describe("Returns only links whose destination has this status."),
  created_after: moment("Returns only links created at this time or later."),
  created_before: moment("Returns only links created before this time."),
  search: boundedText(1, SEARCH_MAX_LENGTH)
    .optional()
    .describe(
      "Returns only links whose short code, destination, title or aliases contain this text. The letters A to Z are not case-sensitive. Only the first 1,024 characters of a destination are searched. One or two letters A to Z, digits or hyphens only match the start of the short code and of aliases. With one or two other characters, such as 日本, a page examines 700 links.",
    ),
  sort: z
    .enum(LINK_SORTS)
    .default("created_at")
    .describe(
      "Order of the list, highest first. The order across pages is approximate: scan counts are grouped in steps of 25 percent, and last scans by UTC day. Within a page, the order is exact.",
    ),
});

export type LinkFilter = Omit<z.output<typeof listLinksQuery>, keyof typeof cursorQuery | "deleted">;

/** Error codes of single items in a bulk creation. */
export const BULK_ERROR_CODES = [
  "conflict",
  "validation_error",
  "plan_limit_exceeded",
  "feature_not_available",
] as const;

/** Error codes of single items in a bulk update. */
export const BULK_UPDATE_ERROR_CODES = [
  "not_found",
  "link_banned",
  "conflict",
  "validation_error",
  "feature_not_available",
] as const;

function buildErrors<const Codes extends readonly string[]>(id: string, codes: Codes, message: string) {
  const item = z.object({
    index: z.int().describe("Index of the invalid item, starting at 0.").meta({ example: 1 }),
    error: z.enum(codes),
    message: z.string().meta({ example: message }),
  });
  return z.array(item.meta({ id }));
}

export const bulkCreateResponse = z.object({
  created: z.array(linkResponse),
  errors: buildErrors(
    "BulkError",
    BULK_ERROR_CODES,
    "custom_slug: menu is already used by another link in this workspace",
  ),
});

export type BulkError = z.output<typeof bulkCreateResponse>["errors"][number];

export const bulkUpdateResponse = z.object({
  updated: z.array(linkResponse),
  errors: buildErrors(
    "BulkUpdateError",
    BULK_UPDATE_ERROR_CODES,
    "links[1]: The link does not exist in this workspace.",
  ),
});

export type BulkUpdateError = z.output<typeof bulkUpdateResponse>["errors"][number];

export const bulkStatusResponse = z.object({ updated: z.int().meta({ example: 1 }) });
