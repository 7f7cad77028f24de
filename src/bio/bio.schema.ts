import * as z from "zod";
import { formatBytes } from "../core/byte-size.ts";
import { getContrastRatio, isHexColour, TEXT_CONTRAST_MIN } from "../core/colour.ts";
import { toIso } from "../core/time.ts";
import { boundedText, dateTime, EXAMPLE_CREATED_AT, id, laterTimestamp, timestamp } from "../http/fields.ts";
import { destinationUrl } from "../links/destination.schema.ts";
import { trashedFields } from "../trash/trash.schema.ts";
import { buildPalettes } from "./palette.ts";
import { isUsableSlug, SLUG_MAX_LENGTH, SLUG_PATTERN } from "./slug.ts";
import { getTheme } from "./theme-registry.ts";
import { BUTTONS, type PageStyle, RADII } from "./theme-types.ts";

/** Maximum size of `page_data` as JSON, in bytes. */
const PAGE_DATA_MAX_BYTES = 32_768;
const TITLE_MAX_LENGTH = 200;
const DESCRIPTION_MAX_LENGTH = 1_000;
const LABEL_MAX_LENGTH = 100;
const NAME_MAX_LENGTH = 50;
const URL_MAX_LENGTH = 8_192;
const LINKS_MAX = 100;
const SOCIALS_MAX = 30;

/** Text with at least one visible character, because a screen reader can't announce blank text. */
function visibleText(maxLength: number) {
  return boundedText(1, maxLength).refine((text) => /[^\p{C}\p{Z}]/u.test(text), {
    error: "must not be blank",
  });
}

/** Validity checks for URLs with other protocols than http and https (RFC 6068 and RFC 3966). */
const CONTACT_URL_CHECKS: Record<string, (url: string) => boolean> = {
  // "mailto:?subject=…" has no recipient: the visitor chooses one in the email program.
  "mailto:": (url) => /^mailto:(?:[^\s/?]|\?.)/i.test(url),
  "tel:": (url) => /^tel:\+?\(?[0-9][0-9 ().;=a-z-]*$/i.test(url),
};

/** URL of a link on a page: a web URL that is valid for a short link, or a mailto or tel URL. */
const linkUrl = z
  .string()
  .max(URL_MAX_LENGTH, { abort: true })
  .superRefine((url, context) => {
    const protocol = URL.canParse(url) ? new URL(url).protocol : "";
    const check = CONTACT_URL_CHECKS[protocol];
    if (check !== undefined ? check(url) : isWebProtocol(protocol) && !addWebUrlIssues(url, context)) return;
    if (context.issues.length === 0)
      context.addIssue({ code: "custom", message: "must be an http, https, mailto or tel URL" });
  })
  .meta({ format: "uri", example: "https://example.com/portfolio" });

function isWebProtocol(protocol: string): boolean {
  return protocol === "http:" || protocol === "https:";
}

/** Adds the issues found by {@link destinationUrl} to the context. Returns true if there are any. */
function addWebUrlIssues(url: string, context: z.RefinementCtx): boolean {
  const { error } = destinationUrl.safeParse(url);
  for (const { message } of error?.issues ?? []) context.addIssue({ code: "custom", message });
  return error !== undefined;
}

const secureUrl = destinationUrl.refine((url) => /^https:/i.test(url), { error: "must be an https URL" });

/**
 * URL of an image. `page-data.ts` also requires https, except for the deployment's CDN (http in development).
 */
const imageUrl = destinationUrl.meta({ example: "https://cdn.example.com/avatar.png" });

const colour = z
  .string()
  .refine(isHexColour, { error: "must be a colour such as #RGB or #RRGGBB" })
  .meta({ example: "#0f766e" });

const utcDateTime = dateTime.transform(toIso);

const link = z
  .looseObject({
    label: visibleText(LABEL_MAX_LENGTH),
    url: linkUrl.optional().meta({ description: "Required unless `type` is `heading`." }),
    type: z.enum(["link", "heading"]).optional(),
    highlight: z.boolean().optional(),
    enabled: z.boolean().optional(),
    starts_at: utcDateTime.optional(),
    ends_at: utcDateTime.optional(),
  })
  .superRefine(({ type, url, starts_at, ends_at }, context) => {
    if (type !== "heading" && url === undefined) {
      context.addIssue({ code: "custom", path: ["url"], message: "is required" });
    }
    if (starts_at !== undefined && ends_at !== undefined && starts_at >= ends_at) {
      context.addIssue({ code: "custom", path: ["ends_at"], message: "must be after starts_at" });
    }
  });

const style = z.looseObject({
  accent: colour.optional(),
  background: colour.optional(),
  text: colour.optional(),
  button: z.enum(BUTTONS).optional(),
  radius: z.enum(RADII).optional(),
}) satisfies z.ZodType<PageStyle>;

/** Content of a page. Validates known fields and keeps unknown ones, so that clients can add their own. */
export const pageData = z
  .looseObject({
    theme: z.string().optional().meta({
      description:
        "Name of the theme: auto, paper, ink, sunrise, mono or contrast. Any other name is shown as auto.",
      example: "paper",
    }),
    lang: z
      .string()
      .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, { error: "must be a BCP 47 language tag" })
      .optional()
      .meta({
        description:
          "Language of the page. It is used by screen readers and sets the text direction. Default: guessed from the script of the title, otherwise en.",
        example: "pt-BR",
      }),
    avatar_url: imageUrl.optional(),
    avatar_alt: boundedText(0, TITLE_MAX_LENGTH).optional(),
    style: style.optional(),
    links: z.array(link).max(LINKS_MAX).optional(),
    socials: z
      .array(
        z.looseObject({
          network: visibleText(NAME_MAX_LENGTH).meta({
            description: "Name of the network. Networks without an icon are shown with a globe.",
            example: "github",
          }),
          url: secureUrl,
        }),
      )
      .max(SOCIALS_MAX)
      .optional(),
    seo: z
      .looseObject({
        title: visibleText(TITLE_MAX_LENGTH).optional(),
        description: boundedText(0, DESCRIPTION_MAX_LENGTH).optional(),
        image_url: imageUrl.optional(),
        noindex: z.boolean().optional(),
      })
      .optional(),
  })
  .superRefine((data, context) => {
    if (new TextEncoder().encode(JSON.stringify(data)).byteLength > PAGE_DATA_MAX_BYTES) {
      context.addIssue({
        code: "custom",
        message: `must be at most ${formatBytes(PAGE_DATA_MAX_BYTES)} as JSON`,
      });
    }
    const { text, background } = data.style ?? {};
    if (text !== undefined && buildPalettes(getTheme(data.theme), data.style).length === 0) {
      const ratio =
        background === undefined ? "" : `; it is ${roundDown(getContrastRatio(text, background))}`;
      context.addIssue({
        code: "custom",
        path: ["style", "text"],
        message: `must have a contrast of at least ${TEXT_CONTRAST_MIN} with the background${ratio}`,
      });
    }
  })
  .meta({ id: "PageData", description: "Content of the page. Unknown fields are stored." });

