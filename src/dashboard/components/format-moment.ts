import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../core/time.ts";

/** Times as people read them, in the time zone of this machine. */

const DATE_LENGTH = "2026-11-22".length;

/** Formats how long a time is past or ahead: `just now`, `5 min ago`, `in 3 h`, and the date beyond a week. */
export function formatAge(iso: string, nowMs: number): string {
  const distanceMs = nowMs - Date.parse(iso);
  const lengthMs = Math.abs(distanceMs);
  if (lengthMs >= 7 * DAY_MS) return formatDay(iso, nowMs);
  if (lengthMs < MINUTE_MS) return distanceMs < 0 ? "in a minute" : "just now";
  const length = formatLength(lengthMs);
  return distanceMs < 0 ? `in ${length}` : `${length} ago`;
}

function formatLength(lengthMs: number): string {
  if (lengthMs < HOUR_MS) return `${Math.floor(lengthMs / MINUTE_MS)} min`;
  if (lengthMs < DAY_MS) return `${Math.floor(lengthMs / HOUR_MS)} h`;
  const days = Math.floor(lengthMs / DAY_MS);
  return days === 1 ? "1 day" : `${days} days`;
}

/** Formats the day of a time or of a date: `3 Nov`, with the year if it is not this one. */
export function formatDay(iso: string, nowMs: number): string {
  // A date alone would be midnight in UTC, which is the day before in some time zones.
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
