import { and, eq, isNull, lt, or } from "drizzle-orm";
import { DAY_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import type { AuthenticatedKey } from "./key.ts";
import { apiKeys } from "./keys.directory.table.ts";

/** Returns the number of days between 1970 and a time. */
export function countDays(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}

/** Returns true if a key is used for the first time on this day, so that its day of last use is to be written. */
export function isFirstUseOfDay({ lastUsedDay }: AuthenticatedKey, nowMs: number): boolean {
  return lastUsedDay === null || lastUsedDay < countDays(nowMs);
}

/** Writes the day on which a key was last used. It costs one written row a day for a key in use. */
export async function recordUse(directory: Database, keyId: string, nowMs: number): Promise<void> {
  const day = countDays(nowMs);
  await directory
    .update(apiKeys)
    .set({ lastUsedDay: day })
    .where(and(eq(apiKeys.id, keyId), or(isNull(apiKeys.lastUsedDay), lt(apiKeys.lastUsedDay, day))));
}
