import { DAYS_KEPT } from "../analytics/retention.ts";
import { DAY_MS, toIso } from "../core/time.ts";
import { type Deployment, executeStatements, listShardNames, type Row } from "./admin-database.ts";
import { sql } from "./sql.ts";

/** Cost of counting one day's scans. */
export interface DayCosts {
  /** Day on which the scans were counted, in UTC. */
  day: string;
  scans: number;
  /** Rows that D1 reports and bills, without the rows of `link.scanned` events. */
  rows_written: number;
  /**
   * `rows_written` per scan, rounded to two decimals. Null on a day without scans, on which only the cron's
   * sweeps wrote rows.
   */
  rows_per_scan: number | null;
  /** Rows written for `link.scanned` events. Only workspaces with webhooks for this event cause them. */
  event_rows: number;
}

/** Returns the cost of scans per day, summed over all shards, latest day first. */
export async function listScanCosts(deployment: Deployment): Promise<DayCosts[]> {
  const statement = sql`SELECT day, scans, counted + swept AS written, events FROM scan_costs
                         ORDER BY day DESC LIMIT ${DAYS_KEPT}`;
  const rows: Row[] = [];
  for (const name of listShardNames(deployment)) {
    const [found = []] = await executeStatements(deployment, name, [statement]);
    rows.push(...found);
  }
  const byDay = Map.groupBy(rows, ({ day }) => Number(day));
  return [...byDay].sort(([one], [other]) => other - one).map(([day, ofDay]) => sumDay(day, ofDay));
}

function sumDay(day: number, rows: readonly Row[]): DayCosts {
  const sum = (column: string) => rows.reduce((total, row) => total + Number(row[column]), 0);
  const [scans, written] = [sum("scans"), sum("written")];
  return {
    day: toIso(day * DAY_MS).slice(0, 10),
    scans,
    rows_written: written,
    rows_per_scan: scans === 0 ? null : Math.round((100 * written) / scans) / 100,
    event_rows: sum("events"),
  };
}
