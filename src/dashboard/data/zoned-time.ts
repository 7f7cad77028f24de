import { findZone, toUtcRange, UTC_CLOCK } from "../../analytics/time-zone.ts";

/** Times of fields in a time zone. */

const MINUTE_LENGTH = "2027-01-01T10:30".length;

/** Returns the value of a `datetime-local` field for a time in a zone. Empty if there is none. */
export function toZonedInput(iso: string, timeZone: string): string {
  const timeMs = Date.parse(iso);
  if (Number.isNaN(timeMs)) return "";
  const localMs = timeMs + (findZone(timeZone) ?? UTC_CLOCK).getOffsetMs(timeMs);
  return new Date(localMs).toISOString().slice(0, MINUTE_LENGTH);
}

/** Returns the time of a `datetime-local` field in a zone, as ISO 8601. Empty if the field is. */
export function fromZonedInput(local: string, timeZone: string): string {
  const localMs = Date.parse(`${local}Z`);
  if (Number.isNaN(localMs)) return "";
  const range = toUtcRange(findZone(timeZone) ?? UTC_CLOCK, { fromMs: localMs, toMs: localMs });
  return new Date(range.fromMs).toISOString();
}
