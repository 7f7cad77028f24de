// Pure: no I/O, clock or randomness.
import type { Interval } from "../../analytics/buckets.ts";

/** Formats the names of chart points. Keeps the API's dates and ignores the browser's time zone. */

const LOCALE = "en-GB";

function format(date: string, options: Intl.DateTimeFormatOptions): string {
  return new Date(`${date.slice(0, 10)}T00:00:00Z`).toLocaleDateString(LOCALE, {
    ...options,
    timeZone: "UTC",
  });
}

/** Formats a point briefly, for an axis. */
export function formatTick(date: string, interval: Interval, isOneDay: boolean): string {
  if (interval === "hour" && isOneDay) return date.slice(11, 16);
  if (interval === "month") return format(date, { month: "short", year: "2-digit" });
  return format(date, { day: "numeric", month: "short" });
}

/** Formats a point in full, for tables and screen readers. */
export function formatPoint(date: string, interval: Interval): string {
  const day = format(date, { weekday: "short", day: "numeric", month: "short", year: "numeric" });
  if (interval === "hour") return `${day}, ${date.slice(11, 16)}`;
  if (interval === "week")
    return `Week of ${format(date, { day: "numeric", month: "short", year: "numeric" })}`;
  if (interval === "month") return format(date, { month: "long", year: "numeric" });
  return day;
}

/** Formats a range of days briefly: `3–9 Nov 2026`, `28 Nov – 3 Dec 2026`, or a single day. */
export function formatDays({ from, to }: { from: string; to: string }): string {
  const end = format(to, { day: "numeric", month: "short", year: "numeric" });
  if (from === to) return end;
  const isSameYear = from.slice(0, 4) === to.slice(0, 4);
  const isSameMonth = from.slice(0, 7) === to.slice(0, 7);
  const start = format(from, {
    day: "numeric",
    ...(!isSameMonth && { month: "short" }),
    ...(!isSameYear && { year: "numeric" }),
  });
  return isSameMonth ? `${start}–${end}` : `${start} – ${end}`;
}
