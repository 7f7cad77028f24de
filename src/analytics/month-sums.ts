import { DAY_MS } from "../core/time.ts";
import { QUARTERS_PER_DAY, startMonth } from "./buckets.ts";
import { addCounts, addFact, type Counts, formatCounts, parseCounts } from "./day-counts.ts";
import type { DayTotals } from "./day-totals.ts";
import { parseFacts } from "./fact-log.ts";
import { packText, unpackText } from "./packed-text.ts";

/** SQL columns of a {@link MonthRow}. */
export const MONTH_COLUMNS = `month, hex(owner) AS owner, hex(item) AS item, moves, human, bot, preview, prefetch, scanner, days, log,
         length(log) AS logLength`;

/** Row of `scan_months` as selected with {@link MONTH_COLUMNS}. */
export interface MonthRow {
  month: number;
  owner: string;
  item: string;
  moves: number;
  human: number;
  bot: number;
  preview: number;
  prefetch: number;
  scanner: number;
  days: string;
  log: string;
  logLength: number;
}

/** Row with data of a month, from a table other than `scan_months`. `kind` says which table. */
interface KeptRow {
  series: string;
  kind: "day" | "part" | "totals" | "counts";
  ordinal: number;
  /**
   * Compressed text. For totals, an uncompressed JSON array of the totals by day, then the totals by class.
   */
  text: string;
}

/** Sums of everything that is stored for a month of a series. */
export interface MonthSum {
  /** Totals by traffic class. */
  totals: number[];
  days: DayTotals;
  /** Counts by the values of each dimension, compressed. */
  counts: string;
}

/** Returns the sums of months. Adds up their days, parts and logs, and any sums that were folded earlier. */
export async function sumMonths(d1: D1Database, months: readonly MonthRow[]): Promise<MonthSum[]> {
  const kept = Map.groupBy(await readKept(d1, months), ({ series }) => series);
  return Promise.all(months.map((row) => sumMonth(row, kept.get(formatSeries(row)) ?? [])));
}

async function readKept(d1: D1Database, months: readonly MonthRow[]): Promise<KeptRow[]> {
  const keys = months.map(({ month, owner, item }) => {
    const [firstDay, endDay] = [startMonth(month) / DAY_MS, startMonth(month + 1) / DAY_MS];
    return [formatSeries({ month, owner, item }), month, owner, item, firstDay, endDay];
  });
  const { results } = await d1.prepare(SELECT_KEPT).bind(JSON.stringify(keys)).all<KeptRow>();
  return results;
}

async function sumMonth(row: MonthRow, kept: readonly KeptRow[]): Promise<MonthSum> {
  const days = new Map<number, Counts>();
  const month: Counts = new Map();
  const totals = [row.human, row.bot, row.preview, row.prefetch, row.scanner];
  const dayTotals = JSON.parse(row.days) as DayTotals;
  const texts = await Promise.all(
    kept.map(({ kind, text }) => (kind === "totals" ? text : unpackText(text))),
  );
  const facts = parseFacts(row.log);
  kept.forEach(({ kind, ordinal }, index) => {
    const text = texts[index] as string;
    if (kind === "day") days.set(ordinal, parseCounts(text));
    else if (kind === "part") facts.unshift(...parseFacts(text));
    else if (kind === "counts") addCounts(month, parseCounts(text));
    else addTotals(totals, dayTotals, text);
  });
  for (const fact of facts) {
    const day = Math.floor(fact.quarter / QUARTERS_PER_DAY);
    const counts = days.get(day) ?? new Map();
    days.set(day, counts);
    addFact(counts, fact);
  }
  for (const counts of days.values()) addCounts(month, counts);
  return { totals, days: dayTotals, counts: await packText(formatCounts(month)) };
}

function addTotals(totals: number[], dayTotals: DayTotals, former: string): void {
  const [formerDays, ...formerTotals] = JSON.parse(former) as [DayTotals, ...number[]];
  formerTotals.forEach((total, index) => {
    totals[index] = (totals[index] ?? 0) + total;
  });
  for (const [key, total] of Object.entries(formerDays)) dayTotals[key] = (dayTotals[key] ?? 0) + total;
}

function formatSeries({ month, owner, item }: Pick<MonthRow, "month" | "owner" | "item">): string {
  return `${month} ${owner} ${item}`;
}

// Rows are [series, month, owner, item, first day, end day (exclusive)].
const OF_KEY = "owner = unhex(key.value ->> 2) AND item = unhex(key.value ->> 3)";
const SELECT_KEPT = `
  SELECT key.value ->> 0 AS series, 'day' AS kind, day AS ordinal, hex(counts) AS text
    FROM json_each(?1) AS key
   CROSS JOIN scan_days ON ${OF_KEY} AND day >= key.value ->> 4 AND day < key.value ->> 5
   UNION ALL
  SELECT key.value ->> 0, 'part', part, hex(facts)
    FROM json_each(?1) AS key CROSS JOIN scan_parts ON ${OF_KEY} AND month = key.value ->> 1
   UNION ALL
  SELECT key.value ->> 0, 'totals', 0, json_array(json(days), human, bot, preview, prefetch, scanner)
    FROM json_each(?1) AS key CROSS JOIN scan_history ON ${OF_KEY} AND month = key.value ->> 1
   UNION ALL
  SELECT key.value ->> 0, 'counts', 0, hex(counts)
    FROM json_each(?1) AS key CROSS JOIN scan_history_counts ON ${OF_KEY} AND month = key.value ->> 1
   WHERE EXISTS (SELECT 1 FROM scan_history WHERE ${OF_KEY} AND month = key.value ->> 1)`;
