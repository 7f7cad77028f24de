// Pure: no I/O, clock or randomness.
import { memoize } from "../core/memo.ts";
import { DAY_MS, HOUR_MS, toIso } from "../core/time.ts";
import { fillPoints, type Interval, type Point, QUARTER_MS, type Range, type Tally } from "./buckets.ts";

/**
 * Clock of a time zone. In this file, a local time is a number of milliseconds that, read as UTC, shows the
 * local date and time.
 */
export interface ZoneClock {
  /** Returns the zone's UTC offset at a time, in milliseconds. It is positive east of Greenwich. */
  getOffsetMs(timeMs: number): number;
}

/**
 * Clock of UTC, whichever of its names is used. Callers compare clocks with it by identity, because queries
 * by UTC day can use the stored day totals.
 */
export const UTC_CLOCK: ZoneClock = { getOffsetMs: () => 0 };

/**
 * Names of UTC in the IANA time zone database, in lower case. Matched here because runtimes return different
 * canonical names for UTC.
 */
const UTC_NAMES = /^(?:etc\/)?(?:utc|uct|gmt[+-]?0?|greenwich|universal|zulu)$/;

/**
 * Returns the clock of an IANA time zone, or null if the name is unknown. Rejects plain offsets such as
 * `+02:07`, which the runtime would accept: counts are kept by quarter of an hour.
 */
export const findZone = memoize((name: string): ZoneClock | null => {
  if (UTC_NAMES.test(name.toLowerCase())) return UTC_CLOCK;
  if (/^[+-]/.test(name)) return null;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch {
    return null;
  }
  return { getOffsetMs: (timeMs) => readOffsetMs(format, timeMs) };
});

function readOffsetMs(format: Intl.DateTimeFormat, timeMs: number): number {
  const parts = Object.fromEntries(
    format.formatToParts(timeMs).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(timeMs / 1_000) * 1_000;
}

/** Converts a range of local days to Unix milliseconds. */
export function toUtcRange(clock: ZoneClock, { fromMs, toMs }: Range): Range {
  return { fromMs: toUtcMs(clock, fromMs), toMs: toUtcMs(clock, toMs) };
}

/**
 * Converts a local time to Unix milliseconds. A local time that the zone skips (start of summer time) is
 * moved forward by the skipped duration.
 */
function toUtcMs(clock: ZoneClock, localMs: number): number {
  const guessMs = localMs - clock.getOffsetMs(localMs);
  const timeMs = localMs - clock.getOffsetMs(guessMs);
  return timeMs + clock.getOffsetMs(timeMs) === localMs ? timeMs : Math.max(guessMs, timeMs);
}

/**
 * Returns every bucket of a range of local days with its scans, like `fillPoints` for UTC. `tallies` are
 * quarters of an hour. The label of an hour ends with the UTC offset, so an hour that occurs twice (end of
 * summer time) has two points.
 */
export function fillLocalPoints(
  clock: ZoneClock,
  interval: Interval,
  localRange: Range,
  tallies: readonly Tally[],
): Point[] {
  const offset = createOffsetReader(clock);
  if (interval !== "hour") {
    const local = tallies.map((tally) => ({ ...tally, startMs: tally.startMs + offset(tally.startMs) }));
    return fillPoints(interval, localRange, local);
  }
  const { fromMs, toMs } = toUtcRange(clock, localRange);
  const points = new Map<string, Point>();
  for (let timeMs = fromMs; timeMs < toMs; timeMs += QUARTER_MS) {
    const date = formatHour(timeMs, offset(timeMs));
    if (!points.has(date)) points.set(date, { date, scans: 0 });
  }
  for (const { startMs, scans } of tallies) {
    const point = points.get(formatHour(startMs, offset(startMs)));
    if (point !== undefined) point.scans += scans;
  }
  return [...points.values()];
}

/**
 * Returns a cached version of `getOffsetMs`. It calls the clock once per UTC day, except on days when the
 * offset changes.
 */
function createOffsetReader(clock: ZoneClock): (timeMs: number) => number {
  const starts = new Map<number, number>();
  const getStart = (day: number) => {
    const known = starts.get(day);
    if (known !== undefined) return known;
    const offsetMs = clock.getOffsetMs(day * DAY_MS);
    starts.set(day, offsetMs);
    return offsetMs;
  };
  return (timeMs) => {
    const day = Math.floor(timeMs / DAY_MS);
    const offsetMs = getStart(day);
    return offsetMs === getStart(day + 1) ? offsetMs : clock.getOffsetMs(timeMs);
  };
}

/** Formats the local hour of a time, such as `2026-11-21T09:00:00+01:00`. */
function formatHour(timeMs: number, offsetMs: number): string {
  const sign = offsetMs < 0 ? "-" : "+";
  const offset = toIso(Math.abs(offsetMs)).slice(11, 16);
  return `${toIso(Math.floor((timeMs + offsetMs) / HOUR_MS) * HOUR_MS).slice(0, 13)}:00:00${sign}${offset}`;
}
