import { and, desc, eq, getTableColumns, gte, lt, type SQL, sql } from "drizzle-orm";
import { formatUuidTime } from "../core/id.ts";
import type { Database } from "../db/database.ts";
import { type ListPage, olderThan } from "../db/list-page.ts";
import { withinPageBytes } from "../db/page-bytes.ts";
import type { auditLog } from "./audit.table.ts";
import type { Entry } from "./entry-columns.ts";
import type { ResourceType } from "./resource-type.ts";

/** Maximum number of entries that a page examines per log, so that its cost doesn't grow with the log. */
export const EXAMINED_MAX = 700;

/**
 * Bytes of changes after which a page ends, per log. This is an eighth of the maximum of other pages, so that reading a
 * log of large values takes no longer than any other request. A hundred ordinary entries have about 50 KB.
 */
const LOG_PAGE_BYTES_MAX = 131_072;

/** Filter for entries. */
export interface EntryFilter {
  resource_type?: ResourceType | undefined;
  /** Id of the resource. */
  resource?: string | undefined;
  /** Id of the actor. */
  actor?: string | undefined;
  operation?: string | undefined;
  /** Time range in Unix milliseconds: `from` is inclusive, `to` is exclusive. */
  from?: number | undefined;
  to?: number | undefined;
}

/** Matching entries of one log, newest first. */
export interface FoundEntries {
  /** At most one more than the page's limit. The extra entry shows that there is another page. */
  entries: Entry[];
  /** Number of matching entries among those examined. */
  total: number;
  /**
   * Id of the last examined entry if there are older entries, otherwise null. If the entries fill a page's bytes,
   * the id of the last of them.
   */
  reachedId: string | null;
}

/** Returns the newest matching entries of a workspace. Examines at most {@link EXAMINED_MAX} entries. */
export async function findEntries(
  db: Database,
  // Audit log of the directory or of a shard. Both tables have the same columns and the same name, so one
  // type fits both.
  log: typeof auditLog,
  workspaceId: string,
  { resource_type, resource, actor, operation, from, to }: EntryFilter,
  { limit, before }: Pick<ListPage, "limit" | "before">,
): Promise<FoundEntries> {
  const inRange = and(
    // The unary plus stops SQLite from using the primary key, which begins with the workspace: it would read
    // all entries of the workspace instead of one resource's entries.
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
  // Id of the first entry that isn't examined.
  const next = sql`(select id from (${newest}) limit 1 offset ${EXAMINED_MAX})`;
  const examined = db
    .select({
      total: sql<number>`coalesce(sum(matches), 0)`,
      reachedId: sql<string | null>`iif(count(*) = ${EXAMINED_MAX}, min(id), null)`,
    })
    .from(sql`(select * from (${newest}) limit ${EXAMINED_MAX})`);
  const listed = and(inRange, matching, sql`${log.id} > coalesce(${next}, '')`);
  const sizes = sql`select id, bytes from (
      select ${log.id} as id, octet_length(${log.changes}) as bytes, ${matching} as matches from ${log}
       where ${inRange} order by ${log.id} desc limit ${EXAMINED_MAX})
    where matches limit ${limit + 1}`;
  const page = db
    .select({ entry: getTableColumns(log), bytes: sql<number>`octet_length(${log.changes})` })
    .from(log)
    .where(and(listed, withinPageBytes(sql`${log.id}`, sizes, LOG_PAGE_BYTES_MAX)))
    .orderBy(desc(log.id))
    .limit(limit + 1);
  const [[counted], rows] = await db.batch([examined, page]);
  const entries = rows.map(({ entry }) => entry);
  const isFull = rows.reduce((sum, { bytes }) => sum + bytes, 0) > LOG_PAGE_BYTES_MAX;
  const reachedId = isFull ? entries.at(-1)?.id : counted?.reachedId;
  return { entries, total: counted?.total ?? 0, reachedId: reachedId ?? null };
}

/** Returns the smallest id that an entry of this time or later can have. */
function formatLimit(timeMs: number): string {
  return formatUuidTime(Math.max(0, timeMs));
}
