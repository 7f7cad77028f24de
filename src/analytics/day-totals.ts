import { DAY_MS } from "../core/time.ts";
import { numberMonth, startMonth } from "./buckets.ts";

/**
 * Totals of the days of a month as they are stored: counts by key, which is the letter of the traffic class and the day
 * of the month, such as `21` and `b21`.
 */
export type DayTotals = Record<string, number>;

/** Letters of the traffic classes in their order. */
const CLASS_LETTERS = ["", "b", "p", "f"];

/** Returns the key of a day. `day` counts from 1970-01-01. */
export function formatDayKey(day: number, classIndex: number): string {
  const dayOfMonth = day - startMonth(numberMonth(day * DAY_MS)) / DAY_MS + 1;
  return `${CLASS_LETTERS[classIndex]}${dayOfMonth}`;
}

/** Returns the day since 1970-01-01 and the class of a key in a month. */
export function parseDayKey(key: string, month: number): { day: number; classIndex: number } {
  const [, letter = "", dayOfMonth] = /^([a-z]?)(\d+)$/.exec(key) ?? [];
  return {
    day: startMonth(month) / DAY_MS + Number(dayOfMonth) - 1,
    classIndex: CLASS_LETTERS.indexOf(letter),
  };
}
