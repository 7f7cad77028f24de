import * as z from "zod";
import { queryInteger } from "../http/fields.ts";
import { DIMENSIONS, type Dimension } from "../scans/scan.ts";
import { INTERVALS } from "./buckets.ts";

const ITEMS_MAX = 100;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

const date = z
  .string()
  .refine((text) => DATE.test(text) && isRealDate(text), {
    error: "must be an ISO 8601 date such as 2026-11-21",
  })
  .meta({ format: "date", example: "2026-11-21" });

/** In the calendar, and not in the year 0000, whose first week began in a year that four digits cannot write. */
function isRealDate(text: string): boolean {
  const timeMs = Date.parse(text);
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(text) && text >= "0001";
}

const range = {
  from_date: date.optional().describe("First day, UTC, included. Default: 30 days ago."),
  to_date: date.optional().describe("Last day, UTC, included. Default: today."),
  link_id: z
    .string()
    .optional()
    .describe("Identifier of a link: only its scans. Default: those of all links, deleted ones too."),
};

export const timeseriesQuery = z.strictObject({
  interval: z.enum(INTERVALS).meta({ example: "day", description: "How long each point is." }),
  ...range,
});

export type TimeseriesQuery = z.output<typeof timeseriesQuery>;

/** What both queries say of the scans they ask for. */
export type RangeQuery = Pick<TimeseriesQuery, keyof typeof range>;

const dimension = z.enum(Object.keys(DIMENSIONS) as [Dimension, ...Dimension[]]);

export const breakdownQuery = z.strictObject({
  by: dimension.describe("What the scans are told apart by."),
  ...range,
  limit: queryInteger(1, ITEMS_MAX, ITEMS_MAX).describe("How many values to answer with."),
});

export type BreakdownQuery = z.output<typeof breakdownQuery>;

/** Contract section 2.11. */
export const timeseriesResponse = z
  .object({
    interval: z.enum(INTERVALS).meta({ example: "day" }),
    points: z
      .array(
        z.object({
          date: z
            .string()
            .describe(
              "Start of the bucket: `YYYY-MM-DD` (a week's Monday, a month's first), or `YYYY-MM-DDTHH:00:00Z`.",
            )
            .meta({ example: "2026-11-21" }),
          scans: z.int().meta({ example: 12 }),
        }),
      )
      .describe(
        "Every bucket of the range in order, zeros too. Scans outside the range are in none of them.",
      ),
  })
  .meta({ id: "Timeseries" });

export type Timeseries = z.output<typeof timeseriesResponse>;

/** Decisions section 8. */
export const breakdownResponse = z
  .object({
    by: dimension,
    items: z
      .array(
        z.object({
          value: z
            .string()
            .describe(
              "What the scans have in common. country: ISO 3166-1; region: ISO 3166-2; language: as in routing rules; " +
                "referrer: host of the page the link was on; rule: name of the routing rule that chose the destination, " +
                "or its place (`#1`); link: id of the link, also of one deleted since. What a scan does not say is " +
                "`unknown`; without a referrer it is `direct`, without a matching rule `default`.",
            )
            .meta({ example: "CA" }),
          scans: z.int().meta({ example: 12 }),
        }),
      )
      .describe("Most scans first."),
  })
  .meta({ id: "Breakdown" });

export type Breakdown = z.output<typeof breakdownResponse>;
