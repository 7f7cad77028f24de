import { gte, lt, sql } from "drizzle-orm";
import { HOUR_MS, MINUTE_MS } from "../core/time.ts";
import { type Database, openDatabase } from "../db/database.ts";
import { requestCounts } from "./status.directory.table.ts";

/** Length of a period. Each period has a row per surface. */
const PERIOD_MS = 5 * MINUTE_MS;
const KEPT_MS = 2 * HOUR_MS;

/** Number of requests, and how many of them failed: their response had a status of 500 or above. */
export interface RequestCount {
  requests: number;
  failures: number;
}

/** Adds the counts of an isolate to the present period. */
export async function addCounts(
  directory: D1Database,
  counts: ReadonlyMap<string, RequestCount>,
  nowMs: number,
): Promise<void> {
  const startsAt = nowMs - (nowMs % PERIOD_MS);
  const rows = [...counts].map(([surface, count]) => ({ startsAt, surface, ...count }));
  await openDatabase(directory)
    .insert(requestCounts)
    .values(rows)
    .onConflictDoUpdate({
      target: [requestCounts.startsAt, requestCounts.surface],
      set: {
        requests: sql`${requestCounts.requests} + excluded.requests`,
        failures: sql`${requestCounts.failures} + excluded.failures`,
      },
    });
}

/** Reads the counts of the last hour by surface. */
export function readCounts(
  directory: Database,
  nowMs: number,
): Promise<(RequestCount & { surface: string })[]> {
  return directory
    .select({
      surface: requestCounts.surface,
      requests: sql<number>`sum(${requestCounts.requests})`,
      failures: sql<number>`sum(${requestCounts.failures})`,
    })
    .from(requestCounts)
    .where(gte(requestCounts.startsAt, nowMs - HOUR_MS))
    .groupBy(requestCounts.surface);
}

/** Deletes counts that no status needs. There are at most a few rows per five minutes. */
export async function sweepCounts(directory: Database, nowMs: number): Promise<void> {
  await directory.delete(requestCounts).where(lt(requestCounts.startsAt, nowMs - KEPT_MS));
}
