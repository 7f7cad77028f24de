import { joinInOrder } from "../core/join-in-order.ts";
import { DAY_MS, HOUR_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { DIMENSIONS, type Dimension } from "../scans/dimensions.ts";
import { TRAFFIC_CLASSES } from "../scans/traffic.ts";
import { QUARTER_MS, type Range, type Tally } from "./buckets.ts";
import type { CountInterval, ScanCounts, ScanFilter, ValueCount } from "./counts.ts";
import { type RepeatedCounts, readDayCounts, readMonthCounts, requireFewDayCounts } from "./counts-reader.ts";
import { type ClassCounts, getClassIndex, QUARTERS, type ValueCounts } from "./day-counts.ts";
import { FactVisitors } from "./fact-visitors.ts";
import { type FactQuery, readFacts } from "./facts-reader.ts";
import { uniteDays } from "./label-visitors.ts";
import { requireDays, requireFacts, requireWholeMonths } from "./retention.ts";
import { FACT_DIMENSIONS, type Series, type SeriesSet, toHexId, toUuid, WORKSPACE_SCANS } from "./series.ts";
import { type DaySum, readDayTotals, readLinkTotals } from "./totals-reader.ts";
import {
  addVisitors,
  countDayVisitors,
  limitVisitors,
  NO_VISITORS,
  SAMPLE_MAX,
  type VisitorCount,
} from "./visitor-count.ts";

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
 * Returns the engine that reads one series of a bio page. Its methods throw the same errors as {@link
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
      if (isPlain && interval === "day") return sumDays(await readDays(source, series, filter), filter);
      if (isPlain) return countQuarters(source, series, filter, INTERVALS_MS[interval]);
      return countFactTimes(source, series, filter, INTERVALS_MS[interval]);
    },
    async byValue(dimension, limit, filter) {
      const series = pickSeries(filter);
      if (filter.values.size > 0 || filter.isLocal) {
        const { values, visitors } = await countFactValues(source, series, dimension, filter);
        return { items: sortValues(values, limit), ...(filter.hasVisitors && { visitors }) };
      }
      const [values, visitors] = await Promise.all([
        countValues(source, series, dimension, limit, filter),
        filter.hasVisitors ? readDays(source, series, filter).then(sumVisitors) : undefined,
      ]);
      return { items: sortValues(values, limit), ...(visitors && { visitors }) };
    },
  };
}

/** Scans and visitors of a value. Visitors are missing if they aren't counted for the filter. */
type ValueSum = Omit<ValueCount, "value">;

async function readDays(
  { db }: Source,
  series: SeriesSet,
  range: Range,
): Promise<ReadonlyMap<number, DaySum>> {
  const totals = await readDayTotals(db, series, range);
  if (series.label !== undefined) return uniteDays(db, series, range, totals);
  return totals.get(series.item.toUpperCase()) ?? new Map();
}

function getDayVisitors({ scans: [people = 0], repeats, isEstimated }: DaySum): VisitorCount {
  return addVisitors(countDayVisitors(people, repeats), { count: 0, isEstimated: isEstimated ?? false });
}

function sumVisitors(days: ReadonlyMap<number, DaySum>): VisitorCount {
  return [...days.values()].map(getDayVisitors).reduce(addVisitors, NO_VISITORS);
}

function sumDays(days: ReadonlyMap<number, DaySum>, filter: ScanFilter): Tally[] {
  return [...days].map(([day, sum]) => ({
    startMs: day * DAY_MS,
    scans: pickClass(sum.scans, filter),
    ...(filter.hasVisitors && { visitors: getDayVisitors(sum) }),
  }));
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
  const tallies = days.flatMap(({ day, ...counted }) => {
    const { counts, repeats } = counted;
    const isEstimated = hasEstimates(series, counted);
    return [...counts].map(([quarter, classCounts]) => {
      const scans = pickClass(classCounts, filter);
      // A visitor counts at the first scan, so a quarter can have scans but no visitor.
      const count = Math.min(scans, Math.max(0, scans - (repeats.get(quarter) ?? 0)));
      return { timeMs: day * DAY_MS + Number(quarter) * QUARTER_MS, scans, visitors: { count, isEstimated } };
    });
  });
  return tallies
    .filter(({ timeMs }) => timeMs >= filter.fromMs && timeMs < filter.toMs)
    .map(({ timeMs, scans, visitors }) => ({
      startMs: timeMs - (timeMs % intervalMs),
      scans,
      ...(filter.hasVisitors && { visitors }),
    }));
}

/**
 * Returns true if visitors by value, or by time of the first scan, are estimates: on days with more visitors than
 * a sample holds, and for several links, whose visitors are added up.
 */
function hasEstimates({ label }: SeriesSet, { counts, repeats }: RepeatedCounts): boolean {
  return label !== undefined || sumHumans(counts) - sumNumbers(repeats.values()) > SAMPLE_MAX;
}

function sumHumans(counts: ValueCounts): number {
  return sumNumbers([...counts.values()].map(([people = 0]) => people));
}

function sumNumbers(numbers: Iterable<number>): number {
  return [...numbers].reduce((sum, number) => sum + number, 0);
}

