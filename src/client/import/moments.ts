// Pure: no I/O, clock or randomness.
import { parseDateTime, SECOND_MS } from "../../core/time.ts";

/**
 * Parses times as exports and APIs write them. Times without an offset are read as UTC, so that the result
 * doesn't depend on the computer's time zone.
 */

const DATE_TIME = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]+(\d{1,2}:\d{2}.*))?$/i;
const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2})(\.\d+)?)?\s*([AP]M)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;
const NAMED_MONTH =
  /^(?:[A-Z]{3,9},? +)?(?:([A-Z]{3,9})\.? (\d{1,2})|(\d{1,2}) ([A-Z]{3,9})\.?),? (\d{4})(?:,? +(?:at )?(\d.*))?$/i;
const SHORT_DATE = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:,? +(\d.*))?$/;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const LAST_MONTH = 12;
const NOON_HOUR = 12;

/**
 * Parses a time: ISO 8601, Unix seconds or milliseconds, or an English date. Returns Unix milliseconds, or
 * null for other text. A date of three numbers is only parsed if it is unambiguous: `31/12/2024`, but not
 * `01/02/2024`.
 */
export function parseMoment(text: string): number | null {
  const trimmed = text.trim();
  if (/^\d{9,10}(?:\.\d+)?$/.test(trimmed)) return Math.floor(Number(trimmed) * SECOND_MS);
  if (/^\d{12,13}$/.test(trimmed)) return Number(trimmed);
  return (
    parseDateTime(trimmed) ?? parseYearFirst(trimmed) ?? parseNamedMonth(trimmed) ?? parseShortDate(trimmed)
  );
}

function parseYearFirst(text: string): number | null {
  const [, year, month, day, clock] = DATE_TIME.exec(text) ?? [];
  return year === undefined ? null : compose(year, month, day, clock);
}

function parseNamedMonth(text: string): number | null {
  const [, monthFirst, dayAfter, dayFirst, monthAfter, year, clock] = NAMED_MONTH.exec(text) ?? [];
  if (year === undefined) return null;
  const month = MONTHS.indexOf((monthFirst ?? monthAfter ?? "").slice(0, 3).toLowerCase()) + 1;
  return month === 0 ? null : compose(year, String(month), dayAfter ?? dayFirst, clock);
}

function parseShortDate(text: string): number | null {
  const [, first = "", , second = "", year, clock] = SHORT_DATE.exec(text) ?? [];
  if (year === undefined) return null;
  if (Number(first) > LAST_MONTH || first === second) return compose(year, second, first, clock);
  return Number(second) > LAST_MONTH ? compose(year, first, second, clock) : null;
}

/** Combines the parts into a time. Without a time of day, returns the start of the day. */
function compose(year: string, month = "", day = "", clock = "00:00"): number | null {
  const [, hour, minute, second = "00", fraction = "", half, offset = "Z"] = CLOCK.exec(clock.trim()) ?? [];
  if (hour === undefined || minute === undefined) return null;
  const hours =
    half === undefined ? Number(hour) : (Number(hour) % NOON_HOUR) + (/p/i.test(half) ? NOON_HOUR : 0);
  const zone = /^[+-]/.test(offset) ? offset.replace(/^(...):?/, "$1:") : "Z";
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return parseDateTime(`${date}T${String(hours).padStart(2, "0")}:${minute}:${second}${fraction}${zone}`);
}
