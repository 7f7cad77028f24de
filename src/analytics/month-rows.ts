import { type SQL, sql } from "drizzle-orm";
import { numberMonth, type Range } from "./buckets.ts";

/** Returns the number of the first and the last month that a range touches. */
export function listMonthBounds({ fromMs, toMs }: Range): [number, number] {
  return [numberMonth(fromMs), numberMonth(toMs - 1)];
}

/**
 * Returns the condition for the rows of `scan_months` of a range of months. The key begins with the month, so they are
 * looked up month by month, from the oldest that the table has.
 */
export function inRecentMonths(fromMonth: number, toMonth: number): SQL {
  return sql`month IN (
    WITH RECURSIVE months(number) AS (
      SELECT max(${fromMonth}, (SELECT min(month) FROM scan_months))
       UNION ALL
      SELECT number + 1 FROM months WHERE number < min(${toMonth}, (SELECT max(month) FROM scan_months)))
    SELECT number FROM months WHERE number <= ${toMonth})`;
}
