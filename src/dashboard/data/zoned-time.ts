// Pure: no I/O, clock or randomness.
import { findZone, toUtcRange, UTC_CLOCK } from "../../analytics/time-zone.ts";

/** Converts between times and `datetime-local` fields in a time zone. */

const MINUTE_LENGTH = "2027-01-01T10:30".length;

/** Formats a time for a `datetime-local` field in a time zone. An invalid time becomes an empty string. */
export function toZonedInput(iso: string, timeZone: string): string {
  const timeMs = Date.parse(iso);
  if (Number.isNaN(timeMs)) return "";
  const localMs = timeMs + (findZone(timeZone) ?? UTC_CLOCK).getOffsetMs(timeMs);
  return new Date(localMs).toISOString().slice(0, MINUTE_LENGTH);
}

/** Parses a `datetime-local` value in a time zone to ISO 8601. An invalid value becomes an empty string. */
export function fromZonedInput(local: string, timeZone: string): string {
  const localMs = Date.parse(`${local}Z`);
  if (Number.isNaN(localMs)) return "";
  const range = toUtcRange(findZone(timeZone) ?? UTC_CLOCK, { fromMs: localMs, toMs: localMs });
  return new Date(range.fromMs).toISOString();
}
