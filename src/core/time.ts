export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** ISO 8601 in UTC with milliseconds and Z, the one form of every timestamp in an answer. */
export function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** {@link toIso} for a time that may not have come yet. */
export function toIsoOrNull(timeMs: number | null): string | null {
  return timeMs === null ? null : toIso(timeMs);
}

/** The billing cycle that holds `timeMs`: its UTC calendar month as `YYYY-MM`. */
export function billingCycle(timeMs: number): string {
  return toIso(timeMs).slice(0, 7);
}

/** Start of the next billing cycle: first day of the next calendar month, 00:00 UTC, in milliseconds. */
export function nextBillingCycleMs(timeMs: number): number {
  const date = new Date(timeMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i;
const FIRST_MS = Date.parse("0000-01-01T00:00:00.000Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * An ISO 8601 date-time with an offset or Z, in milliseconds (decisions section 1). Null for anything else: also for a
 * day that is not in the calendar, which `Date.parse` would roll over into the next month, and for one that its offset
 * moves out of the years that ISO 8601 writes with four digits.
 */
export function parseDateTime(text: string): number | null {
  if (!DATE_TIME.test(text)) return null;
  const timeMs = Date.parse(text);
  if (!(timeMs >= FIRST_MS && timeMs <= LAST_MS)) return null;
  const day = text.slice(0, 10);
  return toIso(Date.parse(`${day}T00:00:00Z`)).startsWith(day) ? timeMs : null;
}
