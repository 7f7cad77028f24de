import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { formatUuidTime } from "../core/id.ts";
import type { Database } from "../db/database.ts";
import { type ListPage, olderThan } from "../db/list-page.ts";
import type { auditLog } from "./audit.table.ts";
import type { Entry } from "./entry-columns.ts";
import type { ResourceType } from "./resource-type.ts";

/** Maximum number of entries of a log that one page examines, so that its cost does not grow with the log. */
export const EXAMINED_MAX = 700;

/** Entries to return. */
export interface EntryFilter {
  resource_type?: ResourceType | undefined;
  /** Id of the resource. */
  resource?: string | undefined;
  /** Id of the actor. */
  actor?: string | undefined;
  operation?: string | undefined;
  /** First time, and the time before which entries are returned. */
  from?: number | undefined;
  to?: number | undefined;
}

/** Part of a log, newest first. */
export interface FoundEntries {
  /** One more than the page has room for, if there are as many. */
  entries: Entry[];
  /** Number of examined entries that match. */
  total: number;
  /** Id of the last examined entry, if there are others after it; else null. */
  reachedId: string | null;
}

/** Returns the newest entries of a workspace that match. It examines at most {@link EXAMINED_MAX}. */
export async function findEntries(
  db: Database,
  // Both logs have the same columns and the same name.
  log: typeof auditLog,
  workspaceId: string,
  { resource_type, resource, actor, operation, from, to }: EntryFilter,
  { limit, before }: Pick<ListPage, "limit" | "before">,
): Promise<FoundEntries> {
  const inRange = and(
    // The plus keeps SQLite from walking through all entries of the workspace for those of one resource.
    resource === undefined ? eq(log.workspaceId, workspaceId) : sql`+${log.workspaceId} = ${workspaceId}`,
    resource === undefined ? undefined : eq(log.resourceId, resource),
    olderThan(log.id, before),
    from === undefined ? undefined : gte(log.id, formatLimit(from)),
    to === undefined ? undefined : lt(log.id, formatLimit(to)),
  );
  const matching: SQL =
    and(
      resource_type && eq(log.resourceType, resource_type),
      actor === undefined ? undefined : eq(log.actorId, actor),
      operation === undefined ? undefined : eq(log.operation, operation),
    ) ?? sql`true`;
  const newest = sql`select ${log.id} as id, ${matching} as matches from ${log} where ${inRange}
                      order by ${log.id} desc limit ${EXAMINED_MAX + 1}`;
  // The entry after the last one that is examined.
  const next = sql`(select id from (${newest}) limit 1 offset ${EXAMINED_MAX})`;
  const examined = db
    .select({
      total: sql<number>`coalesce(sum(matches), 0)`,
      reachedId: sql<string | null>`iif(count(*) = ${EXAMINED_MAX}, min(id), null)`,
    })
    .from(sql`(select * from (${newest}) limit ${EXAMINED_MAX})`);
  const page = db
    .select()
    .from(log)
    .where(and(inRange, matching, sql`${log.id} > coalesce(${next}, '')`))
    .orderBy(desc(log.id))
    .limit(limit + 1);
  const [[counted], entries] = await db.batch([examined, page]);
  return { entries, total: counted?.total ?? 0, reachedId: counted?.reachedId ?? null };
}

/** Returns the first id that an entry of this time or later can have. */
function formatLimit(timeMs: number): string {
  return formatUuidTime(Math.max(0, timeMs));
}
