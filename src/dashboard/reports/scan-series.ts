// Pure: no I/O, clock or randomness.
import { fillPoints, type Point, parseRange } from "../../analytics/buckets.ts";
import { addVisitors, NO_VISITORS, type VisitorCount } from "../../analytics/visitor-count.ts";
import { formatPercent } from "../components/chart/chart-scale.ts";
import { addDays, type Days, type ShownRange } from "./shown-range.ts";

/** Computes the scans of a range and of the previous period from one API response. */

/** Points of a range. */
export interface ScanSeries {
  points: Point[];
  /** Same number of points from the previous period. Null if they aren't available. */
  before: Point[] | null;
}

/** Scans and visitors of a range. `isSampled` is true if the numbers of scans are estimates. */
export interface CountedSeries extends ScanSeries {
  isSampled: boolean;
}

/** Query for the points of a range and of the previous period. Weeks and months are summed from days. */
export interface SeriesQuery {
  interval: "hour" | "day";
  from_date: string;
  to_date: string;
  time_zone?: string;
}

const HOURS = 24;

export function toSeriesQuery({ days, before, zone, interval }: ShownRange): SeriesQuery {
  return {
    interval: interval === "hour" ? "hour" : "day",
    from_date: before?.from ?? days.from,
    to_date: days.to,
    ...(zone !== "UTC" && { time_zone: zone }),
  };
}

/** Splits a response's points into the range and the previous period. Leaves out hours that haven't begun. */
export function splitPoints(all: readonly Point[], range: ShownRange, nowMs: number): ScanSeries {
  const { days, before, interval, isHours } = range;
  const begun = interval === "hour" ? all.filter(({ date }) => Date.parse(date) <= nowMs) : all;
  if (isHours) return splitHours(begun, before !== null);
  const isBefore = ({ date }: Point) => date.slice(0, 10) < days.from;
  const own = begun.filter((point) => !isBefore(point));
  const former = begun.filter(isBefore);
  if (interval === "hour" || interval === "day") {
    return { points: own, before: before === null ? null : fitLength(former, own.length) };
  }
  const points = sumDays(own, days, interval);
  if (before === null) return { points, before: null };
  return { points, before: fitLength(sumDays(former, before, interval), points.length) };
}

function splitHours(begun: readonly Point[], hasBefore: boolean): ScanSeries {
  return {
    points: begun.slice(-HOURS),
    before: hasBefore ? begun.slice(-2 * HOURS, -HOURS) : null,
  };
}

/** Cuts the previous period to the range's length. A range is shorter while its last day isn't over. */
function fitLength(points: readonly Point[], length: number): Point[] {
  return points.slice(0, length);
}

function sumDays(points: readonly Point[], days: Days, interval: "week" | "month"): Point[] {
  const tallies = points.map(({ date, ...counts }) => ({ startMs: Date.parse(date), ...counts }));
  return fillPoints(interval, parseRange(days.from, days.to), tallies);
}

/** Sums the scans of points. */
export function sumScans(points: readonly Point[]): number {
  return points.reduce((sum, { scans }) => sum + scans, 0);
}

/** Sums the visitors of points. Returns null if they aren't counted, as in hours. */
export function sumVisitors(points: readonly Point[]): VisitorCount | null {
  const counted = points.flatMap(({ visitors }) => visitors ?? []);
  return counted.length === 0 ? null : counted.reduce(addVisitors, NO_VISITORS);
}

/** Formats a number of visitors: `1,200`, or `about 12,000` if it is estimated. */
export function formatVisitors({ count, isEstimated }: VisitorCount): string {
  return `${isEstimated ? "about " : ""}${count.toLocaleString("en-GB")}`;
}

/** Returns the point with the most scans, or null if there are no scans. */
export function findPeak(points: readonly Point[]): Point | null {
  const peak = points.reduce<Point | null>(
    (best, point) => (point.scans > (best?.scans ?? 0) ? point : best),
    null,
  );
  return peak;
}

/** Change of a count compared to the previous period. */
export interface Change {
  /** Change relative to the previous count, such as 0.12. */
  share: number;
  direction: "up" | "down" | "same";
}

/** Compares a count with the previous period's count. Returns null if there was nothing to compare with. */
export function compareCounts(now: number, before: number): Change | null {
  if (before === 0) return null;
  const direction = now > before ? "up" : now < before ? "down" : "same";
  return { share: (now - before) / before, direction };
}

/** Formats a change: `12%`, `No change`. The direction is shown separately. */
export function formatChange({ share, direction }: Change): string {
  if (direction === "same") return "No change";
  return formatPercent(Math.abs(share) * 100);
}

/** Returns the average number of scans per day. An unfinished day counts as a whole day. */
export function averagePerDay(points: readonly Point[], { from, to }: Days): number {
  const length = Math.max(1, Math.round((Date.parse(addDays(to, 1)) - Date.parse(from)) / 86_400_000));
  return sumScans(points) / length;
}
