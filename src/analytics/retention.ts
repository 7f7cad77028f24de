// Pure: no I/O, clock or randomness.
import { createValidationError } from "../core/error.ts";
import { DAY_MS } from "../core/time.ts";
import { formatDay, numberMonth, type Range, startMonth } from "./buckets.ts";
import type { ScanFilter } from "./counts.ts";

/** Minimum number of days for which counts by day and by quarter of an hour are kept, including today. */
export const DAYS_KEPT = 92;
/** Number of days for which facts are kept, including today. */
const FACT_DAYS_KEPT = 35;

/** Returns the first month that is kept by day. Older months are kept only as sums of the whole month. */
export function getFirstMonthKept(nowMs: number): number {
  return numberMonth(getTodayMs(nowMs) - (DAYS_KEPT - 1) * DAY_MS);
}

/** Returns the start of the first day whose facts are kept. */
export function getFirstFactsMs(nowMs: number): number {
  return getTodayMs(nowMs) - (FACT_DAYS_KEPT - 1) * DAY_MS;
}

function getTodayMs(nowMs: number): number {
  return nowMs - (nowMs % DAY_MS);
}

/**
 * Throws `VALIDATION_ERROR` if a range begins before the first month that is kept by day. `field` is the
 * parameter that needs more detail than totals of UTC days.
 */
export function requireDays(field: string, filter: ScanFilter, nowMs: number): void {
  const firstMs = startMonth(getFirstMonthKept(nowMs));
  if (filter.fromMs >= firstMs) return;
  throw createValidationError({
    field,
    message: `is possible from ${formatFirstDay(firstMs, filter)}; earlier data is only available by UTC day`,
  });
}

/** Throws `VALIDATION_ERROR` if a range begins or ends inside a month that is kept only as a whole. */
export function requireWholeMonths({ fromMs, toMs }: Range, nowMs: number): void {
  const firstMs = startMonth(getFirstMonthKept(nowMs));
  const refuse = (field: string, end: string) => {
    const message = `must be ${formatDay(firstMs)} or later, or the ${end} day of a month, because earlier data is only available by month`;
    throw createValidationError({ field, message });
  };
  if (fromMs < firstMs && !isMonthStart(fromMs)) refuse("from_date", "first");
  if (toMs < firstMs && !isMonthStart(toMs)) refuse("to_date", "last");
}

function isMonthStart(timeMs: number): boolean {
  return startMonth(numberMonth(timeMs)) === timeMs;
}

/**
 * Throws `VALIDATION_ERROR` if a range begins before the facts are kept. `field` is the parameter that needs
 * facts.
 */
export function requireFacts(field: string, filter: ScanFilter, nowMs: number): void {
  const firstMs = getFirstFactsMs(nowMs);
  if (filter.fromMs >= firstMs) return;
  throw createValidationError({
    field,
    message: `needs a from_date of ${formatFirstDay(firstMs, filter)} or later, because filters only cover the last ${FACT_DAYS_KEPT} days`,
  });
}

/**
 * Formats the first full day that is kept. In a time zone other than UTC, the first kept UTC day can begin in
 * the middle of a local day, so the error names the next day.
 */
function formatFirstDay(firstMs: number, { isLocal }: ScanFilter): string {
  return formatDay(isLocal ? firstMs + DAY_MS : firstMs);
}
