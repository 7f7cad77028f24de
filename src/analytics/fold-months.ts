import { DAY_MS } from "../core/time.ts";
import { formatBatches } from "../db/json-batches.ts";
import { hasLockedWorkspaces } from "../tenant/transits.ts";
import { startMonth } from "./buckets.ts";
import { MONTH_COLUMNS, type MonthRow, type MonthSum, sumMonths } from "./month-sums.ts";
import { getFirstFactsMs, getFirstMonthKept } from "./retention.ts";
import { recordCosts, sumRowsWritten, sweepCosts } from "./scan-costs.ts";

/** Maximum number of series that are folded in one step, each with up to 31 days. */
const STEP_SERIES = 30;
/** Maximum number of rows of facts that are deleted in one step. */
const STEP_FACTS = 1_000;
/** Maximum number of steps in one sweep, for each kind of step. The next sweep continues. */
const STEPS_MAX = 50;

/**
 * Deletes expired facts, and folds months that are no longer kept by day (replaces their rows with sums).
 * Called by the cron. Does nothing while a workspace moves to or from this shard, because a partly copied
 * month must not be folded.
 */
export async function sweepScans(d1: D1Database, nowMs: number): Promise<void> {
  await sweepCosts(d1, nowMs);
  if (await hasLockedWorkspaces(d1)) return;
  let swept = 0;
  for (const takeStep of [deleteFacts, foldStep]) {
    for (let step = 0, isMore = true; step < STEPS_MAX && isMore; step++) {
      const taken = await takeStep(d1, nowMs);
      swept += taken.rowsWritten;
      isMore = taken.isMore;
    }
  }
  await recordCosts(d1, { swept }, nowMs);
}

/** Result of one step of the sweep. */
interface StepResult {
  isMore: boolean;
  rowsWritten: number;
}

/** Deletes some of the oldest facts. If the step deletes as many rows as allowed, more may be left. */
async function deleteFacts(d1: D1Database, nowMs: number): Promise<StepResult> {
  const { meta } = await d1
    .prepare(
      `DELETE FROM scan_facts WHERE (day, owner, item, part) IN (
         SELECT day, owner, item, part FROM scan_facts WHERE day < ?1 ORDER BY day LIMIT ${STEP_FACTS})`,
    )
    .bind(getFirstFactsMs(nowMs) / DAY_MS)
    .run();
  return { isMore: meta.changes === STEP_FACTS, rowsWritten: meta.rows_written };
}

/**
 * Folds some of the oldest months: replaces the rows of each month with one row of `scan_history`. Skips a
 * series if scans were added since the series was read.
 */
async function foldStep(d1: D1Database, nowMs: number): Promise<StepResult> {
  const { results: due } = await d1.prepare(SELECT_DUE).bind(getFirstMonthKept(nowMs)).all<MonthRow>();
  if (due.length === 0) return { isMore: false, rowsWritten: 0 };
  const guards = due.map(formatGuard);
  const sums = await sumMonths(d1, due);
  const history = due.map((row, index) => {
    const { totals, days, counts } = sums[index] as MonthSum;
    return [...formatGuard(row), ...totals, days, counts];
  });
  const statements = [
    ...formatBatches(history).flatMap((rows) =>
      [ADD_HISTORY, ADD_HISTORY_COUNTS].map((statement) => d1.prepare(statement).bind(rows)),
    ),
    ...[DELETE_DAYS, DELETE_PARTS, DELETE_MONTHS].map((statement) =>
      d1.prepare(statement).bind(JSON.stringify(guards)),
    ),
  ];
  const results = await d1.batch(statements);
  return { isMore: (results.at(-1)?.meta.changes ?? 0) > 0, rowsWritten: sumRowsWritten(results) };
}

function formatGuard({ month, owner, item, moves, logLength }: MonthRow): unknown[] {
  return [month, owner, item, moves, logLength, startMonth(month) / DAY_MS, startMonth(month + 1) / DAY_MS];
}

const SELECT_DUE = `
  SELECT ${MONTH_COLUMNS} FROM scan_months WHERE month < ?1 ORDER BY month, owner, item LIMIT ${STEP_SERIES}`;

// The first values of each row are [month, owner, item, moves, length of the log, first day, end day
// (exclusive)].
const GUARDED_ROWS = `
  FROM json_each(?1) AS row
 CROSS JOIN scan_months AS guard ON guard.month = row.value ->> 0 AND guard.owner = unhex(row.value ->> 1)
                                AND guard.item = unhex(row.value ->> 2) AND guard.moves = row.value ->> 3
                                AND length(guard.log) = row.value ->> 4`;

const ADD_HISTORY = `
  INSERT INTO scan_history (owner, month, item, human, bot, preview, prefetch, scanner, days)
  SELECT guard.owner, guard.month, guard.item, row.value ->> 7, row.value ->> 8, row.value ->> 9, row.value ->> 10,
         row.value ->> 11, row.value -> 12 ${GUARDED_ROWS} WHERE true
  ON CONFLICT (owner, month, item) DO UPDATE SET
    human = excluded.human, bot = excluded.bot, preview = excluded.preview, prefetch = excluded.prefetch,
    scanner = excluded.scanner, days = excluded.days`;

const ADD_HISTORY_COUNTS = `
  INSERT INTO scan_history_counts (owner, month, item, total, counts)
  SELECT guard.owner, guard.month, guard.item,
         (row.value ->> 7) + (row.value ->> 8) + (row.value ->> 9) + (row.value ->> 10) + (row.value ->> 11),
         unhex(row.value ->> 13)
         ${GUARDED_ROWS} WHERE true
  ON CONFLICT (owner, month, item) DO UPDATE SET total = excluded.total, counts = excluded.counts`;

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
