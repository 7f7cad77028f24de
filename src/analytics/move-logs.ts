import { logError } from "../core/log.ts";
import { DAY_MS } from "../core/time.ts";
import { formatBatches } from "../db/json-batches.ts";
import { DIMENSIONS, type Dimension } from "../scans/dimensions.ts";
import { QUARTERS_PER_DAY, startMonth } from "./buckets.ts";
import {
  addFact,
  type Counts,
  capValue,
  DAY_VALUES_MAX,
  formatCounts,
  isLeftOut,
  parseCounts,
} from "./day-counts.ts";
import { formatFact, formatValues, parseFacts } from "./fact-log.ts";
import { packText, unpackText } from "./packed-text.ts";
import { type Overflow, readOverflows } from "./roll-up.ts";
import { sumRowsWritten } from "./scan-costs.ts";
import { FACT_DIMENSIONS, type Fact, WORKSPACE_SCANS } from "./series.ts";
import { summarizeMonths } from "./summarize.ts";

/**
 * Maximum number of days that a full log of a busy series covers. A series whose full log covers more days is
 * quiet: its facts take less space than counts per day would, so the facts themselves are kept. In three
 * months they fill few rows.
 */
const BUSY_DAYS_MAX = 2;
/** Maximum number of logs that are moved after a batch. The next batches move the others. */
const MOVES_MAX = 50;

/** Log to move, with its facts by day. */
interface Move extends Overflow {
  factsByDay: Map<number, Fact[]>;
  isBusy: boolean;
}

/**
 * Moves the logs that became too long in a batch. `results` are the results of its {@link rollUp} statements.
 * Never throws: after a failure, the facts stay in their log, and the next batch that adds to the log reports
 * it again. Returns the number of rows that D1 wrote.
 */
export async function tryMoveLogs(d1: D1Database, results: readonly D1Result[]): Promise<number> {
  try {
    return await moveLogs(d1, readOverflows(results));
  } catch (error) {
    logError("logs of facts could not be moved", error);
    return 0;
  }
}

/**
 * Moves logs out of their rows, in one transaction. Returns the number of rows that D1 wrote.
 *
 * - Busy series: adds the facts to the counts of their days. Also keeps the facts for filters, with
 *   {@link OTHER} for values that the counts of the day don't include. Skips facts of workspaces, since the
 *   facts of their links are the same.
 * - Quiet series: keeps the facts as they are.
 *
 * Each row is written only if its log hasn't been moved since the log was read. Between two moves a log only
 * grows, so the log still begins with the text that was read.
 */
async function moveLogs(d1: D1Database, overflows: readonly Overflow[]): Promise<number> {
  if (overflows.length === 0) return 0;
  // A batch can report a log twice. The later report contains everything of the earlier one.
  const latest = new Map(
    overflows.map((overflow) => [`${overflow.month} ${overflow.owner} ${overflow.item}`, overflow]),
  );
  const moves = [...latest.values()].slice(0, MOVES_MAX).map(prepareMove);
  const busy = moves.filter(({ isBusy }) => isBusy);
  const counts = await readDays(d1, busy);
  const days: unknown[] = [];
  const facts: unknown[] = [];
  for (const move of busy) {
    for (const [day, dayFacts] of move.factsByDay) {
      const dayCounts = counts.get(formatDayId(move, day)) ?? new Map();
      for (const fact of dayFacts) addFact(dayCounts, fact);
      days.push([...formatGuard(move), day, await packText(formatCounts(dayCounts))]);
      if (move.item !== WORKSPACE_SCANS)
        facts.push([...formatGuard(move), day, await packText(formatKnownFacts(dayFacts, dayCounts))]);
    }
  }
  const quiet = moves.filter(({ isBusy }) => !isBusy);
  const parts = await Promise.all(
    quiet.map(async (move) => [...formatGuard(move), await packText(move.log)]),
  );
  const ends = moves.map((move) => [...formatGuard(move), move.logLength + 1]);
  const statements: [string, unknown[]][] = [
    [ADD_DAYS, days],
    [ADD_FACTS, facts],
    [ADD_PARTS, parts],
    [CUT_LOGS, ends],
  ];
  const results = await d1.batch(
    statements.flatMap(([statement, rows]) =>
      formatBatches(rows).map((batch) => d1.prepare(statement).bind(batch)),
    ),
  );
  return sumRowsWritten(results) + (await summarizeBefore(d1, busy));
}

