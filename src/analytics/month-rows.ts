import { type SQL, sql } from "drizzle-orm";
import { numberMonth, type Range } from "./buckets.ts";
import { type SeriesSet, toUuid, WORKSPACE_SCANS } from "./series.ts";

/** Returns the numbers (see {@link numberMonth}) of the first and last month that overlap a time range. */
export function listMonthBounds({ fromMs, toMs }: Range): [number, number] {
  return [numberMonth(fromMs), numberMonth(toMs - 1)];
}

/**
 * Returns the condition for rows of `scan_months` and `scan_parts` in a range of months (both inclusive). The
 * condition lists each month for an index lookup. The list has no months before the oldest or after the newest
 * month in `scan_months`, which has a row for each month in `scan_parts`.
 */
export function inRecentMonths(fromMonth: number, toMonth: number): SQL {
  return listMonths(fromMonth, toMonth, sql`scan_months`);
}

/** Like {@link inRecentMonths}, for the rows of an owner in `scan_history` and `scan_history_counts`. */
export function inFoldedMonths(owner: string, fromMonth: number, toMonth: number): SQL {
  return listMonths(fromMonth, toMonth, sql`scan_history_counts WHERE owner = unhex(${owner})`);
}

function listMonths(fromMonth: number, toMonth: number, rows: SQL): SQL {
  // SQLite reads the minimum and the maximum of a key without a scan only in queries of their own.
  return sql`month IN (
    WITH RECURSIVE months(number) AS (
      SELECT max(${fromMonth}, (SELECT min(month) FROM ${rows}))
       UNION ALL
      SELECT number + 1 FROM months WHERE number < min(${toMonth}, (SELECT max(month) FROM ${rows})))
    SELECT number FROM months WHERE number <= ${toMonth})`;
}

/** Maximum number of links that a query by label adds up. */
export const LABELLED_LINKS_MAX = 1_000;

/** Returns the condition for the rows of a set of series, each found by an index lookup. */
export function isInSet(series: SeriesSet): SQL {
  const { item, items, label } = series;
  if (items === undefined && label === undefined) return sql`item = unhex(${item})`;
  return sql`item IN (${selectItems(series)})`;
}

/** Selects the items of a set of series. */
export function selectItems({ item, items, label }: SeriesSet): SQL {
  if (items !== undefined) return sql`SELECT unhex(value) AS item FROM json_each(${JSON.stringify(items)})`;
  if (label === undefined) return sql`SELECT unhex(${item}) AS item`;
  const ofLink = item === WORKSPACE_SCANS ? sql`` : sql` AND link_id = ${toUuid(item)}`;
  return sql`SELECT unhex(replace(link_id, '-', '')) AS item FROM link_labels
    WHERE workspace_id = ${label.workspaceId} AND label = ${label.name}${ofLink} LIMIT ${LABELLED_LINKS_MAX}`;
}
