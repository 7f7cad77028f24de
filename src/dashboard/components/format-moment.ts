// Pure: no I/O, clock or randomness.
import { formatCount } from "../../core/format-count.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../core/time.ts";

/** Formats times for display, in the device's time zone. */

const DATE_LENGTH = "2026-11-22".length;

/** Formats a time relative to now: `just now`, `5 min ago`, `in 3 hr`. Beyond a week, formats the date. */
export function formatAge(iso: string, nowMs: number): string {
  const distanceMs = nowMs - Date.parse(iso);
  const lengthMs = Math.abs(distanceMs);
  if (lengthMs >= 7 * DAY_MS) return formatDay(iso, nowMs);
  if (lengthMs < MINUTE_MS) return distanceMs < 0 ? "in less than a minute" : "just now";
  const length = formatLength(lengthMs);
  return distanceMs < 0 ? `in ${length}` : `${length} ago`;
}

function formatLength(lengthMs: number): string {
  if (lengthMs < HOUR_MS) return `${Math.floor(lengthMs / MINUTE_MS)} min`;
  if (lengthMs < DAY_MS) return `${Math.floor(lengthMs / HOUR_MS)} hr`;
  return formatCount(Math.floor(lengthMs / DAY_MS), "day");
}

/** Formats the day of a time or date: `3 Nov`, with the year unless it is the current year. */
export function formatDay(iso: string, nowMs: number): string {
  // A date without a time would be parsed as midnight UTC, which is the previous day in some time zones.
  const date = new Date(iso.length === DATE_LENGTH ? `${iso}T00:00` : iso);
  const isThisYear = date.getFullYear() === new Date(nowMs).getFullYear();
  const options: Intl.DateTimeFormatOptions = { day: "numeric", month: "short" };
  return date.toLocaleDateString("en-GB", isThisYear ? options : { ...options, year: "numeric" });
}

/** Formats a date with its time to the second. */
export function formatMoment(iso: string): string {
  return new Date(iso).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
}

/** Formats a duration: `84 ms`, `2.4 s`. */
export function formatDuration(durationMs: number): string {
  return durationMs < 1_000 ? `${durationMs} ms` : `${(durationMs / 1_000).toFixed(1)} s`;
}
