// Pure: no I/O, clock or randomness.
import { DAY_MS, HOUR_MS } from "../../core/time.ts";
import { AUDIENCES, type AudienceName, type DemoVisitor, makeVisitor } from "./demo-visitors.ts";
import { Random } from "./random.ts";

/** Visits of the last month: when, by whom, and to what. */

/** Days with visits before today. */
export const MONTH_DAYS = 29;

/** Seed of all visits. */
const SEED = 20_251;
/** Growth from the first day of the month to the last. */
const GROWTH = 0.3;
/** Share of a campaign's best day that each day after it has of the day before, and each day before it of the day after. */
const PEAK_FALL = 0.55;
const PEAK_RISE = 0.25;

/** Target of visits: a link, a page, or a button of a page. */
export interface Attraction {
  audience: AudienceName;
  /** Visits of an average day. */
  daily: number;
  peak?: { age: number; visits: number } | undefined;
  /** Time before which there is nothing to visit. */
  fromMs: number;
}

/** Visit of an attraction, by its index. */
export interface DemoVisit {
  index: number;
  timeMs: number;
  visitor: DemoVisitor;
}

/**
 * Makes the visits of the days from {@link MONTH_DAYS} before today to `nowMs`, by day and in the order of their times. They
 * depend on the attractions and the day, and on nothing else.
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

/** Returns the number of visits to expect of a day: a slow growth, a curve over the week, and the campaign. */
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

/** Picks a time of the UTC day by the hours of the visitor's own day. */
function pickTime(random: Random, audience: AudienceName, { utcHours }: DemoVisitor): number {
  const hour = random.pick(AUDIENCES[audience].hours.map((weight, index) => [index, weight] as const));
  const utcHour = (hour - utcHours + 24) % 24;
  return utcHour * HOUR_MS + random.integer(0, HOUR_MS - 1);
}
