import { sql } from "drizzle-orm";
import { DAY_MS, HOUR_MS } from "../core/time.ts";
import { uncounted } from "../counting/count.ts";
import type { Group, Window } from "../counting/window.ts";
import { DIMENSIONS, listValues } from "../scans/dimensions.ts";
import type { ScanFacts } from "../scans/scan-facts.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { scanHours, scanMonthValues, scanSeries, scanValues } from "./analytics.table.ts";
import { numberMonth, type Range, splitWholeMonths, type Tally } from "./buckets.ts";
import type { ScanCounts, ValueCount } from "./counts.ts";

const HOURS_PER_DAY = DAY_MS / HOUR_MS;

/** Index of the first dimension value in a packed row; it is the value of dimension 1. */
const VALUES_FROM = 4;

/**
 * Returns the statements that add the scans of uncounted windows to the roll-ups, for the batch that remembers the
 * windows. Their number does not depend on the number of scans.
 */
export function rollUpScans(d1: D1Database, windows: readonly Window<ScanFacts>[]): D1PreparedStatement[] {
  const json = JSON.stringify(windows.map(({ id, groups }) => ({ id, rows: groups.flatMap(packGroup) })));
  return [ADD_SERIES, ADD_HOURS, ADD_VALUES, ADD_MONTH_VALUES].map((statement) =>
    d1.prepare(statement).bind(json),
  );
}

/** Returns a row `[workspace, hour, month, scans, …values]` for each hour of a group: one, or two at the turn of an hour. */
function packGroup({ facts, timesMs }: Group<ScanFacts>): unknown[][] {
  const values = listValues(facts);
  const hours = Map.groupBy(timesMs, (timeMs) => Math.floor(timeMs / HOUR_MS));
  return [...hours].map(([hour, times]) => [
    facts.workspaceId,
    hour,
    numberMonth(hour * HOUR_MS),
    times.length,
    ...values,
  ]);
}

// CROSS JOIN fixes the order of the loops: windows, then their rows.
const NEW_ROWS = `
  FROM json_each(?1) AS counted
  CROSS JOIN json_each(counted.value -> 'rows') AS scan
 WHERE ${uncounted("counted.value ->> 'id'")}`;

const ADD_SERIES = `
  INSERT INTO scan_series (workspace_id, link_id)
  SELECT scan.value ->> 0, scan.value ->> ${VALUES_FROM} ${NEW_ROWS}
   UNION
  SELECT scan.value ->> 0, '' ${NEW_ROWS}
  ON CONFLICT DO NOTHING`;

// MATERIALIZED unpacks a row once instead of once for each of its values.
const UNPACKED = `
  WITH unpacked AS MATERIALIZED (
    SELECT scan.value ->> 0 AS workspace_id, scan.value ->> 1 AS hour, scan.value ->> 2 AS month,
           scan.value ->> 3 AS scans, scan.value ->> ${VALUES_FROM} AS link_id, scan.value AS row
    ${NEW_ROWS}
  )`;

const ADD_HOURS = `
  ${UNPACKED}
  INSERT INTO scan_hours (series_id, hour, scans)
  SELECT series.id, hour, sum(scans)
    FROM unpacked
   CROSS JOIN scan_series AS series USING (workspace_id)
   WHERE series.link_id IN (unpacked.link_id, '')
   GROUP BY series.id, hour
  ON CONFLICT (series_id, hour) DO UPDATE SET scans = scans + excluded.scans`;

// The series of a link has no dimension `link`, which would repeat its id every day.
const ADD_VALUES = `
  ${UNPACKED}
  INSERT INTO scan_values (series_id, dimension, day, value, scans)
  SELECT series.id, dimension.key - ${VALUES_FROM - 1} AS number, hour / ${HOURS_PER_DAY} AS day, dimension.value,
         sum(scans)
    FROM unpacked
   CROSS JOIN scan_series AS series USING (workspace_id)
   CROSS JOIN json_each(unpacked.row) AS dimension
   WHERE series.link_id IN (unpacked.link_id, '')
     AND dimension.key >= ${VALUES_FROM} + (series.link_id <> '')
   GROUP BY series.id, number, day, dimension.value
  ON CONFLICT (series_id, dimension, day, value) DO UPDATE SET scans = scans + excluded.scans`;

const ADD_MONTH_VALUES = `
  ${UNPACKED}
  INSERT INTO scan_month_values (series_id, dimension, month, value, scans)
  SELECT series.id, dimension.key - ${VALUES_FROM - 1} AS number, month, dimension.value, sum(scans)
    FROM unpacked
   CROSS JOIN scan_series AS series USING (workspace_id)
   CROSS JOIN json_each(unpacked.row) AS dimension
   WHERE series.link_id = '' AND dimension.key >= ${VALUES_FROM}
   GROUP BY series.id, number, month, dimension.value
  ON CONFLICT (series_id, dimension, month, value) DO UPDATE SET scans = scans + excluded.scans`;

/** Returns the engine that reads the workspace's roll-ups. */
export function rollups({ db, workspace }: Tenant): ScanCounts {
  const selectSeries = (linkId: string | null) =>
    sql`(SELECT ${scanSeries.id} FROM ${scanSeries}
          WHERE ${scanSeries.workspaceId} = ${workspace.id} AND ${scanSeries.linkId} = ${linkId ?? ""})`;
  return {
    async byTime(step, { fromMs, toMs, linkId }) {
      const stepMs = step === "hour" ? HOUR_MS : DAY_MS;
      const rows = await db.all<{ start: number; scans: number }>(
        sql`SELECT hour / ${sql.raw(String(stepMs / HOUR_MS))} AS start, sum(scans) AS scans FROM ${scanHours}
             WHERE series_id = ${selectSeries(linkId)} AND hour >= ${fromMs / HOUR_MS} AND hour < ${toMs / HOUR_MS}
             GROUP BY start`,
      );
      return rows.map(({ start, scans }): Tally => ({ startMs: start * stepMs, scans }));
    },
    async byValue(dimension, limit, filter) {
      const { linkId } = filter;
      if (dimension === "link" && linkId !== null) return countLink(linkId, await this.byTime("day", filter));
      const inDimension = sql`series_id = ${selectSeries(linkId)} AND dimension = ${DIMENSIONS[dimension]}`;
      const selectDays = ({ fromMs, toMs }: Range) =>
        sql`SELECT value, scans FROM ${scanValues}
             WHERE ${inDimension} AND day >= ${fromMs / DAY_MS} AND day < ${toMs / DAY_MS}`;
      const { before, fromMonth, toMonth, after } = splitWholeMonths(filter);
      const source =
        linkId !== null || fromMonth === toMonth
          ? selectDays(filter)
          : sql`${selectDays(before)} UNION ALL ${selectDays(after)} UNION ALL
                SELECT value, scans FROM ${scanMonthValues}
                 WHERE ${inDimension} AND month >= ${fromMonth} AND month < ${toMonth}`;
      return db.all<ValueCount>(
        sql`SELECT value, sum(scans) AS scans FROM (${source})
             GROUP BY value ORDER BY scans DESC, value LIMIT ${limit}`,
      );
    },
  };
}

function countLink(linkId: string, tallies: readonly Tally[]): ValueCount[] {
  const scans = tallies.reduce((sum, tally) => sum + tally.scans, 0);
  return scans === 0 ? [] : [{ value: linkId, scans }];
}
