import * as z from "zod";
import { date } from "../analytics/analytics.schema.ts";
import { DAY_MS, toIso, toIsoOrNull } from "../core/time.ts";
import { boundedText, cursorQuery, dateTime, EXAMPLE_ID, id, timestamp } from "../http/fields.ts";
import { password } from "../links/guard-fields.ts";
import { label } from "../links/link-input.ts";
import { RANGE_DAYS_MAX, type ReportRange, readRangeColumns, resolveRange } from "./report-range.ts";
import { REPORT_PATH } from "./report-token.ts";
import type { Report } from "./reports.directory.table.ts";

const TITLE_MAX_LENGTH = 200;
/** Maximum number of links that a report names. */
const REPORT_LINKS_MAX = 50;

const range = z
  .strictObject({
    days: z.int().min(1).max(RANGE_DAYS_MAX).optional().meta({ example: 30 }),
    from_date: date.optional(),
    to_date: date.optional(),
  })
  .transform((input, context): ReportRange => {
    const { days, from_date, to_date } = input;
    const refuse = (message: string, ...path: string[]) => {
      context.addIssue({ code: "custom", message, path });
      return z.NEVER;
    };
    if (days !== undefined && from_date === undefined && to_date === undefined) return { days };
    if (days !== undefined || from_date === undefined || to_date === undefined) {
      return refuse("must contain either days, or from_date and to_date");
    }
    const chosen = { from_date, to_date };
    const { fromMs, toMs } = resolveRange(chosen, 0);
    if (toMs <= fromMs) return refuse("must not be before from_date", "to_date");
    if (toMs - fromMs > RANGE_DAYS_MAX * DAY_MS)
      return refuse(`must be within ${RANGE_DAYS_MAX} days of from_date`, "to_date");
    return chosen;
  })
  .describe(
    `Either \`days\` (1 to ${RANGE_DAYS_MAX}): the present day and the days before it, which move with the day. Or \`from_date\` and \`to_date\`: a first and a last day, at most ${RANGE_DAYS_MAX} days. Days are in UTC.`,
  )
  .meta({ example: { days: 30 } });

/** Input for creating a report. */
export const newReport = z
  .strictObject({
    title: boundedText(1, TITLE_MAX_LENGTH)
      .refine((text) => text.trim() !== "", { error: "must not be empty" })
      .describe("Title of the report, which everyone with its URL sees.")
      .meta({ example: "Summer campaign" }),
    links: z
      .array(z.uuid({ error: "must be a UUID" }).toLowerCase())
      .min(1)
      .max(REPORT_LINKS_MAX)
      .refine((ids) => new Set(ids).size === ids.length, { error: "must not contain an ID twice" })
      .optional()
      .describe("IDs of the links. Deleted links leave the report. Required without `label`.")
      .meta({ example: [EXAMPLE_ID] }),
    label: label
      .optional()
      .describe("Reports on all links that have this label when the report is opened, instead of `links`.")
      .meta({ example: "print" }),
    range,
    expires_at: dateTime
      .nullable()
      .optional()
      .describe("Time from which the URL no longer works. Null if the report does not expire."),
    password: password.optional(),
  })
  .refine(({ links, label }) => (links === undefined) !== (label === undefined), {
    path: ["links"],
    error: "must be given, or else label, but not both",
  })
  .meta({
    id: "NewReport",
    example: { title: "Summer campaign", label: "print", range: { days: 30 } },
  });

export type NewReport = z.output<typeof newReport>;

/** Query of the list of reports. */
export const listReportsQuery = z.strictObject(cursorQuery);

/** Report in a response. */
export const reportResponse = z
  .object({
    id,
    title: z.string().meta({ example: "Summer campaign" }),
    url: z
      .url()
      .nullable()
      .describe(
        "URL of the page. Null if the deployment's secret was replaced since: the URL still works, but cannot be shown again.",
      )
      .meta({ example: `https://app.example.com${REPORT_PATH}${"aB3-".repeat(10)}xYz` }),
    links: z
      .array(z.string())
      .nullable()
      .describe("IDs of the links. Null for a report on a label.")
      .meta({ example: null }),
    label: z.string().nullable().meta({ example: "print" }),
    range: z
      .object({
        days: z.int().optional(),
        from_date: z.string().optional(),
        to_date: z.string().optional(),
      })
      .meta({ example: { days: 30 } }),
    expires_at: timestamp.nullable().meta({ example: null }),
    has_password: z.boolean().meta({ example: false }),
    created_at: timestamp,
  })
  .meta({ id: "Report" });

/** Formats a report. `token` is null if the stored hash isn't the hash of the derived token. */
export function formatReport(
  report: Report,
  appUrl: string,
  token: string | null,
): z.input<typeof reportResponse> {
  return {
    id: report.id,
    title: report.title,
    url: token === null ? null : `${appUrl}${REPORT_PATH}${token}`,
    links: report.linkIds,
    label: report.label,
    range: readRangeColumns(report),
    expires_at: toIsoOrNull(report.expiresAt),
    has_password: report.passwordHash !== null,
    created_at: toIso(report.createdAt),
  };
}
