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
