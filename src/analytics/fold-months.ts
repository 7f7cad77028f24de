import { DAY_MS } from "../core/time.ts";
import { QUARTER_MS, startMonth } from "./buckets.ts";
import { addCounts, addFact, type Counts, formatCounts, parseCounts } from "./day-counts.ts";
import type { DayTotals } from "./day-totals.ts";
import { parseFacts } from "./fact-log.ts";
import { formatSteps } from "./json-steps.ts";
import { packText, unpackText } from "./packed-text.ts";
import { getFirstFactsMs, getFirstMonthKept } from "./retention.ts";

const QUARTERS_PER_DAY = DAY_MS / QUARTER_MS;
/** Series that are folded in one step, each with up to 31 days. */
const STEP_SERIES = 30;
/** Facts that are deleted in one step. */
const STEP_FACTS = 1_000;
/** Steps of one sweep. The next one goes on where it ends. */
const STEPS_MAX = 50;

/** Deletes facts that are kept no longer, and folds the months that are kept by day no longer; for the cron. */
export async function sweepScans(d1: D1Database, nowMs: number): Promise<void> {
  let isDone = false;
  for (let step = 0; step < STEPS_MAX && !isDone; step++) isDone = !(await deleteFacts(d1, nowMs));
  isDone = false;
  for (let step = 0; step < STEPS_MAX && !isDone; step++) isDone = !(await foldStep(d1, nowMs));
}

/** Deletes some of the oldest facts. Returns true if there may be more. */
async function deleteFacts(d1: D1Database, nowMs: number): Promise<boolean> {
  const { meta } = await d1
    .prepare(
      `DELETE FROM scan_facts WHERE (day, owner, item, part) IN (
         SELECT day, owner, item, part FROM scan_facts WHERE day < ?1 ORDER BY day LIMIT ${STEP_FACTS})`,
    )
    .bind(getFirstFactsMs(nowMs) / DAY_MS)
    .run();
  return meta.changes === STEP_FACTS;
}

/** Row of `scan_months` that is due. */
interface DueRow {
  month: number;
  owner: string;
  item: string;
  moves: number;
  human: number;
  bot: number;
  preview: number;
  prefetch: number;
  days: string;
  log: string;
  logLength: number;
}

/** What else is kept of the due rows. `kind` says of which table a row is. */
interface KeptRow {
  series: string;
  kind: "day" | "part" | "totals" | "counts";
  ordinal: number;
  /** Compressed, except for totals: days and totals by class as a JSON array. */
  text: string;
}

/**
 * Folds some of the oldest months: what is kept of their days becomes one row of `scan_history`. Returns true if there
 * may be more. A series is left out if scans were added since it was read.
 */
async function foldStep(d1: D1Database, nowMs: number): Promise<boolean> {
  const { results: due } = await d1.prepare(SELECT_DUE).bind(getFirstMonthKept(nowMs)).all<DueRow>();
  if (due.length === 0) return false;
  const kept = Map.groupBy(await readKept(d1, due), ({ series }) => series);
  const guards = due.map(formatGuard);
  const history = await Promise.all(
    due.map(async (row) => [...formatGuard(row), ...(await foldRow(row, kept.get(formatSeries(row)) ?? []))]),
  );
  const statements = [
    ...formatSteps(history).flatMap((rows) =>
      [ADD_HISTORY, ADD_HISTORY_COUNTS].map((statement) => d1.prepare(statement).bind(rows)),
    ),
    ...[DELETE_DAYS, DELETE_PARTS, DELETE_MONTHS].map((statement) =>
      d1.prepare(statement).bind(JSON.stringify(guards)),
    ),
  ];
  const results = await d1.batch(statements);
  return (results.at(-1)?.meta.changes ?? 0) > 0;
}

async function readKept(d1: D1Database, due: readonly DueRow[]): Promise<KeptRow[]> {
  const keys = due.map(({ month, owner, item }) => {
    const [firstDay, endDay] = [startMonth(month) / DAY_MS, startMonth(month + 1) / DAY_MS];
    return [formatSeries({ month, owner, item }), month, owner, item, firstDay, endDay];
  });
  const { results } = await d1.prepare(SELECT_KEPT).bind(JSON.stringify(keys)).all<KeptRow>();
  return results;
}

/** Returns the totals by class, the days and the counts of a due row, with what was folded before. */
async function foldRow(row: DueRow, kept: readonly KeptRow[]): Promise<unknown[]> {
  const days = new Map<number, Counts>();
  const month: Counts = new Map();
  const totals = [row.human, row.bot, row.preview, row.prefetch];
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
  return [...totals, dayTotals, await packText(formatCounts(month))];
}