async function countFactTimes(
  source: Source,
  series: SeriesSet,
  filter: ScanFilter,
  intervalMs: number,
): Promise<Tally[]> {
  const counts = new Map<number, number>();
  const visitors = new FactVisitors<number>();
  await readMatchingFacts(source, series, filter, [], (fact) => {
    const startMs = fact.quarter * QUARTER_MS - ((fact.quarter * QUARTER_MS) % intervalMs);
    counts.set(startMs, (counts.get(startMs) ?? 0) + fact.count);
    visitors.add(startMs, fact);
  });
  const firsts = visitors.countFirst();
  return [...counts].map(([startMs, scans]) => ({
    startMs,
    scans,
    ...(filter.hasVisitors && { visitors: { count: firsts.get(startMs) ?? 0, isEstimated: false } }),
  }));
}

async function countValues(
  source: Source,
  series: SeriesSet,
  dimension: Dimension,
  limit: number,
  filter: ScanFilter,
): Promise<Map<string, ValueSum>> {
  if (dimension === "traffic" || (dimension === "link" && filter.linkId !== null)) {
    const days = await readDays(source, series, filter);
    const scans = sumScans(days);
    const visitors = sumVisitors(days);
    if (dimension === "traffic") return splitClasses(scans, visitors, filter);
    const sum = { scans: pickClass(scans, filter), ...(filter.hasVisitors && { visitors }) };
    return new Map([[filter.linkId ?? "", sum]]);
  }
  if (dimension === "link" && series.item === WORKSPACE_SCANS)
    return countLinks(source, series, limit, filter);
  requireWholeMonths(filter, source.nowMs);
  const number = DIMENSIONS[dimension];
  const [months] = await joinInOrder(
    readMonthCounts(source.db, series, number, filter),
    requireFewDayCounts(source.db, series, filter),
  );
  const summed = months.filter(({ isSummary }) => isSummary);
  const days = await readDayCounts(source.db, series, number, filter, summed);
  const sums = new Map<string, ValueSum>();
  for (const counted of [...days, ...months]) {
    const { counts, repeats } = counted;
    // A value's visitors are estimated if the day's are. Each visitor has at least one value.
    const isEstimated = hasEstimates(series, counted);
    for (const [value, classCounts] of counts) {
      const sum = sums.get(value) ?? { scans: 0 };
      sum.scans += pickClass(classCounts, filter);
      if (filter.hasVisitors) {
        const count = limitVisitors(classCounts[0] ?? 0, repeats.get(value) ?? 0);
        sum.visitors = addVisitors(sum.visitors ?? NO_VISITORS, { count, isEstimated });
      }
      sums.set(value, sum);
    }
  }
  return sums;
}

/** Returns the links of a workspace or label with the most scans, by id. */
async function countLinks(
  { db }: Source,
  series: SeriesSet,
  limit: number,
  filter: ScanFilter,
): Promise<Map<string, ValueSum>> {
  const totals = await readLinkTotals(db, series, filter, limit);
  if (!filter.hasVisitors) return new Map([...totals].map(([id, scans]) => [id, { scans }]));
  const links = { ...series, items: [...totals.keys()].map(toHexId) };
  const days = await readDayTotals(db, links, filter);
  return new Map(
    [...totals].map(([id, scans]) => {
      const visitors = sumVisitors(days.get(toHexId(id).toUpperCase()) ?? new Map());
      return [id, { scans, visitors }];
    }),
  );
}

async function countFactValues(
  source: Source,
  series: SeriesSet,
  dimension: Dimension,
  filter: ScanFilter,
): Promise<{ values: Map<string, ValueSum>; visitors: VisitorCount }> {
  const sums = new Map<string, ValueSum>();
  const visitors = new FactVisitors<string>();
  // Facts of scans have no value for the link, because each link is a series of its own. The item identifies
  // the link.
  const isByItem = dimension === "link" && (series.item === WORKSPACE_SCANS || filter.linkId !== null);
  const index = FACT_DIMENSIONS.indexOf(dimension);
  await readMatchingFacts(source, series, filter, isByItem ? [] : [dimension], (fact) => {
    const value = isByItem ? toUuid(fact.item) : (fact.values[index] ?? "");
    const sum = sums.get(value) ?? { scans: 0 };
    sum.scans += fact.count;
    sums.set(value, sum);
    if (getClassIndex(fact) === 0) visitors.add(value, fact);
  });
  const isOfPeople = (value: string) => filter.hasVisitors || (dimension === "traffic" && value === "");
  for (const [value, count] of visitors.countByKey()) {
    const sum = sums.get(value);
    if (sum !== undefined && isOfPeople(value)) sum.visitors = { count, isEstimated: false };
  }
  return { values: sums, visitors: { count: visitors.count(), isEstimated: false } };
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

function sumScans(days: ReadonlyMap<number, DaySum>): ClassCounts {
  const sums = TRAFFIC_CLASSES.map(() => 0);
  for (const { scans } of days.values()) {
    scans.forEach((count, index) => {
      sums[index] = (sums[index] ?? 0) + count;
    });
  }
  return sums;
}

function splitClasses(
  scans: ClassCounts,
  visitors: VisitorCount,
  { traffic }: ScanFilter,
): Map<string, ValueSum> {
  const classes = TRAFFIC_CLASSES.map((name, index) => [name, scans[index] ?? 0] as const);
  return new Map(
    classes
      .filter(([name]) => traffic === null || traffic === name)
      .map(([name, count]) =>
        name === "human" ? ["", { scans: count, visitors }] : [name, { scans: count }],
      ),
  );
}

function sortValues(sums: ReadonlyMap<string, ValueSum>, limit: number): ValueCount[] {
  return [...sums]
    .filter(([, { scans }]) => scans > 0)
    .map(([value, sum]) => ({ value, ...sum }))
    .sort((one, other) => other.scans - one.scans || (one.value < other.value ? -1 : 1))
    .slice(0, limit);
}
