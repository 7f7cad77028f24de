import { and, eq, isNull, lt, or } from "drizzle-orm";
import { DAY_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import type { AuthenticatedKey } from "./key.ts";
import { apiKeys } from "./keys.directory.table.ts";

/** Returns the day of a time, in days since 1970. */
export function countDays(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}

/** Returns true for a key's first use of the day, which must be recorded. */
export function isFirstUseOfDay({ lastUsedDay }: AuthenticatedKey, nowMs: number): boolean {
  return lastUsedDay === null || lastUsedDay < countDays(nowMs);
}

/** Records the day on which a key was last used. Costs one written row per day for each key in use. */
export async function recordUse(directory: Database, keyId: string, nowMs: number): Promise<void> {
  const day = countDays(nowMs);
  await directory
    .update(apiKeys)
    .set({ lastUsedDay: day })
    .where(and(eq(apiKeys.id, keyId), or(isNull(apiKeys.lastUsedDay), lt(apiKeys.lastUsedDay, day))));
}
