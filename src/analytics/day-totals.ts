// Pure: no I/O, clock or randomness.
import { DAY_MS } from "../core/time.ts";
import { numberMonth, startMonth } from "./buckets.ts";

/**
 * Stored totals per day of a month. A key consists of the letter of the traffic class and the day of the
 * month: `21` for people, `b21` for bots. `r21` is the number of repeats (see `visitor-repeats.ts`) among
 * the facts that have left the log.
 */
export type DayTotals = Record<string, number>;

/** Letters of the traffic classes, in the order of the classes. */
const CLASS_LETTERS = ["", "b", "p", "f", "s"];

/** Letter of the repeats. */
const REPEATS_LETTER = "r";

/** Returns the key of a day. `day` is the number of days since 1970-01-01. */
export function formatDayKey(day: number, classIndex: number): string {
  return `${CLASS_LETTERS[classIndex]}${getDayOfMonth(day)}`;
}

/** Returns the key of the repeats of a day. */
export function formatRepeatsKey(day: number): string {
  return `${REPEATS_LETTER}${getDayOfMonth(day)}`;
}

function getDayOfMonth(day: number): number {
  return day - startMonth(numberMonth(day * DAY_MS)) / DAY_MS + 1;
}

/**
 * Parses a key. Returns the day as the number of days since 1970-01-01. `classIndex` is -1 for repeats.
 */
export function parseDayKey(key: string, month: number): { day: number; classIndex: number } {
  const [, letter = "", dayOfMonth] = /^([a-z]?)(\d+)$/.exec(key) ?? [];
  return {
    day: startMonth(month) / DAY_MS + Number(dayOfMonth) - 1,
    classIndex: CLASS_LETTERS.indexOf(letter),
  };
}
