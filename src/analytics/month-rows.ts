import { type SQL, sql } from "drizzle-orm";
import { numberMonth, type Range } from "./buckets.ts";

/** Returns the numbers of the first and last month that overlap a range. */
export function listMonthBounds({ fromMs, toMs }: Range): [number, number] {
  return [numberMonth(fromMs), numberMonth(toMs - 1)];
}

/**
 * Returns the condition for rows of `scan_months` in a range of months (both inclusive). The table's key
 * begins with the month, so the condition lists each month for an index lookup. The list starts no earlier
 * than the oldest month in the table.
 */
export function inRecentMonths(fromMonth: number, toMonth: number): SQL {
  return sql`month IN (
    WITH RECURSIVE months(number) AS (
      SELECT max(${fromMonth}, (SELECT min(month) FROM scan_months))
       UNION ALL
      SELECT number + 1 FROM months WHERE number < min(${toMonth}, (SELECT max(month) FROM scan_months)))
    SELECT number FROM months WHERE number <= ${toMonth})`;
}
