import { sql } from "drizzle-orm";
import { DAY_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { DIMENSIONS } from "../scans/dimensions.ts";
import { QUARTERS_PER_DAY, type Range, splitWholeMonths, startMonth } from "./buckets.ts";
import {
  addCount,
  capValue,
  DAY_VALUES_MAX,
  getClassIndex,
  isCountedByValue,
  parseValueCounts,
  QUARTERS,
  type ValueCounts,
} from "./day-counts.ts";
import { parseFacts } from "./fact-log.ts";
import { inRecentMonths, listMonthBounds } from "./month-rows.ts";
import { unpackText } from "./packed-text.ts";
import { FACT_DIMENSIONS, type Fact, type Series } from "./series.ts";

/**
 * Returns the counts of a series per UTC day. `number` is the number of a dimension, or {@link QUARTERS} for
 * the quarters of an hour. Combines the stored counts of days with the facts that aren't counted by day (in
 * parts and logs). Leaves out months that are kept only as a whole, and the months in `summed`, whose sums
 * the caller adds.
 */
export async function readDayCounts(
  db: Database,
  { owner, item }: Series,
  number: number,
  range: Range,
  summed: readonly number[] = [],
): Promise<Map<number, ValueCounts>> {
  const [fromMonth, toMonth] = listMonthBounds(range);
  const [fromDay, toDay] = [Math.floor(range.fromMs / DAY_MS), Math.ceil(range.toMs / DAY_MS)];
  const isUnsummed = sql`month NOT IN (SELECT value FROM json_each(${JSON.stringify(summed)}))`;
  const rows = await db.all<{ kind: "day" | "part" | "log"; ordinal: number; text: string }>(
    sql`SELECT 'day' AS kind, day AS ordinal, hex(counts) AS text FROM scan_days
         WHERE owner = unhex(${owner}) AND item = unhex(${item}) AND day >= ${fromDay} AND day < ${toDay}
           AND NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(summed.map(listDayBounds))}) AS bounds
                            WHERE day >= bounds.value ->> 0 AND day < bounds.value ->> 1)
         UNION ALL
        SELECT 'part', part, hex(facts) FROM scan_parts
         WHERE owner = unhex(${owner}) AND month BETWEEN ${fromMonth} AND ${toMonth} AND item = unhex(${item})
           AND ${isUnsummed}
         UNION ALL
        SELECT 'log', 0, log FROM scan_months
         WHERE ${inRecentMonths(fromMonth, toMonth)} AND owner = unhex(${owner}) AND item = unhex(${item})
           AND ${isUnsummed}`,
  );
  const texts = await Promise.all(rows.map(({ kind, text }) => (kind === "log" ? text : unpackText(text))));
  const days = new Map<number, ValueCounts>();
  rows.forEach(({ kind, ordinal }, index) => {
    if (kind === "day") days.set(ordinal, parseValueCounts(texts[index] as string, number));
  });
  for (const fact of texts.flatMap((text, index) => (rows[index]?.kind === "day" ? [] : parseFacts(text)))) {
    const day = Math.floor(fact.quarter / QUARTERS_PER_DAY);
    if (day >= fromDay && day < toDay) addFactOf(days, day, number, fact);
  }
  return days;
}

function addFactOf(days: Map<number, ValueCounts>, day: number, number: number, fact: Fact): void {
  let counts = days.get(day);
  if (counts === undefined) {
    counts = new Map();
    days.set(day, counts);
  }
  if (number === QUARTERS) {
    addCount(counts, String(fact.quarter % QUARTERS_PER_DAY), getClassIndex(fact), fact.count);
    return;
  }
  const index = FACT_DIMENSIONS.findIndex((dimension) => DIMENSIONS[dimension] === number);
  const value = fact.values[index] ?? "";
  const dimension = FACT_DIMENSIONS[index];
  if (dimension === undefined || !isCountedByValue(dimension, value)) return;
  addCount(counts, capValue(counts, value, DAY_VALUES_MAX), getClassIndex(fact), fact.count);
}

function listDayBounds(month: number): [number, number] {
  return [startMonth(month) / DAY_MS, startMonth(month + 1) / DAY_MS];
}

/** Counts of one dimension in a month. */
interface MonthCounts {
  month: number;
  counts: ValueCounts;
  /** True if the days of the month are stored too. The counts then include all of them. */
  isSummary: boolean;
}

/**
 * Returns one dimension's counts for each whole month of a range that has stored counts. Leaves out sums that
 * are out of date, so that the days of the month are read instead.
 */
export async function readMonthCounts(
  db: Database,
  { owner, item }: Series,
  number: number,
  range: Range,
): Promise<MonthCounts[]> {
  const { fromMonth, toMonth } = splitWholeMonths(range);
  const ofSeries = (table: string) =>
    sql.raw(
      `${table}.owner = months.owner AND ${table}.month = months.month AND ${table}.item = months.item`,
    );
  const rows = await db.all<{ month: number; text: string; isSummary: number }>(
    sql`SELECT month, hex(counts) AS text,
               NOT EXISTS (SELECT 1 FROM scan_history AS folded WHERE ${ofSeries("folded")}) AS isSummary
          FROM scan_history_counts AS months
         WHERE owner = unhex(${owner}) AND month >= ${fromMonth} AND month < ${toMonth} AND item = unhex(${item})
           AND (NOT isSummary OR total = (SELECT human + bot + preview + prefetch + scanner FROM scan_months AS recent
                                           WHERE ${ofSeries("recent")}))`,
  );
  return Promise.all(
    rows.map(async ({ month, text, isSummary }) => ({
      month,
      counts: parseValueCounts(await unpackText(text), number),
      isSummary: isSummary === 1,
    })),
  );
}
