import { joinInOrder } from "../core/join-in-order.ts";
import { DAY_MS, HOUR_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { DIMENSIONS, type Dimension } from "../scans/dimensions.ts";
import { TRAFFIC_CLASSES } from "../scans/traffic.ts";
import { QUARTER_MS, type Tally } from "./buckets.ts";
import type { CountInterval, ScanCounts, ScanFilter, ValueCount } from "./counts.ts";
import { readDayCounts, readMonthCounts, requireFewDayCounts } from "./counts-reader.ts";
import { type ClassCounts, QUARTERS } from "./day-counts.ts";
import { type FactQuery, readFacts } from "./facts-reader.ts";
import { requireDays, requireFacts, requireWholeMonths } from "./retention.ts";
import { FACT_DIMENSIONS, type Series, type SeriesSet, toHexId, toUuid, WORKSPACE_SCANS } from "./series.ts";
import { readDayTotals, readLinkTotals } from "./totals-reader.ts";

const INTERVALS_MS: Record<CountInterval, number> = { quarter: QUARTER_MS, hour: HOUR_MS, day: DAY_MS };

/** Database that a query reads, and the current time. */
export interface Source {
  db: Database;
  nowMs: number;
}

/**
 * Returns the engine that reads a workspace's roll-ups. Its methods throw `VALIDATION_ERROR` for ranges and
 * filters that the retention doesn't cover.
 */
export function createWorkspaceRollups(source: Source, workspaceId: string): ScanCounts {
  const owner = toHexId(workspaceId);
  return createRollups(source, ({ linkId, label }) => ({
    owner,
    item: linkId === null ? WORKSPACE_SCANS : toHexId(linkId),
    label: label === null ? undefined : { workspaceId, name: label },
  }));
}

/**
 * Returns the engine that reads one series. Its methods throw the same errors as {@link
 * createWorkspaceRollups}.
 */
export function createSeriesRollups(source: Source, series: Series): ScanCounts {
  return createRollups(source, () => series);
}

function createRollups(source: Source, pickSeries: (filter: ScanFilter) => SeriesSet): ScanCounts {
  return {
    async byTime(interval, filter) {
      const series = pickSeries(filter);
      const isPlain = filter.values.size === 0;
      if (isPlain && interval === "day")
        return sumDays(await readDayTotals(source.db, series, filter), filter);
      if (isPlain) return countQuarters(source, series, filter, INTERVALS_MS[interval]);
      return countFactTimes(source, series, filter, INTERVALS_MS[interval]);
    },
    async byValue(dimension, limit, filter) {
      const series = pickSeries(filter);
      const counts = await countValues(source, series, dimension, limit, filter);
      return sortValues(counts, limit);
    },
  };
}

function sumDays(totals: ReadonlyMap<number, ClassCounts>, filter: ScanFilter): Tally[] {
  return [...totals].map(([day, counts]) => ({ startMs: day * DAY_MS, scans: pickClass(counts, filter) }));
}

async function countQuarters(
  source: Source,
  series: SeriesSet,
  filter: ScanFilter,
  intervalMs: number,
): Promise<Tally[]> {
  requireDays(filter.isLocal ? "time_zone" : "interval", filter, source.nowMs);
  await requireFewDayCounts(source.db, series, filter);
  const days = await readDayCounts(source.db, series, QUARTERS, filter);
  const tallies = days.flatMap(([day, quarters]) =>
    [...quarters].map(([quarter, counts]) => ({
      timeMs: day * DAY_MS + Number(quarter) * QUARTER_MS,
      scans: pickClass(counts, filter),
    })),
  );
  return tallies
    .filter(({ timeMs }) => timeMs >= filter.fromMs && timeMs < filter.toMs)
    .map(({ timeMs, scans }) => ({ startMs: timeMs - (timeMs % intervalMs), scans }));
}

async function countFactTimes(
  source: Source,
  series: SeriesSet,
  filter: ScanFilter,
  intervalMs: number,
): Promise<Tally[]> {
  const counts = new Map<number, number>();
  await readMatchingFacts(source, series, filter, [], ({ quarter, count }) => {
    const startMs = quarter * QUARTER_MS - ((quarter * QUARTER_MS) % intervalMs);
    counts.set(startMs, (counts.get(startMs) ?? 0) + count);
  });
  return [...counts].map(([startMs, scans]) => ({ startMs, scans }));
}

async function countValues(
  source: Source,
  series: SeriesSet,
  dimension: Dimension,
  limit: number,
  filter: ScanFilter,
): Promise<Map<string, number>> {
  const isPlain = filter.values.size === 0 && !filter.isLocal;
  const isOfWorkspace = series.item === WORKSPACE_SCANS;
  if (!isPlain) return countFactValues(source, series, dimension, filter);
  if (dimension === "traffic" || (dimension === "link" && filter.linkId !== null)) {
    const totals = sumTotals(await readDayTotals(source.db, series, filter));
    if (dimension === "link") return new Map([[filter.linkId ?? "", pickClass(totals, filter)]]);
    return splitClasses(totals, filter);
  }
  if (dimension === "link" && isOfWorkspace) return readLinkTotals(source.db, series, filter, limit);
  requireWholeMonths(filter, source.nowMs);
  const number = DIMENSIONS[dimension];
  const [months] = await joinInOrder(
    readMonthCounts(source.db, series, number, filter),
    requireFewDayCounts(source.db, series, filter),
  );
  const summed = months.filter(({ isSummary }) => isSummary);
  const days = await readDayCounts(source.db, series, number, filter, summed);
  const sums = new Map<string, number>();
  for (const counts of [...days.map(([, counts]) => counts), ...months.map(({ counts }) => counts)]) {
    for (const [value, classCounts] of counts) {
      sums.set(value, (sums.get(value) ?? 0) + pickClass(classCounts, filter));
    }
  }
  return sums;
}

async function countFactValues(
  source: Source,
  series: SeriesSet,
  dimension: Dimension,
  filter: ScanFilter,
): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  // Facts of scans have no value for the link, because each link is a series of its own. The item identifies
  // the link.
  const isByItem = dimension === "link" && (series.item === WORKSPACE_SCANS || filter.linkId !== null);
  const index = FACT_DIMENSIONS.indexOf(dimension);
  await readMatchingFacts(source, series, filter, isByItem ? [] : [dimension], ({ item, values, count }) => {
    const value = isByItem ? toUuid(item) : (values[index] ?? "");
    sums.set(value, (sums.get(value) ?? 0) + count);
  });
  return sums;
}

