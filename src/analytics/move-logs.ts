import { logError } from "../core/log.ts";
import { DAY_MS } from "../core/time.ts";
import { formatBatches } from "../db/json-batches.ts";
import { listMarks } from "../scans/visitor-mark.ts";
import { QUARTERS_PER_DAY, startMonth } from "./buckets.ts";
import { addFact, type Counts, capFacts, formatCounts, parseCounts } from "./day-counts.ts";
import { formatRepeatsKey } from "./day-totals.ts";
import { formatFact, formatValues, parseFacts } from "./fact-log.ts";
import { packText, unpackText } from "./packed-text.ts";
import { type Overflow, readOverflows } from "./roll-up.ts";
import { sumRowsWritten } from "./scan-costs.ts";
import { type Fact, WORKSPACE_SCANS } from "./series.ts";
import { summarizeMonths } from "./summarize.ts";
import { addRepeats, countRepeats } from "./visitor-repeats.ts";
import { VisitorSample } from "./visitor-sample.ts";

/**
 * Maximum number of days, including the last, whose facts stay in the log of a quiet series. Facts of a day that leave
 * the log together show which of them are of the same visitor.
 */
const QUIET_DAYS_KEPT = 2;
/** Number of days, including the last, for which the samples of a busy series keep the visitors' values. */
const VALUES_DAYS_KEPT = 2;
/** Number of earlier days whose samples are checked for values. */
const VALUES_DAYS_CHECKED = 7;
/** Compressed size in bytes up to which facts are added to the last part of a month. Long parts compress better. */
const PART_BYTES_MAX = 1_500;
/** Maximum number of logs that are moved after a batch. The next batches move the others. */
const MOVES_MAX = 50;

/** Log to move, with its facts by day. */
interface Move extends Overflow {
  factsByDay: Map<number, Fact[]>;
  isBusy: boolean;
  /** Lines that stay in the log. */
  kept: string;
  lastDay: number;
}

/** Key of a log, and of the parts of its month. */
type LogKey = Pick<Overflow, "month" | "owner" | "item">;

/** Condition for the rows of a log, given as a JSON array that begins with its month, owner and item. */
const OF_LOG = "month = key.value ->> 0 AND owner = unhex(key.value ->> 1) AND item = unhex(key.value ->> 2)";

