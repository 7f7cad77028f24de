import * as z from "zod";
import { EXAMPLE_ID, id, timestamp } from "../http/fields.ts";
import { SOURCES } from "../scans/source.ts";

const short_code = z.string().meta({ example: "summer-sale" });
const destination = z.string().meta({ example: "https://example.com/sale" });
const filename = z.string().meta({ example: "menu.pdf" });

const optionalText = z.string().nullable().meta({ example: null });
const optionalTime = timestamp.nullable().meta({ example: null });

const linkState = z.object({
  link_id: id,
  short_code,
  aliases: z.array(z.string()).meta({ example: ["menu/2024"] }),
  destination,
  enabled: z.boolean(),
  title: z.string().nullable().meta({ example: "Summer sale" }),
  note: optionalText,
  archived: z.boolean().meta({ example: false }),
  starts_at: optionalTime,
  expires_at: optionalTime,
  early_url: optionalText,
  expired_url: optionalText,
  max_scans: z.int().nullable().meta({ example: null }),
  has_password: z.boolean().meta({ example: false }),
  preview: z
    .object({
      title: z.string().nullable(),
      description: z.string().nullable(),
      image_url: z.string().nullable(),
    })
    .nullable()
    .meta({ example: null }),
  forward_query: z.boolean().meta({ example: false }),
  confirm: z.boolean().meta({ example: false }),
  imported_scans: z.int().meta({ example: 0 }),
});

const checkedLink = z.object({ link_id: id, short_code, destination, checked_at: timestamp });

const bioPageAddress = z.object({
  page_id: id,
  slug: z.string().meta({ example: "jane-doe" }),
  title: z.string().meta({ example: "Jane Doe" }),
  html_url: z.string().meta({ example: "https://bio.example.com/jane-doe" }),
});

/**
 * Schema of `data` for each event type. The TypeScript types, the JSON that SQL statements build, and the
 * documentation derive from it.
 */
export const EVENTS = {
  "link.created": z.object({ link_id: id, short_code, destination }),
  "link.updated": linkState,
  "link.deleted": linkState,
  "link.restored": linkState,
  "link.broken": checkedLink.extend({ reason: z.string().meta({ example: "status 404" }) }),
  "link.recovered": checkedLink,
  "link.scanned": z.object({
    link_id: id,
    short_code,
    destination,
    scanned_at: timestamp,
    country: z.string().nullable().meta({ example: "CA" }),
    device: z.string().nullable().meta({ example: "mobile" }),
    os: z.string().nullable().meta({ example: "ios" }),
    browser: z.string().nullable().meta({ example: "safari" }),
    referrer: z.string().nullable().meta({ example: "news.example.com" }),
    source: z.enum(SOURCES).meta({ example: "qr" }),
  }),
  "bio.published": bioPageAddress,
  "bio.unpublished": bioPageAddress,
  "asset.uploaded": z.object({
    asset_id: id,
    filename,
    mime_type: z.string().meta({ example: "application/pdf" }),
    file_size: z.int().meta({ example: 48_213 }),
  }),
  "asset.published": z.object({
    asset_id: id,
    filename,
    public_url: z.string().meta({ example: `https://cdn.example.com/${EXAMPLE_ID}/menu.pdf` }),
  }),
  "webhook.disabled": z.object({
    webhook_id: id,
    url: z.string().meta({
      description: "URL of the endpoint without its path and query.",
      example: "https://hooks.example.com/…",
    }),
    disabled_at: timestamp,
  }),
  "webhook.test": z.object({ webhook_id: id }),
};

export type EventType = keyof typeof EVENTS;

/** Type of `data` for each event type. */
export type EventData = { [Type in EventType]: z.output<(typeof EVENTS)[Type]> };

export const EVENT_TYPES = Object.keys(EVENTS) as [EventType, ...EventType[]];

/** Filter that matches every event type, including future ones. */
export const ALL_EVENTS = "*";

/** Event type that an endpoint subscribes to, or `*` for all. */
export type EventFilter = EventType | typeof ALL_EVENTS;
