import { fillPoints, formatDay, type Range } from "../analytics/buckets.ts";
import { type Counts, OTHER } from "../analytics/day-counts.ts";
import { ByteBoundedMap } from "../caching/byte-bounded-map.ts";
import { estimateHeapBytes } from "../core/heap-size.ts";
import { DAY_MS, SECOND_MS } from "../core/time.ts";
import { openDatabase } from "../db/database.ts";
import { DIMENSIONS, WITHOUT_VALUE } from "../scans/dimensions.ts";
import {
  areCountsFew,
  limitToBreakdowns,
  readCounts,
  selectCountsSize,
  selectTotals,
  sumTotals,
} from "./report-counts.ts";
import { selectReportLinks } from "./report-links.ts";
import { readRangeColumns, resolveRange } from "./report-range.ts";
import {
  REPORT_DIMENSIONS,
  type ReportBreakdown,
  type ReportData,
  type ReportDimension,
} from "./report-view.ts";
import type { Report } from "./reports.directory.table.ts";

/** Maximum number of values in a breakdown, and of links in the ranking. */
const VALUES_MAX = 5;
const LINKS_MAX = 50;
/** Longest range whose chart has a bar for each day. Longer ones have a bar for each week. */
const DAILY_MAX = 62;
/** Time for which the counts of a report are kept, so that a report that many open costs few reads. */
const KEPT_MS = 30 * SECOND_MS;
const KEPT_BYTES_MAX = 4_000_000;

const kept = new ByteBoundedMap<{ untilMs: number; data: ReportData }>(KEPT_BYTES_MAX);

/** Returns the data of a report as of at most 30 seconds ago. */
export async function readReportData(d1: D1Database, report: Report, nowMs: number): Promise<ReportData> {
  const known = kept.get(report.id);
  if (known !== undefined && nowMs < known.untilMs) return known.data;
  const data = await readData(d1, report, nowMs);
  kept.set(report.id, { untilMs: nowMs + KEPT_MS, data }, estimateHeapBytes(data));
  return data;
}

async function readData(d1: D1Database, report: Report, nowMs: number): Promise<ReportData> {
  const db = openDatabase(d1);
  const { workspaceId, linkIds, label } = report;
  const range = resolveRange(readRangeColumns(report), nowMs);
  const set = { workspaceId, choice: linkIds === null ? { label: label ?? "" } : { linkIds }, range };
  const covered = limitToBreakdowns(range, nowMs);
  const detailed = { ...set, range: covered };
  const [links, rows, [size]] = await db.batch([
    selectReportLinks(db, workspaceId, set.choice),
    selectTotals(db, set),
    selectCountsSize(db, detailed),
  ]);
  const isReadable = covered.fromMs < covered.toMs && areCountsFew(size);
  const counts = !isReadable ? null : size?.count === 0 ? new Map() : await readCounts(db, detailed);
  const { days, byLink } = sumTotals(rows, range);
  const tallies = [...days].map(([day, scans]) => ({ startMs: day * DAY_MS, scans }));
  const daily = fillPoints("day", range, tallies);
  const interval = daily.length <= DAILY_MAX ? "day" : "week";
  const total = daily.reduce((sum, { scans }) => sum + scans, 0);
  const [best] = daily.toSorted((one, other) => other.scans - one.scans);
  const ranked = links
    .map((link) => ({ ...link, scans: byLink.get(link.id) ?? 0 }))
    .sort((one, other) => other.scans - one.scans);
  return {
    fromDate: formatDay(range.fromMs),
    toDate: formatDay(range.toMs - DAY_MS),
    total,
    dayCount: countPastDays(range, nowMs),
    best: best !== undefined && best.scans > 0 ? best : null,
    interval,
    points: interval === "day" ? daily : fillPoints("week", range, tallies),
    links: ranked.slice(0, LINKS_MAX),
    linkCount: ranked.length,
    breakdowns: counts === null ? null : REPORT_DIMENSIONS.map((name) => breakDown(counts, name)),
    breakdownDays:
      covered.fromMs === range.fromMs && covered.toMs === range.toMs
        ? null
        : { fromDate: formatDay(covered.fromMs), toDate: formatDay(covered.toMs - DAY_MS) },
  };
}

/** Counts the days of a range that have begun, at least 1. */
function countPastDays({ fromMs, toMs }: Range, nowMs: number): number {
  return Math.max(1, Math.ceil((Math.min(toMs, nowMs) - fromMs) / DAY_MS));
}

/** Returns the most frequent values of a dimension. Further values are summed as {@link OTHER}. */
function breakDown(counts: Counts, dimension: ReportDimension): ReportBreakdown {
  const values = [...(counts.get(DIMENSIONS[dimension]) ?? [])]
    .map(([value, [people = 0]]) => ({
      value: value || (WITHOUT_VALUE[dimension] ?? "unknown"),
      scans: people,
    }))
    .filter(({ scans }) => scans > 0)
    .sort((one, other) => other.scans - one.scans || (one.value < other.value ? -1 : 1));
  const named = values.filter(({ value }) => value !== OTHER);
  const items = named.length <= VALUES_MAX ? named : named.slice(0, VALUES_MAX - 1);
  const shown = items.reduce((sum, { scans }) => sum + scans, 0);
  const rest = values.reduce((sum, { scans }) => sum + scans, 0) - shown;
  return { dimension, items: rest > 0 ? [...items, { value: OTHER, scans: rest }] : items };
}
