// Pure: no I/O, clock or randomness.
import { formatDay, type Interval } from "../../analytics/buckets.ts";
import { DAY_MS } from "../../core/time.ts";
import { readChoice } from "../address/query-state.ts";

/** Reads a report's range from the URL, and derives the API's parameters from it. */

/** Ranges that end today, and `custom` for chosen dates. The first is the default. */
export const PRESETS = ["30d", "24h", "7d", "90d", "custom"] as const;

export type Preset = (typeof PRESETS)[number];

const PRESET_DAYS: Record<Exclude<Preset, "custom">, number> = { "24h": 2, "7d": 7, "30d": 30, "90d": 90 };

/** Values of the `interval` parameter. `auto` picks an interval that suits the range. */
const INTERVAL_CHOICES = ["auto", "hour", "day", "week", "month"] as const;

/** Maximum days of a range. The API returns up to 10,000 points, half of them for the previous period. */
const DAYS_MAX = 3_650;
/** Days (including today) with hourly counts in any time zone. One day less than the API keeps in UTC. */
const LOCAL_DAYS = 90;
/** Days (including today) covered by filters and local breakdowns. Two less than the API has in UTC. */
const FACT_DAYS = 33;
/** Days (including today) with daily breakdowns. Before that, breakdowns cover whole months. */
const BREAKDOWN_DAYS = 92;

/** First and last day (inclusive) as `YYYY-MM-DD`. */
export interface Days {
  from: string;
  to: string;
}

/** Range of a report as described by the URL. */
export interface ShownRange {
  preset: Preset;
  /** True for the last 24 hours. `days` then contains the two days that these hours touch. */
  isHours: boolean;
  /** Days of the range. If filters don't reach back that far, the range is empty: `from` is after `to`. */
  days: Days;
  /** Previous period of the same length. Null if filters don't reach back that far. */
  before: Days | null;
  /** Time zone of the days. `UTC` for ranges far back, because only UTC days are kept. */
  zone: string;
  interval: Interval;
  /** Intervals that the user can choose for the range. */
  intervals: Interval[];
  /** True if filters shortened the range. */
  isShortened: boolean;
}

interface RangeOptions {
  nowMs: number;
  /** IANA time zone of the browser. */
  zone: string;
  isFiltered: boolean;
}

/** Reads the range from a query. */
export function readRange(query: string, options: RangeOptions): ShownRange {
  const local = readDays(query, findDay(options.nowMs, options.zone), options);
  const firstDay = local.before?.from ?? local.days.from;
  if (firstDay >= addDays(findDay(options.nowMs, options.zone), 1 - LOCAL_DAYS)) return local;
  return readDays(query, findDay(options.nowMs, "UTC"), { ...options, zone: "UTC" });
}

function readDays(query: string, today: string, { zone, isFiltered }: RangeOptions): ShownRange {
  const asked = readChoice(query, "range", PRESETS);
  const custom = asked === "custom" ? readCustomDays(query, today) : null;
  const preset = asked === "custom" && custom === null ? PRESETS[0] : asked;
  const wanted = custom ?? endingAt(today, PRESET_DAYS[preset === "custom" ? PRESETS[0] : preset]);
  const firstFact = addDays(today, 1 - FACT_DAYS);
  const isShortened = isFiltered && wanted.from < firstFact;
  const days = isShortened ? { from: firstFact, to: wanted.to } : wanted;
  const isHours = preset === "24h";
  const before = isHours ? endingAt(addDays(today, -1), 2) : daysBefore(days);
  const intervals = listIntervals(days, before, today, isHours);
  const [, ...names] = INTERVAL_CHOICES;
  const chosen = readChoice(query, "interval", INTERVAL_CHOICES);
  const interval = names.find((name) => name === chosen && intervals.includes(name));
  return {
    preset,
    isHours,
    days,
    before: isFiltered && before.from < firstFact ? null : before,
    zone,
    interval: interval ?? pickInterval(days, isHours),
    intervals,
    isShortened,
  };
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Returns true for a valid date in the form `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  return DAY.test(text) && !Number.isNaN(Date.parse(text)) && formatDay(Date.parse(text)) === text;
}

/** Reads custom dates from a query, in either order. Replaces dates in the future with today. */
function readCustomDays(query: string, today: string): Days | null {
  const parameters = new URLSearchParams(query);
  const given = [parameters.get("from") ?? "", parameters.get("to") ?? ""];
  if (!given.every(isDay)) return null;
  const [from = "", to = ""] = given.sort().map((day) => (day < today ? day : today));
  return countDays({ from, to }) > DAYS_MAX ? endingAt(to, DAYS_MAX) : { from, to };
}

function endingAt(to: string, length: number): Days {
  return { from: addDays(to, 1 - length), to };
}

function daysBefore(days: Days): Days {
  return endingAt(addDays(days.from, -1), countDays(days));
}

export function countDays({ from, to }: Days): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

/** Returns the day `count` days later. */
export function addDays(day: string, count: number): string {
  return formatDay(Date.parse(day) + count * DAY_MS);
}

/** Returns the date in a time zone at a given time. */
export function findDay(timeMs: number, zone: string): string {
  const options = { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" } as const;
  const parts = new Intl.DateTimeFormat("en-US", options).formatToParts(timeMs);
  const [year, month, day] = ["year", "month", "day"].map(
    (name) => parts.find(({ type }) => type === name)?.value,
  );
  return `${year}-${month}-${day}`;
}

const HOUR_DAYS_MAX = 14;
const DAY_DAYS_MAX = 366;
const WEEK_DAYS_MIN = 14;
const MONTH_DAYS_MIN = 60;

function listIntervals(days: Days, before: Days, today: string, isHours: boolean): Interval[] {
  if (isHours) return ["hour"];
  const count = countDays(days);
  const isKeptByHour = before.from >= addDays(today, 1 - LOCAL_DAYS);
  const fits: Record<Interval, boolean> = {
    hour: count <= HOUR_DAYS_MAX && isKeptByHour,
    day: count <= DAY_DAYS_MAX,
    week: count >= WEEK_DAYS_MIN,
    month: count >= MONTH_DAYS_MIN,
  };
  return (Object.keys(fits) as Interval[]).filter((name) => fits[name]);
}

function pickInterval(days: Days, isHours: boolean): Interval {
  const count = countDays(days);
  if (isHours) return "hour";
  if (count <= 100) return "day";
  return count <= 730 ? "week" : "month";
}

/**
 * Returns the days for which a breakdown can be requested. Ranges far back are extended to whole months.
 * `isExact` is true for dimensions whose daily counts are kept forever.
 */
export function toBreakdownDays({ from, to }: Days, today: string, isExact: boolean): Days {
  const firstKept = addDays(today, 1 - BREAKDOWN_DAYS);
  if (isExact || from >= firstKept) return { from, to };
  return { from: `${from.slice(0, 8)}01`, to: to >= firstKept ? to : endMonth(to) };
}

function endMonth(day: string): string {
  const [year = 0, month = 0] = day.split("-").map(Number);
  return formatDay(Date.UTC(year, month, 0));
}

/** Returns true if a breakdown can be requested in a time zone other than UTC. */
export function isLocalBreakdown({ from }: Days, today: string): boolean {
  return from >= addDays(today, 1 - FACT_DAYS);
}
