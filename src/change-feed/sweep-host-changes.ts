import type { Database } from "../db/database.ts";
import { hostChanges } from "./host-changes.directory.table.ts";
import { sweepOldest } from "./sweep-oldest.ts";

/** Deletes old host changes, except the last one. Called by the cron. */
export function sweepHostChanges(directory: Database, nowMs: number): Promise<void> {
  return sweepOldest(directory, hostChanges, nowMs);
}