/** Counts and visitors of a day. */
interface Day {
  counts: Counts;
  sample: VisitorSample;
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
 * - Busy series: adds the facts to the counts of their days, and their visitors to the samples of these days.
 *   Also keeps the facts for filters, with {@link OTHER} for values that the counts of the day don't include.
 *   Skips facts of workspaces, since the facts of their links are the same.
 * - Quiet series: keeps the facts as they are, in few long rows, except days that have counts from a busy time.
 *
 * Each row is written only if its log hasn't been moved since the log was read. Between two moves a log only
 * grows, so the log still begins with the text that was read.
 */
async function moveLogs(d1: D1Database, overflows: readonly Overflow[]): Promise<number> {
  if (overflows.length === 0) return 0;
  // A batch can report a log twice. The later report contains everything of the earlier one.
  const latest = new Map(overflows.map((overflow) => [formatLogId(overflow), overflow]));
  const reported = [...latest.values()].slice(0, MOVES_MAX).map(prepareMove);
  const busy = reported.filter(({ isBusy }) => isBusy);
  const known = await readDays(d1, reported);
  const starting = busy.filter((move) => !known.has(formatDayId(move, move.lastDay)));
  const leftovers = (await readLeftovers(d1, reported, starting)).filter(
    (move) => !latest.has(formatLogId(move)),
  );
  for (const [id, day] of await readDays(d1, leftovers)) known.set(id, day);
  const moves = [...reported, ...leftovers];
  const samples = await shrinkSamples(d1, starting, known);
  const lastParts = await readLastParts(d1, moves);
  const days: unknown[] = [];
  const facts: unknown[] = [];
  const parts: unknown[] = [];
  const ends: unknown[] = [];
  for (const move of moves) {
    const quiet: Fact[] = [];
    const repeats: Record<string, number> = {};
    for (const [day, dayFacts] of move.factsByDay) {
      const stored = known.get(formatDayId(move, day));
      const key = formatRepeatsKey(day);
      if (!move.isBusy && stored === undefined) {
        quiet.push(...dayFacts);
        repeats[key] = countRepeats(dayFacts);
        continue;
      }
      const { counts, sample } = stored ?? { counts: new Map(), sample: new VisitorSample() };
      for (const fact of dayFacts) addFact(counts, fact);
      const capped = capFacts(dayFacts, counts);
      repeats[key] = addRepeats(counts, sample, capped);
      const packed = await packText(formatCounts(counts));
      days.push([...formatGuard(move), day, packed, await sample.pack(true)]);
      if (move.item !== WORKSPACE_SCANS)
        facts.push([...formatGuard(move), day, await packText(mergeFacts(capped))]);
    }
    if (quiet.length > 0) {
      const { part, facts: earlier } = lastParts.get(formatLogId(move)) ?? { part: move.moves, facts: "" };
      parts.push([...formatGuard(move), part, await packText(earlier + formatPart(move, quiet))]);
    }
    ends.push([...formatGuard(move), move.logLength + 1, move.kept, selectNonZero(repeats)]);
  }
  const statements: [string, unknown[]][] = [
    [ADD_DAYS, days],
    [SHRINK_SAMPLES, samples],
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
  const facts = parseFacts(overflow.log);
  const byDay = Map.groupBy(facts, getDay);
  // One day fills the log of a busy series. The facts of a quiet one take less space than counts per day would.
  const isBusy = byDay.size === 1;
  const lastDay = Math.max(...byDay.keys());
  // Keeps fewer days than the log has.
  const isKept = (day: number) => day > lastDay - Math.min(QUIET_DAYS_KEPT, byDay.size - 1);
  const kept = facts.filter((fact) => isKept(getDay(fact)));
  const factsByDay = new Map([...byDay].filter(([day]) => !isKept(day)));
  return { ...overflow, factsByDay, isBusy, kept: formatFacts(kept), lastDay };
}

function getDay({ quarter }: Fact): number {
  return Math.floor(quarter / QUARTERS_PER_DAY);
}

function formatFacts(facts: readonly Fact[]): string {
  return facts
    .map(({ quarter, values, count, visitors }) => formatFact(quarter, formatValues(values), count, visitors))
    .join("");
}

/**
 * Formats the facts of quiet days. In a workspace, leaves out the marks of visitors with only one fact in a day,
 * because a fact without a mark counts as a visitor of its own. Facts of links keep them, so that the visitors
 * of several links can be united.
 */
function formatPart({ item }: Move, facts: readonly Fact[]): string {
  if (item !== WORKSPACE_SCANS) return formatFacts(facts);
  const seen = new Map<string, number>();
  const listIds = (fact: Fact) => listMarks(fact.visitors ?? "").map((mark) => `${getDay(fact)} ${mark}`);
  for (const id of facts.flatMap(listIds)) seen.set(id, (seen.get(id) ?? 0) + 1);
  return formatFacts(
    facts.map((fact) => {
      const { visitors: _, ...withoutMark } = fact;
      return fact.count === 1 && listIds(fact).every((id) => seen.get(id) === 1) ? withoutMark : fact;
    }),
  );
}

/** Formats facts. Merges facts that are equal except for their visitors. */
function mergeFacts(facts: readonly Fact[]): string {
  const sums = new Map<string, { quarter: number; text: string; count: number; visitors: string }>();
  for (const { quarter, values, count, visitors = "" } of facts) {
    const text = formatValues(values);
    const sum = sums.get(`${quarter} ${text}`);
    if (sum === undefined) {
      sums.set(`${quarter} ${text}`, { quarter, text, count, visitors });
    } else {
      sum.count += count;
      sum.visitors += visitors;
    }
  }
  return [...sums.values()]
    .map(({ quarter, text, count, visitors }) => formatFact(quarter, text, count, visitors))
    .join("");
}

function selectNonZero(repeats: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(repeats).filter(([, count]) => count !== 0));
}

/**
 * Reads what is left in the logs of the previous month, which no scan makes longer:
 *
 * - of quiet series whose log of this month is moved for the first time, because compressed facts take less space
 * - of busy series that begin a new day early in a month, because their visitors must be compared with the samples of
 *   their days while these have values
 */
async function readLeftovers(
  d1: D1Database,
  reported: readonly Move[],
  starting: readonly Move[],
): Promise<Move[]> {
  const quiet = reported.filter(({ isBusy, moves }) => !isBusy && moves === 0);
  const keys = [
    ...quiet.map(({ month, owner, item }) => [month - 1, owner, item]),
    ...starting.flatMap(({ month, owner, item, lastDay }) => {
      const firstDay = startMonth(month) / DAY_MS;
      const isEarly = lastDay > firstDay && lastDay - VALUES_DAYS_CHECKED <= firstDay;
      return isEarly ? [[month - 1, owner, item, firstDay]] : [];
    }),
  ];
  if (keys.length === 0) return [];
  const { results } = await d1
    .prepare(
      `SELECT month, hex(owner) AS owner, hex(item) AS item, moves, log, length(log) AS logLength
         FROM json_each(?1) AS key
        CROSS JOIN scan_months ON ${OF_LOG}
        WHERE log <> ''
          AND (key.value ->> 3 IS NULL
               OR EXISTS (SELECT 1 FROM scan_days AS days
                           WHERE days.owner = scan_months.owner AND days.item = scan_months.item
                             AND days.day < key.value ->> 3 AND days.day >= (key.value ->> 3) - 31))`,
    )
    .bind(JSON.stringify(keys))
    .all<Overflow>();
  return results.map((overflow) => {
    const factsByDay = Map.groupBy(parseFacts(overflow.log), getDay);
    return { ...overflow, factsByDay, isBusy: false, kept: "", lastDay: Math.max(...factsByDay.keys()) };
  });
}

/**
 * Returns rows that remove the values from samples of series that begin a new day. Late scans of such a day are
 * rare, and the counts of the day already include the visitors by value. Samples of workspaces are emptied,
 * because nothing is united with them. Leaves out days in `known`, which are about to change.
 */
async function shrinkSamples(
  d1: D1Database,
  starting: readonly Move[],
  known: ReadonlyMap<string, Day>,
): Promise<unknown[]> {
  if (starting.length === 0) return [];
  const bySeries = new Map(starting.map((move) => [`${move.owner} ${move.item}`, move]));
  const keys = starting.map(({ owner, item, lastDay }) => {
    const endDay = lastDay - VALUES_DAYS_KEPT + 1;
    return [owner, item, endDay - VALUES_DAYS_CHECKED, endDay];
  });
  const { results } = await d1
    .prepare(
      `SELECT hex(owner) || ' ' || hex(item) AS series, day, hex(visitors) AS visitors
         FROM json_each(?1) AS key
        CROSS JOIN scan_days ON owner = unhex(key.value ->> 0) AND item = unhex(key.value ->> 1)
                            AND day >= key.value ->> 2 AND day < key.value ->> 3
        WHERE octet_length(visitors) > 0`,
    )
    .bind(JSON.stringify(keys))
    .all<{ series: string; day: number; visitors: string }>();
  const rows: unknown[] = [];
  for (const { series, day, visitors } of results) {
    const move = bySeries.get(series);
    const sample = await VisitorSample.unpack(visitors);
    if (move === undefined || known.has(formatDayId(move, day)) || !sample.hasValues) continue;
    const shrunk = move.item === WORKSPACE_SCANS ? "" : await sample.pack(false);
    rows.push([...formatGuard(move), day, shrunk]);
  }
  return rows;
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

async function readDays(d1: D1Database, moves: readonly Move[]): Promise<Map<string, Day>> {
  const keys = moves.flatMap(({ owner, item, factsByDay }) =>
    [...factsByDay.keys()].map((day) => [owner, item, day]),
  );
  if (keys.length === 0) return new Map();
  const { results } = await d1
    .prepare(
      `SELECT hex(owner) || ' ' || hex(item) || ' ' || day AS id, hex(counts) AS counts,
              hex(visitors) AS visitors
         FROM json_each(?1) AS key
        CROSS JOIN scan_days ON owner = unhex(key.value ->> 0) AND item = unhex(key.value ->> 1) AND day = key.value ->> 2`,
    )
    .bind(JSON.stringify(keys))
    .all<{ id: string; counts: string; visitors: string }>();
  const days = results.map(async ({ id, counts, visitors }) => {
    const sample = await VisitorSample.unpack(visitors);
    return [id, { counts: parseCounts(await unpackText(counts)), sample }] as const;
  });
  return new Map(await Promise.all(days));
}

/** Reads the last part of each quiet series in its month, unless it is long. */
async function readLastParts(
  d1: D1Database,
  moves: readonly Move[],
): Promise<Map<string, { part: number; facts: string }>> {
  const keys = moves.filter(({ isBusy }) => !isBusy).map(({ month, owner, item }) => [month, owner, item]);
  if (keys.length === 0) return new Map();
  const { results } = await d1
    .prepare(
      `SELECT month, hex(owner) AS owner, hex(item) AS item, part, hex(facts) AS facts
         FROM json_each(?1) AS key
        CROSS JOIN scan_parts ON ${OF_LOG}
        WHERE octet_length(facts) < ${PART_BYTES_MAX}
          AND part = (SELECT max(part) FROM scan_parts AS last
                       WHERE last.owner = scan_parts.owner AND last.month = scan_parts.month
                         AND last.item = scan_parts.item)`,
    )
    .bind(JSON.stringify(keys))
    .all<LogKey & { part: number; facts: string }>();
  const parts = results.map(
    async ({ part, facts, ...key }) => [formatLogId(key), { part, facts: await unpackText(facts) }] as const,
  );
  return new Map(await Promise.all(parts));
}

function formatLogId({ month, owner, item }: LogKey): string {
  return `${month} ${owner} ${item}`;
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
  INSERT INTO scan_days (owner, item, day, counts, visitors)
  SELECT guard.owner, guard.item, row.value ->> 4, unhex(row.value ->> 5), unhex(row.value ->> 6)
         ${GUARDED_ROWS} WHERE true
  ON CONFLICT (owner, item, day) DO UPDATE SET counts = excluded.counts, visitors = excluded.visitors`;

const SHRINK_SAMPLES = `
  UPDATE scan_days SET visitors = unhex(row.value ->> 5) ${GUARDED_ROWS}
   WHERE scan_days.owner = guard.owner AND scan_days.item = guard.item AND scan_days.day = row.value ->> 4`;

const ADD_FACTS = `
  INSERT INTO scan_facts (day, owner, item, part, facts)
  SELECT row.value ->> 4, guard.owner, guard.item, guard.moves, unhex(row.value ->> 5) ${GUARDED_ROWS}`;

const ADD_PARTS = `
  INSERT INTO scan_parts (owner, month, item, part, facts)
  SELECT guard.owner, guard.month, guard.item, row.value ->> 4, unhex(row.value ->> 5) ${GUARDED_ROWS} WHERE true
  ON CONFLICT (owner, month, item, part) DO UPDATE SET facts = excluded.facts`;

const CUT_LOGS = `
  UPDATE scan_months
     SET log = (row.value ->> 5) || substr(log, row.value ->> 4), moves = moves + 1,
         days = iif(row.value ->> 6 = '{}', days,
                    (SELECT json_group_object(key, total)
                       FROM (SELECT key, sum(value) AS total
                               FROM (SELECT key, value FROM json_each(scan_months.days)
                                      UNION ALL
                                     SELECT key, value FROM json_each(row.value -> 6))
                              GROUP BY key)))
    FROM json_each(?1) AS row
   WHERE month = row.value ->> 0 AND owner = unhex(row.value ->> 1) AND item = unhex(row.value ->> 2)
     AND moves = row.value ->> 3`;
