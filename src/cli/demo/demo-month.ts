// Pure: no I/O, clock or randomness.
import { DAY_MS, HOUR_MS } from "../../core/time.ts";
import { AUDIENCES, type AudienceName, type DemoVisitor, makeVisitor } from "./demo-visitors.ts";
import { Random } from "./random.ts";

/** Generates the visits of the last month: time, visitor and target. */

/** Number of days with visits before today. */
export const MONTH_DAYS = 29;

/** Random seed for all visits. */
const SEED = 20_251;
/** Increase in visits from the first to the last day of the month, as a fraction. */
const GROWTH = 0.3;
/**
 * Change per day around a campaign's best day: each later day has `PEAK_FALL` times the visits of the day
 * before it, and each earlier day has `PEAK_RISE` times the visits of the day after it.
 */
const PEAK_FALL = 0.55;
const PEAK_RISE = 0.25;

/** Target of visits: a link, a bio page, or a button on a page. */
export interface Attraction {
  audience: AudienceName;
  /** Visits on an average day. */
  daily: number;
  peak?: { age: number; visits: number } | undefined;
  /** Time from which the target exists. */
  fromMs: number;
}

/** Visit of an attraction. `index` is the index of the attraction. */
export interface DemoVisit {
  index: number;
  timeMs: number;
  visitor: DemoVisitor;
}

/**
 * Generates the visits from {@link MONTH_DAYS} days before today until `nowMs`. Returns one list per day,
 * in order of time. The same attractions and day always give the same visits.
 */
export function makeMonth(attractions: readonly Attraction[], nowMs: number): DemoVisit[][] {
  const todayMs = nowMs - (nowMs % DAY_MS);
  return Array.from({ length: MONTH_DAYS + 1 }, (_, index) => {
    const age = MONTH_DAYS - index;
    const visits = attractions.flatMap((attraction, attracting) =>
      makeDay(attraction, attracting, todayMs - age * DAY_MS, age),
    );
    return visits.filter(({ timeMs }) => timeMs < nowMs).sort((one, other) => one.timeMs - other.timeMs);
  });
}

function makeDay(attraction: Attraction, index: number, dayMs: number, age: number): DemoVisit[] {
  const random = new Random(SEED + index * 1_000 + age);
  const count = random.round(expectVisits(attraction, dayMs, age) * (0.85 + 0.3 * random.next()));
  const visits = Array.from({ length: count }, () => {
    const visitor = makeVisitor(random, attraction.audience);
    return { index, timeMs: dayMs + pickTime(random, attraction.audience, visitor), visitor };
  });
  return visits.filter(({ timeMs }) => timeMs >= attraction.fromMs);
}

/**
 * Returns the expected number of visits on a day. The number combines slow growth, differences between
 * weekdays, and the campaign's peak.
 */
export function expectVisits({ audience, daily, peak }: Attraction, dayMs: number, age: number): number {
  const weekday = AUDIENCES[audience].weekdays[new Date(dayMs).getUTCDay()] as number;
  const growth = 1 + GROWTH * (1 - age / MONTH_DAYS);
  return daily * weekday * growth + expectPeak(peak, age);
}

function expectPeak(peak: Attraction["peak"], age: number): number {
  if (peak === undefined) return 0;
  const days = peak.age - age;
  return peak.visits * (days < 0 ? PEAK_RISE ** -days : PEAK_FALL ** days);
}

/** Picks a time of the UTC day by the audience's usual hours in the visitor's time zone. */
function pickTime(random: Random, audience: AudienceName, { utcHours }: DemoVisitor): number {
  const hour = random.pick(AUDIENCES[audience].hours.map((weight, index) => [index, weight] as const));
  const utcHour = (hour - utcHours + 24) % 24;
  return utcHour * HOUR_MS + random.integer(0, HOUR_MS - 1);
}
