import { DAY_MS } from "../core/time.ts";
import { formatBatches } from "../db/json-batches.ts";
import { numberMonth, QUARTER_MS, QUARTERS_PER_DAY } from "./buckets.ts";
import { getClassIndex, noCounts } from "./day-counts.ts";
import { type DayTotals, formatDayKey } from "./day-totals.ts";
import { formatFact, formatValues } from "./fact-log.ts";
import type { Occurrences } from "./series.ts";

/**
 * Size of a log in bytes above which it is moved out of its row. Each batch rewrites the whole row, so rows
 * must stay small.
 */
const LOG_BYTES_MAX = 2_048;

/** Amounts that a batch adds to a row of `scan_months`. */
interface MonthRow {
  month: number;
  owner: string;
  item: string;
  /** Totals by traffic class. */
  totals: number[];
  days: DayTotals;
  /** Equal facts with their count, by quarter and values. */
  facts: Map<string, { quarter: number; values: string; count: number }>;
}

/**
 * Returns the statements that add occurrences to the rows of `scan_months`, one row per series and month.
 * Each statement returns one result per written row; {@link readOverflows} finds the logs in them that must
 * be moved. `condition` is an SQL condition: only rows for which it holds are written. In it, `value ->> 1`
 * is the UUID of the owner.
 */
export function rollUp(
  d1: D1Database,
  occurrences: readonly Occurrences[],
  condition = "true",
): D1PreparedStatement[] {
  const rows = [...collectRows(occurrences).values()].map(({ month, owner, item, totals, days, facts }) => {
    const lines = [...facts.values()].map(({ quarter, values, count }) => formatFact(quarter, values, count));
    return [month, owner, item, ...totals, days, lines.join("")];
  });
  return formatBatches(rows).map((batch) => d1.prepare(addToMonths(condition)).bind(batch));
}

function collectRows(occurrences: readonly Occurrences[]): Map<string, MonthRow> {
  const rows = new Map<string, MonthRow>();
  for (const { owner, items, values, timesMs } of occurrences) {
    const classIndex = getClassIndex({ values });
    const text = formatValues(values);
    for (const [quarter, { length: count }] of groupByQuarter(timesMs)) {
      const day = Math.floor(quarter / QUARTERS_PER_DAY);
      for (const item of items)
        addToRow(openRow(rows, owner, item, day), day, classIndex, { quarter, values: text, count });
    }
  }
  return rows;
}

function groupByQuarter(timesMs: readonly number[]): Map<number, number[]> {
  return Map.groupBy(timesMs, (timeMs) => Math.floor(timeMs / QUARTER_MS));
}

function openRow(rows: Map<string, MonthRow>, owner: string, item: string, day: number): MonthRow {
  const month = numberMonth(day * DAY_MS);
  const key = `${month} ${owner} ${item}`;
  let row = rows.get(key);
  if (row === undefined) {
    row = { month, owner, item, totals: noCounts(), days: {}, facts: new Map() };
    rows.set(key, row);
  }
  return row;
}

function addToRow(
  row: MonthRow,
  day: number,
  classIndex: number,
  { quarter, values, count }: { quarter: number; values: string; count: number },
): void {
  row.totals[classIndex] = (row.totals[classIndex] as number) + count;
  const dayKey = formatDayKey(day, classIndex);
  row.days[dayKey] = (row.days[dayKey] ?? 0) + count;
  const factKey = `${quarter} ${values}`;
  const fact = row.facts.get(factKey);
  if (fact === undefined) row.facts.set(factKey, { quarter, values, count });
  else fact.count += count;
}

/** Row of `scan_months` after the batch, if its log is too long. */
export interface Overflow {
  month: number;
  owner: string;
  item: string;
  moves: number;
  log: string;
  /** Length of the log in characters as SQLite counts them. */
  logLength: number;
}

const addToMonths = (condition: string) => `
  INSERT INTO scan_months (month, owner, item, human, bot, preview, prefetch, scanner, days, moves, log)
  SELECT value ->> 0, unhex(value ->> 1, '-'), unhex(value ->> 2), value ->> 3, value ->> 4, value ->> 5, value ->> 6,
         value ->> 7, value -> 8, 0, value ->> 9
    FROM json_each(?1) WHERE ${condition}
  ON CONFLICT (month, owner, item) DO UPDATE SET
    human = human + excluded.human,
    bot = bot + excluded.bot,
    preview = preview + excluded.preview,
    prefetch = prefetch + excluded.prefetch,
    scanner = scanner + excluded.scanner,
    days = (SELECT json_group_object(key, total)
              FROM (SELECT key, sum(value) AS total
                      FROM (SELECT key, value FROM json_each(scan_months.days)
                             UNION ALL
                            SELECT key, value FROM json_each(excluded.days))
                     GROUP BY key)),
    log = log || excluded.log
  RETURNING iif(octet_length(log) > ${LOG_BYTES_MAX},
                json_array(month, hex(owner), hex(item), moves, log, length(log)), NULL) AS overflow`;

/**
 * Returns the rows whose logs must be moved. `results` may include results of statements that {@link rollUp}
 * didn't build.
 */
export function readOverflows(results: readonly D1Result[]): Overflow[] {
  const rows = results.flatMap((result) => result.results as { overflow?: string | null }[]);
  return rows.flatMap(({ overflow }) => (overflow == null ? [] : [parseOverflow(overflow)]));
}

function parseOverflow(text: string): Overflow {
  const [month, owner, item, moves, log, logLength] = JSON.parse(text) as [
    number,
    string,
    string,
    number,
    string,
    number,
  ];
  return { month, owner, item, moves, log, logLength };
}
