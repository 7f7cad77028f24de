import * as z from "zod";
import { queryInteger } from "../http/fields.ts";
import { DIMENSIONS, type Dimension } from "../scans/dimensions.ts";
import { TRAFFIC_CLASSES } from "../scans/traffic.ts";
import { UTM_PARAMETERS } from "../scans/utm.ts";
import { INTERVALS } from "./buckets.ts";
import { valueFilters } from "./filters.schema.ts";
import { findZone } from "./time-zone.ts";

const ITEMS_MAX = 100;
const ZONE_MAX_LENGTH = 64;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Calendar day in a request. */
export const date = z
  .string()
  .refine((text) => DATE.test(text) && isRealDate(text), {
    error: "must be an ISO 8601 date such as 2026-11-21",
  })
  .meta({ format: "date", example: "2026-11-21" });

/**
 * Returns true for an existing calendar day from year 1 on. Rejects year 0, because its first week begins in
 * year -1, which has no four-digit form.
 */
function isRealDate(text: string): boolean {
  const timeMs = Date.parse(text);
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(text) && text >= "0001";
}

const timeZone = z
  .string()
  .max(ZONE_MAX_LENGTH, { abort: true })
  .refine((name) => findZone(name) !== null, { error: "must be an IANA time zone such as Europe/Berlin" })
  .optional()
  .meta({ example: "Europe/Berlin" })
  .describe("IANA time zone of the days. Covers at least the last 92 days. Default: UTC.");

/** Query parameters shared by all analytics endpoints, except `link_id`. */
const common = {
  from_date: date
    .meta({ example: "2026-11-19" })
    .optional()
    .describe("First day of the range (inclusive). Default: 30 days ago."),
  to_date: date.optional().describe("Last day of the range (inclusive). Default: today."),
  time_zone: timeZone,
  traffic: z
    .enum([...TRAFFIC_CLASSES, "all"])
    .optional()
    .describe(
      "Traffic class to count. `human`: people, including curl, wget and HTTP libraries. `bot`: bots, such as search engine crawlers. `preview`: link previews. `prefetch`: pages that a browser loads in advance. `scanner`: security programs that open the links of messages and pose as browsers. Default: `human`, or `all` with `by=traffic`.",
    ),
  ...valueFilters,
};

const linkId = z
  .string()
  .optional()
  .describe(
    "Counts only scans of the link with this ID. Default: scans of all links, including deleted ones.",
  );

const interval = z.enum(INTERVALS).meta({ example: "day", description: "Time span that each point covers." });

export const timeseriesQuery = z.strictObject({ interval, ...common, link_id: linkId });

export type TimeseriesQuery = z.output<typeof timeseriesQuery>;

/** Parsed values of the shared query parameters. */
export type CommonQuery = Pick<TimeseriesQuery, keyof typeof common>;

const dimension = z.enum(Object.keys(DIMENSIONS) as [Dimension, ...Dimension[]]);
const by = dimension.meta({ example: "country", description: "Dimension of the breakdown." });
const limit = queryInteger(1, ITEMS_MAX, ITEMS_MAX).describe("Maximum number of values to return.");

export const breakdownQuery = z.strictObject({ by, ...common, link_id: linkId, limit });

export type BreakdownQuery = z.output<typeof breakdownQuery>;

const metric = z
  .enum(["views", "clicks"])
  .default("views")
  .meta({ example: "views", default: "views" })
  .describe("`views` of the page, or `clicks` on its links.");

/** Dimensions that only scans of links have. */
const LINK_DIMENSIONS = ["rule", "source", ...UTM_PARAMETERS] as const;
const pageDimensions = dimension.exclude(LINK_DIMENSIONS);
const {
  rule: _,
  source: _source,
  utm_source: _utmSource,
  utm_medium: _utmMedium,
  utm_campaign: _utmCampaign,
  ...pageCommon
} = common;

export const pageTimeseriesQuery = z.strictObject({ metric, interval, ...pageCommon });

export type PageTimeseriesQuery = z.output<typeof pageTimeseriesQuery>;

export const pageBreakdownQuery = z.strictObject({
  metric,
  by: pageDimensions.meta({
    example: "country",
    description:
      "Dimension of the breakdown. `link` is the destination of a click and requires `metric=clicks`.",
  }),
  ...pageCommon,
  limit,
});

