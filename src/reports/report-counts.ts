import { type SQL, sql } from "drizzle-orm";
import {
  numberMonth,
  QUARTERS_PER_DAY,
  type Range,
  splitWholeMonths,
  startMonth,
} from "../analytics/buckets.ts";
import { addCounts, addFact, type Counts, parseCounts } from "../analytics/day-counts.ts";
import { type DayTotals, parseDayKey } from "../analytics/day-totals.ts";
import { parseFacts } from "../analytics/fact-log.ts";
import { inRecentMonths, listMonthBounds } from "../analytics/month-rows.ts";
import { unpackText } from "../analytics/packed-text.ts";
import { getFirstMonthKept } from "../analytics/retention.ts";
import { toHexId, toUuid } from "../analytics/series.ts";
import { DAY_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { rawQuery } from "../db/raw-query.ts";
import { links } from "../links/links.table.ts";
import { isOfReport, type LinkChoice } from "./report-links.ts";

/** Reads the scans by people of the links of a report, however many links it has, in one batch for each step. */

/** Limits of the counts that a page reads for its breakdowns: compressed size in bytes, and number of rows. */
const BYTES_MAX = 4_000_000;
const ROWS_MAX = 20_000;
/** Index of people in the counts by traffic class. */
const HUMAN = 0;

/** Links of a report, and the days that it shows. */
export interface CountedSet {
  workspaceId: string;
  choice: LinkChoice;
  range: Range;
}

/** Scans of people by day, in days since 1970-01-01. */
type DayScans = Map<number, number>;

/** Row with the totals of a link in a month. */
export interface TotalsRow {
  item: string;
  month: number;
  days: string;
}

/** Returns the common table expression `items` with the series of the report's links. */
function withItems({ workspaceId, choice }: CountedSet): SQL {
  return sql`WITH items(item) AS MATERIALIZED (
    SELECT unhex(replace(${links.id}, '-', '')) FROM ${links} WHERE ${isOfReport(workspaceId, choice)})`;
}

/** Returns the query for the totals of each link by day. */
export function selectTotals(db: Database, set: CountedSet) {
  const [fromMonth, toMonth] = listMonthBounds(set.range);
  const owner = sql`unhex(${toHexId(set.workspaceId)})`;
  return rawQuery<TotalsRow>(
    db,
    sql`${withItems(set)}
      SELECT hex(item) AS item, month, days FROM scan_months
       WHERE ${inRecentMonths(fromMonth, toMonth)} AND owner = ${owner} AND item IN (SELECT item FROM items)
       UNION ALL
      SELECT hex(totals.item), month, days
        FROM json_each(${listMonths(fromMonth, toMonth)}) AS months CROSS JOIN items
       CROSS JOIN scan_history AS totals
          ON totals.owner = ${owner} AND month = months.value AND totals.item = items.item`,
  );
}

/** Sums the rows of {@link selectTotals} by day and by link. */
export function sumTotals(rows: readonly TotalsRow[], { fromMs, toMs }: Range) {
  const days: DayScans = new Map();
  const byLink = new Map<string, number>();
  for (const { item, month, days: text } of rows) {
    const linkId = toUuid(item);
    for (const [key, scans] of Object.entries(JSON.parse(text) as DayTotals)) {
      const { day, classIndex } = parseDayKey(key, month);
      if (classIndex !== HUMAN || day * DAY_MS < fromMs || day * DAY_MS >= toMs) continue;
      days.set(day, (days.get(day) ?? 0) + scans);
      byLink.set(linkId, (byLink.get(linkId) ?? 0) + scans);
    }
  }
  return { days, byLink };
}

/**
 * Returns the part of a range that breakdowns can cover. Counts by country and so on are kept by day for a few
 * months, and before that only for whole months.
 */
export function limitToBreakdowns({ fromMs, toMs }: Range, nowMs: number): Range {
  const keptMs = startMonth(getFirstMonthKept(nowMs));
  const isCovered = (timeMs: number) => timeMs >= keptMs || startMonth(numberMonth(timeMs)) === timeMs;
  const from = isCovered(fromMs) ? fromMs : startMonth(numberMonth(fromMs) + 1);
  const to = isCovered(toMs) ? toMs : startMonth(numberMonth(toMs));
  return { fromMs: from, toMs: Math.max(from, to) };
}

/** Returns the query for the size of the rows of {@link readCounts}. */
export function selectCountsSize(db: Database, set: CountedSet) {
  return rawQuery<{ bytes: number; count: number }>(
    db,
    sql`${withItems(set)}
      SELECT coalesce(sum(bytes), 0) AS bytes, count(*) AS count
        FROM (SELECT octet_length(data) AS bytes FROM (${selectCounts(set)}) LIMIT ${ROWS_MAX + 1})`,
  );
}

/** Returns true if the counts are few enough to be read for a page. */
export function areCountsFew(size: { bytes: number; count: number } | undefined): boolean {
  return size !== undefined && size.bytes <= BYTES_MAX && size.count <= ROWS_MAX;
}

/** Returns the counts of the links by the values of each dimension. */
export async function readCounts(db: Database, set: CountedSet): Promise<Counts> {
  const rows = await db.all<{ kind: "counts" | "facts" | "log"; text: string }>(
    sql`${withItems(set)} SELECT kind, iif(kind = 'log', data, hex(data)) AS text FROM (${selectCounts(set)})`,
  );
  const texts = await Promise.all(rows.map(({ kind, text }) => (kind === "log" ? text : unpackText(text))));
  const sum: Counts = new Map();
  const ofFacts: Counts = new Map();
  const [fromDay, toDay] = [set.range.fromMs / DAY_MS, set.range.toMs / DAY_MS];
  texts.forEach((text, index) => {
    if (rows[index]?.kind === "counts") {
      addCounts(sum, parseCounts(text));
      return;
    }
    for (const fact of parseFacts(text)) {
      const day = Math.floor(fact.quarter / QUARTERS_PER_DAY);
      if (day >= fromDay && day < toDay) addFact(ofFacts, fact);
    }
  });
  addCounts(sum, ofFacts);
  return sum;
}

/** Selects the stored counts of the report's links: by day, of whole months, and facts that aren't counted yet. */
function selectCounts({ workspaceId, range }: CountedSet): SQL {
  const [fromMonth, toMonth] = listMonthBounds(range);
  const whole = splitWholeMonths(range);
  const owner = sql`unhex(${toHexId(workspaceId)})`;
  const [fromDay, toDay] = [range.fromMs / DAY_MS, range.toMs / DAY_MS];
  const inMonths = (first: number, last: number, table: string) =>
    sql`json_each(${listMonths(first, last)}) AS months CROSS JOIN items CROSS JOIN ${sql.raw(table)} AS stored
         ON stored.owner = ${owner} AND stored.month = months.value AND stored.item = items.item`;
  return sql`
    SELECT 'counts' AS kind, counts AS data FROM items CROSS JOIN scan_days AS stored
        ON stored.owner = ${owner} AND stored.item = items.item AND day >= ${fromDay} AND day < ${toDay}
     UNION ALL
    SELECT 'facts', facts FROM ${inMonths(fromMonth, toMonth, "scan_parts")}
     UNION ALL
    SELECT 'log', log FROM scan_months
     WHERE ${inRecentMonths(fromMonth, toMonth)} AND owner = ${owner} AND item IN (SELECT item FROM items) AND log <> ''
     UNION ALL
    SELECT 'counts', counts FROM ${inMonths(whole.fromMonth, whole.toMonth - 1, "scan_history_counts")}
     WHERE EXISTS (SELECT 1 FROM scan_history AS folded
                    WHERE folded.owner = stored.owner AND folded.month = stored.month AND folded.item = stored.item)`;
}

function listMonths(first: number, last: number): string {
  return JSON.stringify(Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index));
}