function addTotals(totals: number[], dayTotals: DayTotals, former: string): void {
  const [formerDays, ...formerTotals] = JSON.parse(former) as [DayTotals, ...number[]];
  formerTotals.forEach((total, index) => {
    totals[index] = (totals[index] ?? 0) + total;
  });
  for (const [key, total] of Object.entries(formerDays)) dayTotals[key] = (dayTotals[key] ?? 0) + total;
}

function formatSeries({ month, owner, item }: Pick<DueRow, "month" | "owner" | "item">): string {
  return `${month} ${owner} ${item}`;
}

function formatGuard({ month, owner, item, moves, logLength }: DueRow): unknown[] {
  return [month, owner, item, moves, logLength, startMonth(month) / DAY_MS, startMonth(month + 1) / DAY_MS];
}

const SELECT_DUE = `
  SELECT month, hex(owner) AS owner, hex(item) AS item, moves, human, bot, preview, prefetch, days, log,
         length(log) AS logLength
    FROM scan_months WHERE month < ?1 ORDER BY month, owner, item LIMIT ${STEP_SERIES}`;

// Rows are [series, month, owner, item, first day, end day].
const OF_KEY = "owner = unhex(key.value ->> 2) AND item = unhex(key.value ->> 3)";
const SELECT_KEPT = `
  SELECT key.value ->> 0 AS series, 'day' AS kind, day AS ordinal, hex(counts) AS text
    FROM json_each(?1) AS key
   CROSS JOIN scan_days ON ${OF_KEY} AND day >= key.value ->> 4 AND day < key.value ->> 5
   UNION ALL
  SELECT key.value ->> 0, 'part', part, hex(facts)
    FROM json_each(?1) AS key CROSS JOIN scan_parts ON ${OF_KEY} AND month = key.value ->> 1
   UNION ALL
  SELECT key.value ->> 0, 'totals', 0, json_array(json(days), human, bot, preview, prefetch)
    FROM json_each(?1) AS key CROSS JOIN scan_history ON ${OF_KEY} AND month = key.value ->> 1
   UNION ALL
  SELECT key.value ->> 0, 'counts', 0, hex(counts)
    FROM json_each(?1) AS key CROSS JOIN scan_history_counts ON ${OF_KEY} AND month = key.value ->> 1`;

// Rows begin with [month, owner, item, moves, length of the log, first day, end day].
const GUARDED_ROWS = `
  FROM json_each(?1) AS row
 CROSS JOIN scan_months AS guard ON guard.month = row.value ->> 0 AND guard.owner = unhex(row.value ->> 1)
                                AND guard.item = unhex(row.value ->> 2) AND guard.moves = row.value ->> 3
                                AND length(guard.log) = row.value ->> 4`;

const ADD_HISTORY = `
  INSERT INTO scan_history (owner, month, item, human, bot, preview, prefetch, days)
  SELECT guard.owner, guard.month, guard.item, row.value ->> 7, row.value ->> 8, row.value ->> 9, row.value ->> 10,
         row.value -> 11 ${GUARDED_ROWS} WHERE true
  ON CONFLICT (owner, month, item) DO UPDATE SET
    human = excluded.human, bot = excluded.bot, preview = excluded.preview, prefetch = excluded.prefetch,
    days = excluded.days`;

const ADD_HISTORY_COUNTS = `
  INSERT INTO scan_history_counts (owner, month, item, counts)
  SELECT guard.owner, guard.month, guard.item, unhex(row.value ->> 12) ${GUARDED_ROWS} WHERE true
  ON CONFLICT (owner, month, item) DO UPDATE SET counts = excluded.counts`;

const DELETE_DAYS = `
  DELETE FROM scan_days WHERE (owner, item, day) IN (
    SELECT days.owner, days.item, days.day ${GUARDED_ROWS}
     CROSS JOIN scan_days AS days ON days.owner = guard.owner AND days.item = guard.item
                                 AND days.day >= row.value ->> 5 AND days.day < row.value ->> 6)`;

const DELETE_PARTS = `
  DELETE FROM scan_parts WHERE (owner, month, item, part) IN (
    SELECT parts.owner, parts.month, parts.item, parts.part ${GUARDED_ROWS}
     CROSS JOIN scan_parts AS parts ON parts.owner = guard.owner AND parts.month = guard.month
                                   AND parts.item = guard.item)`;

const DELETE_MONTHS = `
  DELETE FROM scan_months WHERE (month, owner, item) IN (
    SELECT guard.month, guard.owner, guard.item ${GUARDED_ROWS})`;
