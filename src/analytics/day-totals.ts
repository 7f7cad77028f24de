// Pure: no I/O, clock or randomness.
import { DAY_MS } from "../core/time.ts";
import { numberMonth, startMonth } from "./buckets.ts";

/**
 * Stored totals per day of a month. A key consists of the letter of the traffic class and the day of the
 * month: `21` for people, `b21` for bots.
 */
export type DayTotals = Record<string, number>;

/** Letters of the traffic classes, in the order of the classes. */
const CLASS_LETTERS = ["", "b", "p", "f", "s"];

/** Returns the key of a day. `day` is the number of days since 1970-01-01. */
export function formatDayKey(day: number, classIndex: number): string {
  const dayOfMonth = day - startMonth(numberMonth(day * DAY_MS)) / DAY_MS + 1;
  return `${CLASS_LETTERS[classIndex]}${dayOfMonth}`;
}

/** Parses a key. Returns the day as the number of days since 1970-01-01. */
export function parseDayKey(key: string, month: number): { day: number; classIndex: number } {
  const [, letter = "", dayOfMonth] = /^([a-z]?)(\d+)$/.exec(key) ?? [];
  return {
    day: startMonth(month) / DAY_MS + Number(dayOfMonth) - 1,
    classIndex: CLASS_LETTERS.indexOf(letter),
  };
}