export type PageBreakdownQuery = z.output<typeof pageBreakdownQuery>;

const point = z.object({
  date: z
    .string()
    .describe(
      "Start of the bucket: `YYYY-MM-DD` (Monday of a week, first day of a month), or `YYYY-MM-DDTHH:00:00Z` for hours. With `time_zone`, hours end with the offset of the zone instead of `Z`.",
    )
    .meta({ example: "2026-11-21" }),
  scans: z.int().meta({ example: 12 }),
});

export const timeseriesResponse = z
  .object({
    interval: z.enum(INTERVALS).meta({ example: "day" }),
    points: z
      .array(point)
      .describe(
        "Every bucket of the range in order, including those without scans. Scans outside the range are not counted.",
      )
      .meta({
        example: [
          { date: "2026-11-19", scans: 31 },
          { date: "2026-11-20", scans: 0 },
          { date: "2026-11-21", scans: 12 },
        ],
      }),
  })
  .meta({ id: "Timeseries" });

export type Timeseries = z.output<typeof timeseriesResponse>;

const value = z
  .string()
  .describe(
    "Value of the dimension. country: ISO 3166-1; region: ISO 3166-2; language: as in routing rules; " +
      "referrer: host of the page that contained the link; rule: name of the routing rule that matched, or its number (`#1`); link: ID of the link, which may be deleted; traffic: traffic class; source: `qr`, `page` or `link`; utm_source, utm_medium and utm_campaign: decoded parameter of the URL that the visitor was redirected to, or `none`. A missing " +
      "value is `unknown`, a missing referrer `direct`, and a scan without a matching rule `default`. On a day with more than 200 values for a dimension, further values are counted as `other`.",
  )
  .meta({ example: "CA" });

export const breakdownResponse = z
  .object({
    by: dimension.meta({ example: "country" }),
    items: z
      .array(
        z.object({
          value,
          scans: z.int().meta({ example: 12 }),
          short_code: z
            .string()
            .nullable()
            .optional()
            .describe("Only with `by=link`: short code of the link, or null if the link was deleted.")
            .meta({ example: undefined }),
          title: z
            .string()
            .nullable()
            .optional()
            .describe("Only with `by=link`: title of the link, or null if it has none or was deleted.")
            .meta({ example: undefined }),
          destination: z
            .string()
            .nullable()
            .optional()
            .describe(
              "Only with `by=link`: default destination of the link, or null if the link was deleted.",
            )
            .meta({ example: undefined }),
        }),
      )
      .describe("Values in descending order of scans.")
      .meta({
        example: [
          { value: "CA", scans: 812 },
          { value: "US", scans: 295 },
          { value: "unknown", scans: 6 },
        ],
      }),
  })
  .meta({ id: "Breakdown" });

export type Breakdown = z.output<typeof breakdownResponse>;

export const pageTimeseriesResponse = z
  .object({
    metric: z.enum(["views", "clicks"]).meta({ example: "views" }),
    interval: z.enum(INTERVALS).meta({ example: "day" }),
    points: z
      .array(point.omit({ scans: true }).extend({ count: z.int().meta({ example: 12 }) }))
      .describe("Every bucket of the range in order, including those without visits.")
      .meta({
        example: [
          { date: "2026-11-19", count: 31 },
          { date: "2026-11-20", count: 0 },
          { date: "2026-11-21", count: 12 },
        ],
      }),
  })
  .meta({ id: "PageTimeseries" });

export type PageTimeseries = z.output<typeof pageTimeseriesResponse>;

export const pageBreakdownResponse = z
  .object({
    metric: z.enum(["views", "clicks"]).meta({ example: "views" }),
    by: dimension.meta({ example: "country" }),
    items: z
      .array(
        z.object({
          value: value.describe("As in `GET /v1/analytics/breakdown`; link: destination of the click."),
          count: z.int().meta({ example: 12 }),
        }),
      )
      .describe("Values in descending order of their count.")
      .meta({
        example: [
          { value: "CA", count: 812 },
          { value: "unknown", count: 6 },
        ],
      }),
  })
  .meta({ id: "PageBreakdown" });

export type PageBreakdown = z.output<typeof pageBreakdownResponse>;
