import { sql } from "drizzle-orm";
import { DAY_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { DIMENSIONS } from "../scans/dimensions.ts";
import { QUARTER_MS, type Range } from "./buckets.ts";
import {
  addCount,
  capValue,
  DAY_VALUES_MAX,
  getClassIndex,
  hasCounts,
  parseValueCounts,
  QUARTERS,
  type ValueCounts,
} from "./day-counts.ts";
import { parseFacts } from "./fact-log.ts";
import { inRecentMonths, listMonthBounds } from "./month-rows.ts";
import { unpackText } from "./packed-text.ts";
import { FACT_DIMENSIONS, type Fact, type Series } from "./series.ts";

const QUARTERS_PER_DAY = DAY_MS / QUARTER_MS;

/**
 * Returns the counts of a series by UTC day, of one dimension or of the quarters of an hour: those of its days, and what
 * its parts and logs add to them. Months that are kept as a whole are not among them.
 */
export async function readDayCounts(
  db: Database,
  { owner, item }: Series,
  number: number,
  range: Range,
): Promise<Map<number, ValueCounts>> {
  const [fromMonth, toMonth] = listMonthBounds(range);
  const [fromDay, toDay] = [Math.floor(range.fromMs / DAY_MS), Math.ceil(range.toMs / DAY_MS)];
  const rows = await db.all<{ kind: "day" | "part" | "log"; ordinal: number; text: string }>(
    sql`SELECT 'day' AS kind, day AS ordinal, hex(counts) AS text FROM scan_days
         WHERE owner = unhex(${owner}) AND item = unhex(${item}) AND day >= ${fromDay} AND day < ${toDay}
         UNION ALL
        SELECT 'part', part, hex(facts) FROM scan_parts
         WHERE owner = unhex(${owner}) AND month BETWEEN ${fromMonth} AND ${toMonth} AND item = unhex(${item})
         UNION ALL
        SELECT 'log', 0, log FROM scan_months
         WHERE ${inRecentMonths(fromMonth, toMonth)} AND owner = unhex(${owner}) AND item = unhex(${item})`,
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
  if (dimension === undefined || !hasCounts(dimension, value)) return;
  addCount(counts, capValue(counts, value, DAY_VALUES_MAX), getClassIndex(fact), fact.count);
}

/** Returns the counts of a series in the months that are kept as a whole, of one dimension. */
export async function readMonthCounts(
  db: Database,
  { owner, item }: Series,
  number: number,
  range: Range,
): Promise<ValueCounts[]> {
  const [fromMonth, toMonth] = listMonthBounds(range);
  const rows = await db.all<{ text: string }>(
    sql`SELECT hex(counts) AS text FROM scan_history_counts
         WHERE owner = unhex(${owner}) AND month BETWEEN ${fromMonth} AND ${toMonth} AND item = unhex(${item})`,
  );
  return Promise.all(rows.map(async ({ text }) => parseValueCounts(await unpackText(text), number)));
}
