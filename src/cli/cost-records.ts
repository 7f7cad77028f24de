import { DAYS_KEPT } from "../analytics/retention.ts";
import { DAY_MS, toIso } from "../core/time.ts";
import { type Deployment, executeStatements, listShardNames, type Row } from "./admin-database.ts";
import { sql } from "./sql.ts";

/** Costs of the scans of a day. */
export interface DayCosts {
  /** Day of their counting, UTC. */
  day: string;
  scans: number;
  /** Rows that D1 reported and bills, those of `link.scanned` events apart. */
  rows_written: number;
  /** Rounded to hundredths. Null on a day on which sweeps wrote rows and no scans were counted. */
  rows_per_scan: number | null;
  /** Rows of `link.scanned` events, which only workspaces with such webhooks cause. */
  event_rows: number;
}

/** Returns what scans cost on each day that is kept, on all shards together, latest first. */
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
