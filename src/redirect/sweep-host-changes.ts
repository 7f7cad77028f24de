import type { Database } from "../db/database.ts";
import { hostChanges } from "./host-changes.directory.table.ts";
import { sweepOldest } from "./sweep-oldest.ts";

/** Deletes old changes of hosts, but never the last one; for the cron. */
export function sweepHostChanges(directory: Database, nowMs: number): Promise<void> {
  return sweepOldest(directory, hostChanges, nowMs);
}