/** Rounds down to two decimals, so that a ratio of 4.497 is not reported as 4.5. */
function roundDown(ratio: number): number {
  return Math.floor(ratio * 100) / 100;
}

/** Content of a page as stored and returned. */
export type PageData = z.output<typeof pageData>;
/** JSON Merge Patch of page data. Only the result of the merge is validated. */
const pageDataPatch = z.record(z.string(), z.unknown()).meta({
  description:
    "Changes to parts of `page_data`, as a JSON Merge Patch (RFC 7396): objects are merged, null removes a field, and arrays such as `links` are replaced as a whole. The result is validated like `page_data`. Cannot be combined with `page_data`.",
  example: { theme: "ink", avatar_url: null, style: { accent: "#0f766e" } },
});

export type PageDataPatch = z.output<typeof pageDataPatch>;

/** Link or heading of a page. */
export type PageLink = z.output<typeof link>;

const fields = {
  title: visibleText(TITLE_MAX_LENGTH).meta({ example: "Jane Doe" }),
  description: boundedText(0, DESCRIPTION_MAX_LENGTH),
  page_data: pageData,
};

const pageSlug = z
  .string()
  .min(1)
  .max(SLUG_MAX_LENGTH)
  .regex(SLUG_PATTERN, { error: "must only contain lower-case letters from a to z, digits and hyphens" })
  .refine(isUsableSlug, { error: ({ input }) => `"${input}" is reserved` })
  .meta({
    description:
      "Path of the page on the bio page host, which all workspaces share. Cannot be changed. Default: derived from the title, with a random suffix if already taken.",
    example: "jane-doe-pottery",
  });

const PAGE_DATA_EXAMPLE = {
  theme: "paper",
  links: [{ label: "Portfolio", url: "https://example.com/portfolio" }],
};

export const createPageBody = z
  .strictObject({
    ...fields,
    slug: pageSlug.optional(),
    description: fields.description.optional(),
    page_data: fields.page_data.optional(),
  })
  .meta({
    example: {
      title: "Jane Doe",
      description: "Potter",
      page_data: PAGE_DATA_EXAMPLE,
    },
  });

export type NewPage = z.output<typeof createPageBody>;

export const updatePageBody = z
  .strictObject({
    ...fields,
    page_data: fields.page_data.describe(
      "New content of the page, which replaces all of the old content. To change parts of it, use `page_data_patch`.",
    ),
    page_data_patch: pageDataPatch,
  })
  .partial()
  .refine(({ page_data, page_data_patch }) => page_data === undefined || page_data_patch === undefined, {
    path: ["page_data_patch"],
    error: "cannot be combined with page_data, which replaces everything",
  })
  .meta({ example: { title: "Jane Doe, potter", page_data_patch: { theme: "ink" } } });

export type PagePatch = z.output<typeof updatePageBody>;

/** Body of a restoration. */
export const restorePageBody = z
  .strictObject({
    slug: pageSlug.describe("Path of the page in place of its own, which another page may have taken."),
  })
  .partial()
  .meta({ example: { slug: "jane-doe" } });

export type PageRestoration = z.output<typeof restorePageBody>;

/** Schema of a bio page in responses. */
export const pageResponse = z
  .object({
    id,
    title: z.string().meta({ example: "Jane Doe" }),
    description: z.string().meta({ example: "Potter" }),
    slug: z.string().meta({ example: "jane-doe" }),
    page_data: z
      .record(z.string(), z.unknown())
      .meta({ example: PAGE_DATA_EXAMPLE, description: "Content as it was sent, with date-times in UTC." }),
    is_published: z.boolean(),
    published_at: laterTimestamp.nullable(),
    view_count: z.int().meta({ example: 310 }),
    click_count: z.int().meta({ example: 42 }),
    html_url: z.url().meta({ example: "https://bio.example.com/jane-doe" }),
    created_at: timestamp,
    updated_at: laterTimestamp,
    ...trashedFields,
  })
  .meta({ id: "BioPage" });

export type PageResponse = z.output<typeof pageResponse>;

/** Example fields that differ for a newly created page. */
export const NEW_PAGE_EXAMPLE: Partial<PageResponse> = {
  is_published: false,
  published_at: null,
  view_count: 0,
  click_count: 0,
  updated_at: EXAMPLE_CREATED_AT,
};
