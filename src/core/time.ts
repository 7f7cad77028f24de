export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Formats a time as ISO 8601 in UTC with milliseconds and Z, the format of all timestamps in responses. */
export function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** Like {@link toIso}, but returns null for null. */
export function toIsoOrNull(timeMs: number | null): string | null {
  return timeMs === null ? null : toIso(timeMs);
}

/** Returns the billing cycle that contains a time: the calendar month in UTC as `YYYY-MM`. */
export function formatBillingCycle(timeMs: number): string {
  return toIso(timeMs).slice(0, 7);
}

/** Returns the start of the next billing cycle: the first day of the next calendar month, 00:00 UTC. */
export function getNextBillingCycleMs(timeMs: number): number {
  const date = new Date(timeMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i;
const FIRST_MS = Date.parse("0000-01-01T00:00:00.000Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Parses an ISO 8601 date-time with an offset or Z. Returns Unix milliseconds, or null for any other text.
 * Also rejects days that don't exist, because `Date.parse` would move them into the next month, and times
 * outside the years 0000 to 9999 in UTC, because ISO 8601 writes years with four digits.
 */
export function parseDateTime(text: string): number | null {
  if (!DATE_TIME.test(text)) return null;
  const timeMs = Date.parse(text);
  if (!(timeMs >= FIRST_MS && timeMs <= LAST_MS)) return null;
  const day = text.slice(0, 10);
  return toIso(Date.parse(`${day}T00:00:00Z`)).startsWith(day) ? timeMs : null;
}
