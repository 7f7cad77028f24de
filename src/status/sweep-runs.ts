import { sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { sweepRuns } from "./status.directory.table.ts";

/**
 * Records when the sweeps of a database ran. Writes one row per run, whatever the number of sweeps.
 * `succeeded` has the names of the sweeps that ended without an error.
 */
export async function recordRun(
  directory: Database,
  scope: string,
  succeeded: readonly string[],
  nowMs: number,
): Promise<void> {
  const times = Object.fromEntries(succeeded.map((name) => [name, nowMs]));
  await directory
    .insert(sweepRuns)
    .values({ scope, ranAt: nowMs, succeeded: times })
    .onConflictDoUpdate({
      target: sweepRuns.scope,
      set: { ranAt: nowMs, succeeded: sql`json_patch(${sweepRuns.succeeded}, excluded.succeeded)` },
    });
}

/** Times of the sweeps of one database. */
export interface SweepRun {
  scope: string;
  /** Time of the last run without an error, by the name of the sweep. */
  succeeded: Record<string, number>;
}

/** Reads the times of all sweeps. There is one row per database. */
export function readRuns(directory: Database): Promise<SweepRun[]> {
  return directory.select({ scope: sweepRuns.scope, succeeded: sweepRuns.succeeded }).from(sweepRuns);
}
