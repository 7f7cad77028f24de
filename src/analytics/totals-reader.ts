import { sql } from "drizzle-orm";
import { DAY_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import type { TrafficClass } from "../scans/traffic.ts";
import { QUARTERS_PER_DAY, type Range, startMonth } from "./buckets.ts";
import type { ScanFilter } from "./counts.ts";
import { type ClassCounts, noCounts } from "./day-counts.ts";
import { type DayTotals, parseDayKey } from "./day-totals.ts";
import { parseFacts } from "./fact-log.ts";
import { fromLiveSamples, LiveSamples } from "./live-samples.ts";
import { inFoldedMonths, inRecentMonths, isInSet, listMonthBounds } from "./month-rows.ts";
import { ROWS_MAX, requireFewRows } from "./read-limits.ts";
import { type Fact, type SeriesSet, toUuid } from "./series.ts";
import { countRepeats } from "./visitor-repeats.ts";

/** Totals of a UTC day. */
export interface DaySum {
  /** Scans by traffic class. */
  scans: ClassCounts;
  /** Scans by people that are not the first of their visitor: see `visitor-repeats.ts`. */
  repeats: number;
  /** True if visitors of several links may be counted several times. */
  isEstimated?: boolean;
}

/** Returns the totals of series, by item in upper-case digits, then by UTC day. They are kept forever. */
export async function readDayTotals(
  db: Database,
  series: SeriesSet,
  range: Range,
): Promise<Map<string, Map<number, DaySum>>> {
  const [fromMonth, toMonth] = listMonthBounds(range);
  const { owner } = series;
  const rows = await db.all<{ item: string; month: number; days: string; text: string }>(
    sql`SELECT hex(item) AS item, month, days, log AS text FROM scan_months
         WHERE ${inRecentMonths(fromMonth, toMonth)} AND owner = unhex(${owner}) AND ${isInSet(series)}
         UNION ALL
        SELECT hex(item), month, days, '' FROM scan_history
         WHERE owner = unhex(${owner}) AND ${inFoldedMonths(owner, fromMonth, toMonth)} AND ${isInSet(series)}
         UNION ALL
        SELECT hex(scan_days.item), day, '', hex(visitors) ${fromLiveSamples(series)}
         LIMIT ${ROWS_MAX + 1}`,
  );
  requireFewRows(rows, ROWS_MAX);
  const totals = new Map<string, Map<number, DaySum>>();
  const open = (item: string, day: number): DaySum => {
    const days = totals.get(item) ?? new Map<number, DaySum>();
    const sum = days.get(day) ?? { scans: noCounts(), repeats: 0 };
    totals.set(item, days.set(day, sum));
    return sum;
  };
  const isInRange = (day: number) => day * DAY_MS >= range.fromMs && day * DAY_MS < range.toMs;
  const logged: { item: string; day: number; facts: Fact[] }[] = [];
  const samples = new LiveSamples();
  for (const { item, month, days, text } of rows) {
    if (days === "") {
      await samples.add(item, month, text);
      continue;
    }
    for (const [key, total] of Object.entries(JSON.parse(days) as DayTotals)) {
      const { day, classIndex } = parseDayKey(key, month);
      if (!isInRange(day)) continue;
      const sum = open(item, day);
      if (classIndex === -1) sum.repeats += total;
      else sum.scans[classIndex] = (sum.scans[classIndex] ?? 0) + total;
    }
    const byDay = Map.groupBy(parseFacts(text), ({ quarter }) => Math.floor(quarter / QUARTERS_PER_DAY));
    for (const [day, facts] of byDay) if (isInRange(day)) logged.push({ item, day, facts });
  }
  for (const { item, day, facts } of logged)
    open(item, day).repeats += countRepeats(facts, samples.get(item, day));
  return totals;
}

/**
 * For each traffic class, SQL expressions for the total of a month and for the day of the month in a key of
 * `days`. The day is 0 if the key belongs to another class.
 */
const CLASS_SQL: Record<TrafficClass | "all", { total: string; dayOfMonth: string }> = {
  human: { total: "human", dayOfMonth: "key + 0" },
  bot: { total: "bot", dayOfMonth: "iif(key LIKE 'b%', substr(key, 2) + 0, 0)" },
  preview: { total: "preview", dayOfMonth: "iif(key LIKE 'p%', substr(key, 2) + 0, 0)" },
  prefetch: { total: "prefetch", dayOfMonth: "iif(key LIKE 'f%', substr(key, 2) + 0, 0)" },
  scanner: { total: "scanner", dayOfMonth: "iif(key LIKE 's%', substr(key, 2) + 0, 0)" },
  all: { total: "human + bot + preview + prefetch + scanner", dayOfMonth: "ltrim(key, 'bpfs') + 0" },
};

/** Returns the number of scans by link id, for the links of a workspace or label with the most scans. */
export async function readLinkTotals(
  db: Database,
  series: SeriesSet,
  filter: ScanFilter,
  limit: number,
): Promise<Map<string, number>> {
  const [fromMonth, toMonth] = listMonthBounds(filter);
  const { total, dayOfMonth } = CLASS_SQL[filter.traffic ?? "all"];
  // For a month that lies wholly within the range, the stored total is used instead of the days.
  const firstDay = getDayOfMonth(filter.fromMs, fromMonth);
  const lastDay = getDayOfMonth(filter.toMs - DAY_MS, toMonth);
  const isLastWhole = startMonth(toMonth + 1) === filter.toMs;
  const isWhole = sql`(month > ${fromMonth} OR ${firstDay} = 1) AND (month < ${toMonth} OR ${Number(isLastWhole)})`;
  const scans = sql`iif(${isWhole}, ${sql.raw(total)},
      (SELECT coalesce(sum(value), 0) FROM json_each(days)
        WHERE ${sql.raw(dayOfMonth)} BETWEEN iif(month = ${fromMonth}, ${firstDay}, 1)
                                         AND iif(month = ${toMonth}, ${lastDay}, 31)))`;
  const { owner, label } = series;
  const isLink = label === undefined ? sql`length(item) = 16` : isInSet(series);
  const rows = await db.all<{ item: string; total: number }>(
    sql`SELECT hex(item) AS item, sum(scans) AS total
          FROM (SELECT item, ${scans} AS scans FROM scan_months
                 WHERE ${inRecentMonths(fromMonth, toMonth)} AND owner = unhex(${owner}) AND ${isLink}
                 UNION ALL
                SELECT item, ${scans} FROM scan_history
                 WHERE owner = unhex(${owner}) AND ${inFoldedMonths(owner, fromMonth, toMonth)} AND ${isLink})
         GROUP BY item ORDER BY total DESC, item LIMIT ${limit}`,
  );
  return new Map(rows.map(({ item, total }) => [toUuid(item), total]));
}

function getDayOfMonth(timeMs: number, month: number): number {
  return Math.floor((timeMs - startMonth(month)) / DAY_MS) + 1;
}
