import { type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { DIMENSIONS } from "../scans/dimensions.ts";
import { QUARTERS_PER_DAY, type Range, splitWholeMonths } from "./buckets.ts";
import {
  addCount,
  type Counts,
  capFacts,
  capValue,
  DAY_VALUES_MAX,
  getClassIndex,
  isCountedByValue,
  parseRepeats,
  parseValueCounts,
  QUARTERS,
  REPEATS,
  type ValueCounts,
} from "./day-counts.ts";
import { parseFacts } from "./fact-log.ts";
import { fromLiveSamples, LiveSamples } from "./live-samples.ts";
import { inFoldedMonths, inRecentMonths, isInSet, listMonthBounds } from "./month-rows.ts";
import { unpackText } from "./packed-text.ts";
import { type ReadSize, ROWS_MAX, requireFewRows, requireSmallRead } from "./read-limits.ts";
import { FACT_DIMENSIONS, type Fact, type SeriesSet } from "./series.ts";
import { addRepeats } from "./visitor-repeats.ts";
import type { VisitorSample } from "./visitor-sample.ts";

/** Maximum number of months of series that a query adds up, each with all values of its dimension. */
const MONTHS_MAX = 3_000;

/** Counts of one dimension, and the repeats among them: see `visitor-repeats.ts`. */
export interface RepeatedCounts {
  counts: ValueCounts;
  repeats: Map<string, number>;
}

/** Counts of a series in a UTC day. */
interface DayCounts extends RepeatedCounts {
  day: number;
}

/**
 * Returns the counts of each series per UTC day. `number` is the number of a dimension, or {@link QUARTERS} for
 * the quarters of an hour. Combines the stored counts of days with the facts that aren't counted by day (in
 * parts and logs). Leaves out months that are kept only as a whole, and the months in `summed`, whose sums
 * the caller adds.
 */
export async function readDayCounts(
  db: Database,
  series: SeriesSet,
  number: number,
  range: Range,
  summed: readonly MonthCounts[] = [],
): Promise<DayCounts[]> {
  const [fromDay, toDay] = [Math.floor(range.fromMs / DAY_MS), Math.ceil(range.toMs / DAY_MS)];
  const stored = selectDayCounts(series, range, summed, (column) =>
    sql.raw(column === "log" ? column : `hex(${column})`),
  );
  const rows = await db.all<{
    kind: "day" | "part" | "log" | "sample";
    item: string;
    ordinal: number;
    text: string;
  }>(
    sql`${stored} UNION ALL SELECT 'sample', hex(scan_days.item), day, hex(visitors) ${fromLiveSamples(series)}`,
  );
  const texts = await Promise.all(
    rows.map(({ kind, text }) => (kind === "log" || kind === "sample" ? text : unpackText(text))),
  );
  const days = new Map<string, DayCounts>();
  const samples = new LiveSamples();
  const facts: { item: string; day: number; fact: Fact }[] = [];
  for (const [index, { kind, item, ordinal }] of rows.entries()) {
    const text = texts[index] as string;
    if (kind === "sample") {
      await samples.add(item, ordinal, text);
    } else if (kind === "day") {
      const [counts, repeats] = [parseValueCounts(text, number), parseRepeats(text, number)];
      days.set(`${item} ${ordinal}`, { day: ordinal, counts, repeats });
    } else {
      for (const fact of parseFacts(text))
        facts.push({ item, day: Math.floor(fact.quarter / QUARTERS_PER_DAY), fact });
    }
  }
  for (const [key, dayFacts] of Map.groupBy(facts, ({ item, day }) => `${item} ${day}`)) {
    const { item, day } = dayFacts[0] as (typeof facts)[number];
    if (day < fromDay || day >= toDay) continue;
    const counted = days.get(key) ?? { day, counts: new Map(), repeats: new Map() };
    days.set(key, counted);
    for (const { fact } of dayFacts) addFactOf(counted.counts, number, fact);
    addRepeatsOf(
      counted,
      number,
      dayFacts.map(({ fact }) => fact),
      samples.get(item, day),
    );
  }
  return [...days.values()];
}

function addRepeatsOf(
  { counts, repeats }: RepeatedCounts,
  number: number,
  facts: readonly Fact[],
  sample: VisitorSample,
): void {
  const added: Counts = new Map();
  addRepeats(added, sample, capFacts(facts, new Map([[number, counts]])));
  for (const [value, [count = 0]] of added.get(REPEATS + number) ?? [])
    repeats.set(value, (repeats.get(value) ?? 0) + count);
}

/**
 * Throws `VALIDATION_ERROR` if {@link readDayCounts} would read too much. Only the links of a label can have
 * that many counts.
 */
export async function requireFewDayCounts(db: Database, series: SeriesSet, range: Range): Promise<void> {
  if (series.label === undefined) return;
  const sizes = selectDayCounts(series, range, [], (column) => sql.raw(`octet_length(${column})`));
  const [size] = await db.all<ReadSize>(
    sql`SELECT coalesce(sum(text), 0) AS bytes, count(*) AS count FROM (${sizes} LIMIT ${ROWS_MAX + 1})`,
  );
  if (size !== undefined) requireSmallRead("label", size);
}

/** Selects what is stored of each day of a range. `pick` returns the expression for a column's text. */
function selectDayCounts(
  series: SeriesSet,
  range: Range,
  summed: readonly MonthCounts[],
  pick: (column: "counts" | "facts" | "log") => SQL,
): SQL {
  const [fromMonth, toMonth] = listMonthBounds(range);
  const [fromDay, toDay] = [Math.floor(range.fromMs / DAY_MS), Math.ceil(range.toMs / DAY_MS)];
  const isOwn = sql`owner = unhex(${series.owner}) AND ${isInSet(series)}`;
  const keys = JSON.stringify(summed.map(({ item, month }) => [item, month]));
  const isUnsummed = sql`NOT IN (SELECT value ->> 0, value ->> 1 FROM json_each(${keys}))`;
  const monthOfDay = sql.raw(
    "strftime('%Y', day * 86400, 'unixepoch') * 12 + strftime('%m', day * 86400, 'unixepoch') - 1",
  );
  return sql`SELECT 'day' AS kind, hex(item) AS item, day AS ordinal, ${pick("counts")} AS text FROM scan_days
       WHERE ${isOwn} AND day >= ${fromDay} AND day < ${toDay} AND (hex(item), ${monthOfDay}) ${isUnsummed}
       UNION ALL
      SELECT 'part', hex(item), part, ${pick("facts")} FROM scan_parts
       WHERE ${isOwn} AND ${inRecentMonths(fromMonth, toMonth)} AND (hex(item), month) ${isUnsummed}
       UNION ALL
      SELECT 'log', hex(item), 0, ${pick("log")} FROM scan_months
       WHERE ${isOwn} AND ${inRecentMonths(fromMonth, toMonth)} AND (hex(item), month) ${isUnsummed}`;
}

function addFactOf(counts: ValueCounts, number: number, fact: Fact): void {
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

/** Counts of one dimension of a series in a month. */
export interface MonthCounts extends RepeatedCounts {
  item: string;
  month: number;
  /** True if the days of the month are stored too. The counts then include all of them. */
  isSummary: boolean;
}

/**
 * Returns one dimension's counts of each series for each whole month of a range that has stored counts. Leaves
 * out sums that are out of date, so that the days of the month are read instead.
 */
export async function readMonthCounts(
  db: Database,
  series: SeriesSet,
  number: number,
  range: Range,
): Promise<MonthCounts[]> {
  const { fromMonth, toMonth } = splitWholeMonths(range);
  const ofSeries = (table: string) =>
    sql.raw(
      `${table}.owner = months.owner AND ${table}.month = months.month AND ${table}.item = months.item`,
    );
  const { owner } = series;
  const rows = await db.all<{ item: string; month: number; text: string; isSummary: number }>(
    sql`SELECT hex(item) AS item, month, hex(counts) AS text,
               NOT EXISTS (SELECT 1 FROM scan_history AS folded WHERE ${ofSeries("folded")}) AS isSummary
          FROM scan_history_counts AS months
         WHERE owner = unhex(${owner}) AND ${inFoldedMonths(owner, fromMonth, toMonth - 1)} AND ${isInSet(series)}
           AND (NOT isSummary OR total = (SELECT human + bot + preview + prefetch + scanner FROM scan_months AS recent
                                           WHERE ${ofSeries("recent")}))
         LIMIT ${MONTHS_MAX + 1}`,
  );
  requireFewRows(rows, MONTHS_MAX);
  return Promise.all(
    rows.map(async ({ item, month, text, isSummary }) => {
      const unpacked = await unpackText(text);
      const [counts, repeats] = [parseValueCounts(unpacked, number), parseRepeats(unpacked, number)];
      return { item, month, counts, repeats, isSummary: isSummary === 1 };
    }),
  );
}
