import * as z from "zod";
import { queryInteger } from "../http/fields.ts";
import { DIMENSIONS, type Dimension } from "../scans/dimensions.ts";
import { INTERVALS } from "./buckets.ts";

const ITEMS_MAX = 100;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

const date = z
  .string()
  .refine((text) => DATE.test(text) && isRealDate(text), {
    error: "must be an ISO 8601 date such as 2026-11-21",
  })
  .meta({ format: "date", example: "2026-11-21" });

/** Returns true for a calendar day after the year 0000, whose first week begins in a year without four digits. */
function isRealDate(text: string): boolean {
  const timeMs = Date.parse(text);
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(text) && text >= "0001";
}

const range = {
  from_date: date
    .meta({ example: "2026-11-19" })
    .optional()
    .describe("First day of the range (UTC, inclusive). Default: 30 days ago."),
  to_date: date.optional().describe("Last day of the range (UTC, inclusive). Default: today."),
  link_id: z
    .string()
    .optional()
    .describe("Id of a link, to count its scans only. Default: scans of all links, including deleted ones."),
};

export const timeseriesQuery = z.strictObject({
  interval: z
    .enum(INTERVALS)
    .meta({ example: "day", description: "Length of the time that each point covers." }),
  ...range,
});

export type TimeseriesQuery = z.output<typeof timeseriesQuery>;

/** Parameters that both queries share. */
export type RangeQuery = Pick<TimeseriesQuery, keyof typeof range>;

const dimension = z.enum(Object.keys(DIMENSIONS) as [Dimension, ...Dimension[]]);

export const breakdownQuery = z.strictObject({
  by: dimension.meta({ example: "country", description: "Dimension of the breakdown." }),
  ...range,
  limit: queryInteger(1, ITEMS_MAX, ITEMS_MAX).describe("Maximum number of values to return."),
});

export type BreakdownQuery = z.output<typeof breakdownQuery>;

/** Timeseries in a response. */
export const timeseriesResponse = z
  .object({
    interval: z.enum(INTERVALS).meta({ example: "day" }),
    points: z
      .array(
        z.object({
          date: z
            .string()
            .describe(
              "Start of the bucket: `YYYY-MM-DD` (Monday of a week, first day of a month), or `YYYY-MM-DDTHH:00:00Z`.",
            )
            .meta({ example: "2026-11-21" }),
          scans: z.int().meta({ example: 12 }),
        }),
      )
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

/** Breakdown in a response. */
export const breakdownResponse = z
  .object({
    by: dimension.meta({ example: "country" }),
    items: z
      .array(
        z.object({
          value: z
            .string()
            .describe(
              "Value of the dimension. country: ISO 3166-1; region: ISO 3166-2; language: as in routing rules; " +
                "referrer: host of the page that held the link; rule: name of the routing rule that chose the destination, " +
                "or its number (`#1`); link: id of the link, also of a deleted one. A missing value is `unknown`, a " +
                "missing referrer `direct`, and a scan without a matching rule `default`.",
            )
            .meta({ example: "CA" }),
          scans: z.int().meta({ example: 12 }),
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
