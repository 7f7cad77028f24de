import { sql } from "drizzle-orm";
import { DAY_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import type { TrafficClass } from "../scans/traffic.ts";
import { type Range, startMonth } from "./buckets.ts";
import type { ScanFilter } from "./counts.ts";
import { type ClassCounts, noCounts } from "./day-counts.ts";
import { type DayTotals, parseDayKey } from "./day-totals.ts";
import { inRecentMonths, listMonthBounds } from "./month-rows.ts";
import { type Series, toUuid } from "./series.ts";

/** Returns the totals of a series per UTC day. They are kept forever. */
export async function readDayTotals(
  db: Database,
  { owner, item }: Series,
  range: Range,
): Promise<Map<number, ClassCounts>> {
  const [fromMonth, toMonth] = listMonthBounds(range);
  const rows = await db.all<{ month: number; days: string }>(
    sql`SELECT month, days FROM scan_months
         WHERE ${inRecentMonths(fromMonth, toMonth)} AND owner = unhex(${owner}) AND item = unhex(${item})
         UNION ALL
        SELECT month, days FROM scan_history
         WHERE owner = unhex(${owner}) AND month BETWEEN ${fromMonth} AND ${toMonth} AND item = unhex(${item})`,
  );
  const totals = new Map<number, ClassCounts>();
  for (const { month, days } of rows) {
    for (const [key, total] of Object.entries(JSON.parse(days) as DayTotals)) {
      const { day, classIndex } = parseDayKey(key, month);
      if (day * DAY_MS < range.fromMs || day * DAY_MS >= range.toMs) continue;
      const counts = totals.get(day) ?? noCounts();
      counts[classIndex] = (counts[classIndex] ?? 0) + total;
      totals.set(day, counts);
    }
  }
  return totals;
}

/**
 * For each traffic class, SQL expressions for the total of a month and for the day of the month in a key of
 * `days`. The day is 0 if the key belongs to another class.
 */
const CLASS_SQL: Record<TrafficClass | "all", { total: string; dayOfMonth: string }> = {
  human: { total: "human", dayOfMonth: "key + 0" },
  bot: { total: "bot", dayOfMonth: "iif(key LIKE 'b%', substr(key, 2) + 0, 0)" },
  preview: { total: "preview", dayOfMonth: "iif(key LIKE 'p%', substr(key, 2) + 0, 0)" },
  prefetch: { total: "prefetch", dayOfMonth: "iif(key LIKE 'f%', substr(key, 2) + 0, 0)" },
  scanner: { total: "scanner", dayOfMonth: "iif(key LIKE 's%', substr(key, 2) + 0, 0)" },
  all: { total: "human + bot + preview + prefetch + scanner", dayOfMonth: "ltrim(key, 'bpfs') + 0" },
};

/** Returns the number of scans by link id, for the links of a workspace with the most scans. */
export async function readLinkTotals(
  db: Database,
  owner: string,
  filter: ScanFilter,
  limit: number,
): Promise<Map<string, number>> {
  const [fromMonth, toMonth] = listMonthBounds(filter);
  const { total, dayOfMonth } = CLASS_SQL[filter.traffic ?? "all"];
  // For a month that lies wholly within the range, the stored total is used instead of the days.
  const firstDay = getDayOfMonth(filter.fromMs, fromMonth);
  const lastDay = getDayOfMonth(filter.toMs - DAY_MS, toMonth);
  const isLastWhole = startMonth(toMonth + 1) === filter.toMs;
  const isWhole = sql`(month > ${fromMonth} OR ${firstDay} = 1) AND (month < ${toMonth} OR ${Number(isLastWhole)})`;
  const scans = sql`iif(${isWhole}, ${sql.raw(total)},
      (SELECT coalesce(sum(value), 0) FROM json_each(days)
        WHERE ${sql.raw(dayOfMonth)} BETWEEN iif(month = ${fromMonth}, ${firstDay}, 1)
                                         AND iif(month = ${toMonth}, ${lastDay}, 31)))`;
  const rows = await db.all<{ item: string; total: number }>(
    sql`SELECT hex(item) AS item, sum(scans) AS total
          FROM (SELECT item, ${scans} AS scans FROM scan_months
                 WHERE ${inRecentMonths(fromMonth, toMonth)} AND owner = unhex(${owner}) AND length(item) = 16
                 UNION ALL
                SELECT item, ${scans} FROM scan_history
                 WHERE owner = unhex(${owner}) AND month BETWEEN ${fromMonth} AND ${toMonth} AND length(item) = 16)
         GROUP BY item ORDER BY total DESC, item LIMIT ${limit}`,
  );
  return new Map(rows.map(({ item, total }) => [toUuid(item), total]));
}

function getDayOfMonth(timeMs: number, month: number): number {
  return Math.floor((timeMs - startMonth(month)) / DAY_MS) + 1;
}