function prepareMove(overflow: Overflow): Move {
  const factsByDay = Map.groupBy(parseFacts(overflow.log), ({ quarter }) =>
    Math.floor(quarter / QUARTERS_PER_DAY),
  );
  return { ...overflow, factsByDay, isBusy: factsByDay.size <= BUSY_DAYS_MAX };
}

/**
 * Formats facts, with {@link OTHER} for values that the counts of their day don't include. Merges facts that
 * become equal.
 */
function formatKnownFacts(facts: readonly Fact[], counts: Counts): string {
  const sums = new Map<string, { quarter: number; text: string; count: number }>();
  for (const { quarter, values, count } of facts) {
    const known = values.map((value, index) => {
      const dimension = FACT_DIMENSIONS[index];
      const dayValues = dimension && counts.get(DIMENSIONS[dimension]);
      const isKept = dayValues === undefined || isLeftOut(dimension as Dimension, value);
      return isKept ? value : capValue(dayValues, value, DAY_VALUES_MAX);
    });
    const text = formatValues(known);
    const sum = sums.get(`${quarter} ${text}`);
    if (sum === undefined) sums.set(`${quarter} ${text}`, { quarter, text, count });
    else sum.count += count;
  }
  return [...sums.values()].map(({ quarter, text, count }) => formatFact(quarter, text, count)).join("");
}

/**
 * Sums the previous month of busy series whose log has reached the second day of a month. By then late scans
 * of the previous month have arrived. Returns the number of rows that D1 wrote.
 */
async function summarizeBefore(d1: D1Database, busy: readonly Move[]): Promise<number> {
  const late = busy.filter(({ month, factsByDay }) => {
    const firstDay = startMonth(month) / DAY_MS;
    return Math.max(...factsByDay.keys()) > firstDay;
  });
  return summarizeMonths(
    d1,
    late.map(({ owner, item, month }) => ({ owner, item, month: month - 1 })),
  );
}

async function readDays(d1: D1Database, moves: readonly Move[]): Promise<Map<string, Counts>> {
  const keys = moves.flatMap(({ owner, item, factsByDay }) =>
    [...factsByDay.keys()].map((day) => [owner, item, day]),
  );
  if (keys.length === 0) return new Map();
  const { results } = await d1
    .prepare(
      `SELECT hex(owner) || ' ' || hex(item) || ' ' || day AS id, hex(counts) AS counts
         FROM json_each(?1) AS key
        CROSS JOIN scan_days ON owner = unhex(key.value ->> 0) AND item = unhex(key.value ->> 1) AND day = key.value ->> 2`,
    )
    .bind(JSON.stringify(keys))
    .all<{ id: string; counts: string }>();
  const days = results.map(async ({ id, counts }) => [id, parseCounts(await unpackText(counts))] as const);
  return new Map(await Promise.all(days));
}

function formatDayId({ owner, item }: Move, day: number): string {
  return `${owner} ${item} ${day}`;
}

function formatGuard({ month, owner, item, moves }: Move): unknown[] {
  return [month, owner, item, moves];
}

// The first values of each row are [month, owner, item, moves].
const GUARDED_ROWS = `
  FROM json_each(?1) AS row
 CROSS JOIN scan_months AS guard ON guard.month = row.value ->> 0 AND guard.owner = unhex(row.value ->> 1)
                                AND guard.item = unhex(row.value ->> 2) AND guard.moves = row.value ->> 3`;

const ADD_DAYS = `
  INSERT INTO scan_days (owner, item, day, counts)
  SELECT guard.owner, guard.item, row.value ->> 4, unhex(row.value ->> 5) ${GUARDED_ROWS} WHERE true
  ON CONFLICT (owner, item, day) DO UPDATE SET counts = excluded.counts`;

const ADD_FACTS = `
  INSERT INTO scan_facts (day, owner, item, part, facts)
  SELECT row.value ->> 4, guard.owner, guard.item, guard.moves, unhex(row.value ->> 5) ${GUARDED_ROWS}`;

const ADD_PARTS = `
  INSERT INTO scan_parts (owner, month, item, part, facts)
  SELECT guard.owner, guard.month, guard.item, guard.moves, unhex(row.value ->> 4) ${GUARDED_ROWS}`;

const CUT_LOGS = `
  UPDATE scan_months SET log = substr(log, row.value ->> 4), moves = moves + 1
    FROM json_each(?1) AS row
   WHERE month = row.value ->> 0 AND owner = unhex(row.value ->> 1) AND item = unhex(row.value ->> 2)
     AND moves = row.value ->> 3`;