/** Calls `take` with every fact that a filter selects. Throws `VALIDATION_ERROR`. */
async function readMatchingFacts(
  { db, nowMs }: Source,
  series: SeriesSet,
  filter: ScanFilter,
  dimensions: Dimension[],
  take: FactQuery["take"],
): Promise<void> {
  const [field = "time_zone"] = filter.values.keys();
  requireFacts(field, filter, nowMs);
  const query = { series, filter, dimensions: [...filter.values.keys(), ...dimensions], field, take };
  await readFacts(db, query);
}

function pickClass(counts: ClassCounts, { traffic }: ScanFilter): number {
  if (traffic !== null) return counts[TRAFFIC_CLASSES.indexOf(traffic)] ?? 0;
  return counts.reduce((sum, count) => sum + count, 0);
}

function sumTotals(totals: ReadonlyMap<number, ClassCounts>): ClassCounts {
  const sums = TRAFFIC_CLASSES.map(() => 0);
  for (const counts of totals.values()) {
    counts.forEach((count, index) => {
      sums[index] = (sums[index] ?? 0) + count;
    });
  }
  return sums;
}

function splitClasses(totals: ClassCounts, { traffic }: ScanFilter): Map<string, number> {
  const classes = TRAFFIC_CLASSES.map((name, index) => [name, totals[index] ?? 0] as const);
  return new Map(
    classes
      .filter(([name]) => traffic === null || traffic === name)
      .map(([name, scans]) => [name === "human" ? "" : name, scans]),
  );
}

function sortValues(counts: ReadonlyMap<string, number>, limit: number): ValueCount[] {
  return [...counts]
    .filter(([, scans]) => scans > 0)
    .map(([value, scans]) => ({ value, scans }))
    .sort((one, other) => other.scans - one.scans || (one.value < other.value ? -1 : 1))
    .slice(0, limit);
}
