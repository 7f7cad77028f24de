import { DAYS_KEPT } from "../analytics/retention.ts";
import { DAY_MS, toIso } from "../core/time.ts";
import { type Deployment, executeStatements } from "./admin-database.ts";
import { sql } from "./sql.ts";

/** What the scans of a day cost. */
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

/** Returns what scans cost on each day that is kept, latest first. */
export async function listScanCosts(deployment: Deployment): Promise<DayCosts[]> {
  const [rows = []] = await executeStatements(deployment, [
    sql`SELECT day, scans, counted + swept AS written, events FROM scan_costs ORDER BY day DESC LIMIT ${DAYS_KEPT}`,
  ]);
  return rows.map(({ day, scans, written, events }) => ({
    day: toIso(Number(day) * DAY_MS).slice(0, 10),
    scans: Number(scans),
    rows_written: Number(written),
    rows_per_scan: Number(scans) === 0 ? null : Math.round((100 * Number(written)) / Number(scans)) / 100,
    event_rows: Number(events),
  }));
}
