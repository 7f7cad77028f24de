import { type Command, Option } from "commander";
import { formatCount } from "../../core/format-count.ts";
import { DAY_MS } from "../../core/time.ts";
import type { Schemas } from "../client.ts";
import { callService } from "./api-call.ts";
import { type CommandContext, openClient, writeList, writeResult } from "./command-context.ts";
import { findLink } from "./find-link.ts";
import { parseInteger } from "./link-options.ts";
import { drawBars } from "./spark-bars.ts";

const DIMENSIONS = [
  "country",
  "region",
  "device",
  "os",
  "browser",
  "referrer",
  "language",
  "rule",
  "traffic",
  "source",
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "link",
] as const;

interface StatsOptions {
  days: number;
  by?: (typeof DIMENSIONS)[number];
  label?: string;
  limit: number;
}

/** Adds the `stats` command. */
export function addStatsCommand(program: Command, context: () => CommandContext): void {
  program
    .command("stats")
    .description("show scans per day, or by another dimension")
    .argument("[link]", "ID, short code or short URL (default: all links)")
    .option("--days <number>", "number of days up to today", parseInteger, 30)
    .addOption(new Option("--by <dimension>", "dimension").choices(DIMENSIONS))
    .option("--label <label>", "only links with this label")
    .option("--limit <number>", "maximum number of values with --by", parseInteger, 20)
    .action((name: string | undefined, options: StatsOptions) => showStats(context(), name, options));
}

async function showStats(
  context: CommandContext,
  name: string | undefined,
  options: StatsOptions,
): Promise<void> {
  const client = openClient(context);
  const link = name === undefined ? {} : { link_id: (await findLink(client, name)).id };
  const today = Date.now();
  const range = {
    from_date: formatDay(today - Math.max(0, options.days - 1) * DAY_MS),
    to_date: formatDay(today),
    ...link,
    ...(options.label !== undefined && { label: options.label }),
  };
  const { by } = options;
  if (by !== undefined) {
    const query = { ...range, by, limit: options.limit };
    const { data } = await callService(client.GET("/v1/analytics/breakdown", { params: { query } }));
    return writeBreakdown(context, data);
  }
  const query = { ...range, interval: "day" as const };
  const { data } = await callService(client.GET("/v1/analytics/timeseries", { params: { query } }));
  writeTimeseries(context, data);
}

function writeBreakdown(context: CommandContext, { by, items }: Schemas["Breakdown"]): void {
  writeList(context, items, [
    { title: by, format: ({ value, short_code }) => short_code ?? value, isFlexible: true },
    { title: "Scans", format: ({ scans }) => String(scans), isNumber: true },
    { title: "Visitors", format: ({ visitors }) => String(visitors ?? ""), isNumber: true },
  ]);
}

function writeTimeseries(context: CommandContext, series: Schemas["Timeseries"]): void {
  const total = series.points.reduce((sum, { scans }) => sum + scans, 0);
  const days = series.points.map(({ date, scans }) => `${date}\t${scans}`).join("\n");
  const { isOutputTerminal } = context.terminal;
  const picture = drawBars(series.points.map(({ scans }) => scans));
  const range = `${series.points[0]?.date} to ${series.points.at(-1)?.date}`;
  writeResult(
    context,
    series,
    isOutputTerminal ? `${picture}\n${formatCount(total, "scan")}${formatVisitors(series)}, ${range}` : days,
  );
}

function formatVisitors({ total_visitors: count, estimated }: Schemas["Timeseries"]): string {
  return count === null ? "" : ` by ${estimated ? "about " : ""}${formatCount(count, "visitor")}`;
}

function formatDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
