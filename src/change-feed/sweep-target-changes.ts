import type { Database } from "../db/database.ts";
import { targetChanges } from "./changes.table.ts";
import { sweepOldest } from "./sweep-oldest.ts";

/** Deletes old link changes of a shard, except the last one. Called by the cron. */
export function sweepTargetChanges(db: Database, nowMs: number): Promise<void> {
  return sweepOldest(db, targetChanges, nowMs);
}
