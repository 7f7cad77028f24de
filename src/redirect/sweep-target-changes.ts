import type { Database } from "../db/database.ts";
import { targetChanges } from "./changes.table.ts";
import { sweepOldest } from "./sweep-oldest.ts";

/** Deletes old changes of a shard's links, but never the last one; for the cron. */
export function sweepTargetChanges(db: Database, nowMs: number): Promise<void> {
  return sweepOldest(db, targetChanges, nowMs);
}
